//===- InputMaker.cpp - Inputs that a program accepts ---------------------===//

#include "adze/Driver/InputMaker.h"

#include "adze/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace adze {

using frontend::SymAst;
using frontend::SymOp;

//===----------------------------------------------------------------------===//
// Expressions over sizes
//===----------------------------------------------------------------------===//

using MaybeInt = std::optional<int64_t>;

static MaybeInt floorDivide(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  return llvm::divideFloorSigned(a, b);
}

static MaybeInt power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  if (exponent < 0 || exponent > 64)
    return std::nullopt;
  for (int64_t i = 0; i < exponent; ++i)
    if (llvm::MulOverflow(result, base, result))
      return std::nullopt;
  return result;
}

static MaybeInt apply(SymOp op, int64_t a, int64_t b) {
  int64_t result;
  switch (op) {
  case SymOp::Add:
    return llvm::AddOverflow(a, b, result) ? MaybeInt() : result;
  case SymOp::Sub:
    return llvm::SubOverflow(a, b, result) ? MaybeInt() : result;
  case SymOp::Mul:
    return llvm::MulOverflow(a, b, result) ? MaybeInt() : result;
  case SymOp::FloorDiv:
  case SymOp::CleanDiv:
    return floorDivide(a, b);
  case SymOp::CeilDiv:
    return b == 0 ? MaybeInt() : llvm::divideCeilSigned(a, b);
  case SymOp::Mod:
  case SymOp::PythonMod: {
    MaybeInt quotient = floorDivide(a, b);
    return quotient ? MaybeInt(a - *quotient * b) : std::nullopt;
  }
  case SymOp::Pow:
    return power(a, b);
  case SymOp::Max:
    return std::max(a, b);
  case SymOp::Min:
    return std::min(a, b);
  default:
    return std::nullopt;
  }
}

MaybeInt evaluate(const SymAst &ast, const SymbolValues &symbols) {
  if (ast.op == SymOp::Integer)
    return ast.integer;
  if (ast.op == SymOp::Symbol) {
    auto found = symbols.find(ast.text);
    return found == symbols.end() ? MaybeInt() : found->second;
  }
  if (ast.args.empty())
    return std::nullopt;
  MaybeInt result = evaluate(ast.args[0], symbols);
  if (result && ast.op == SymOp::Neg)
    return apply(SymOp::Sub, 0, *result);
  // Add, Mul, Max and Min may have more than two operands.
  for (const SymAst &argument : llvm::drop_begin(ast.args)) {
    MaybeInt next = evaluate(argument, symbols);
    if (!result || !next)
      return std::nullopt;
    result = apply(ast.op, *result, *next);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

namespace {

/// The distributions of the standard library differ from one to the next; these
/// do not.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  int64_t integer(int64_t low, int64_t high) {
    uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    uint64_t draw = span == ~0ull ? engine() : engine() % (span + 1);
    return static_cast<int64_t>(static_cast<uint64_t>(low) + draw);
  }

  double uniform() { return static_cast<double>(engine() >> 11) * 0x1p-53; }

  double normal() { // Box and Muller's
    double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  double draw(const ValueRange &range) {
    double middle = (range.low + range.high) / 2;
    double half = (range.high - range.low) / 2;
    return range.isNormal ? middle + half * normal()
                          : range.low + (range.high - range.low) * uniform();
  }

private:
  std::mt19937_64 engine;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

// What a program computes may be as large as the product of two dims.
static constexpr int64_t largestSize = 4096; // of dims, unless they must
static constexpr int64_t largestOpenSize = 512;
static constexpr int64_t openRange = 1 << 20;    // a maximum that means none
static constexpr int64_t mostElements = 1 << 24; // of all inputs together

/// The end of the range, within reason.
static int64_t highestSize(const SymbolRange &range) {
  int64_t limit = range.max < openRange ? largestSize : largestOpenSize;
  return std::min(range.max, std::max(range.min, limit));
}

static int64_t drawSize(const SymbolRange &range, Random &random) {
  static constexpr int64_t popular[] = {1, 2, 3, 5, 7, 8, 13, 16, 31, 33, 64};
  int64_t high = highestSize(range);
  switch (random.integer(0, 5)) {
  case 0:
    return range.min;
  case 1:
    return random.integer(0, 3)
               ? random.integer(range.min, std::min(high, range.min + 40))
               : high;
  default:
    return std::clamp(popular[random.integer(0, std::size(popular) - 1)],
                      range.min, high);
  }
}

static int64_t chooseSize(const SymbolRange &range, InputSizes sizes,
                          Random &random) {
  switch (sizes) {
  case InputSizes::Typical:
    return std::clamp<int64_t>(range.typical.value_or(8), range.min, range.max);
  case InputSizes::Smallest:
    return range.min;
  case InputSizes::Largest:
    return highestSize(range);
  case InputSizes::Random:
    return drawSize(range, random);
  }
  llvm_unreachable("no such choice");
}

static std::optional<Dims> evaluateAll(llvm::ArrayRef<SymAst> expressions,
                                       const SymbolValues &symbols) {
  Dims values;
  for (const SymAst &expression : expressions) {
    MaybeInt value = evaluate(expression, symbols);
    if (!value || *value < 0)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// The elements of all inputs together, which may be too many for an integer.
static double countElements(llvm::ArrayRef<InputRecipe> recipes,
                            const SymbolValues &symbols) {
  double total = 0;
  for (const InputRecipe &recipe : recipes) {
    double count = 1;
    for (const SymAst &dim : recipe.dims)
      count *= static_cast<double>(evaluate(dim, symbols).value_or(0));
    total += count;
  }
  return total;
}

/// Halves the largest size whose half makes the inputs smaller; the first of
/// equal ones. False where there is none.
static bool halveLargest(llvm::ArrayRef<InputRecipe> recipes,
                         llvm::ArrayRef<SymbolRange> ranges,
                         SymbolValues &symbols) {
  double total = countElements(recipes, symbols);
  const SymbolRange *largest = nullptr;
  auto halved = [&](const SymbolRange &range) {
    SymbolValues smaller = symbols;
    smaller[range.name] = std::max(range.min, symbols[range.name] / 2);
    return smaller;
  };
  for (const SymbolRange &range : ranges)
    if ((!largest || symbols[range.name] > symbols[largest->name]) &&
        countElements(recipes, halved(range)) < total)
      largest = &range;
  if (largest)
    symbols = halved(*largest);
  return largest;
}

static SymbolValues chooseSizes(llvm::ArrayRef<InputRecipe> recipes,
                                llvm::ArrayRef<SymbolRange> ranges,
                                InputSizes sizes, Random &random) {
  SymbolValues symbols;
  for (const SymbolRange &range : ranges)
    symbols[range.name] = chooseSize(range, sizes, random);
  // Where even the smallest are larger, there is no choice.
  while (countElements(recipes, symbols) > mostElements)
    if (!halveLargest(recipes, ranges, symbols))
      break;
  return symbols;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static void fillComplex(HostTensor &tensor, const ValueRange &range,
                        Random &random) {
  int64_t parts = 2 * tensor.numElements();
  for (int64_t i = 0; i < parts; ++i)
    if (tensor.dtype() == DType::Complex64)
      tensor.dataAs<float>()[i] = static_cast<float>(random.draw(range));
    else
      tensor.dataAs<double>()[i] = random.draw(range);
}

static void fillTensor(HostTensor &tensor, const ValueRange &range,
                       Random &random) {
  if (isComplex(tensor.dtype()))
    return fillComplex(tensor, range, random);
  if (isFloat(tensor.dtype())) {
    std::vector<double> values(tensor.numElements());
    std::generate(values.begin(), values.end(),
                  [&] { return random.draw(range); });
    return tensor.fill(llvm::ArrayRef(values));
  }
  std::vector<int64_t> values(tensor.numElements());
  std::generate(values.begin(), values.end(), [&] {
    return random.integer(static_cast<int64_t>(range.low),
                          static_cast<int64_t>(range.high));
  });
  tensor.fill(llvm::ArrayRef(values));
}

/// None where the sizes are not possible.
static std::optional<CallValue> makeTensor(const InputRecipe &recipe,
                                           const SymbolValues &symbols,
                                           Random &random) {
  std::optional<Dims> shape = evaluateAll(recipe.dims, symbols);
  std::optional<Dims> strides = evaluateAll(recipe.strides, symbols);
  if (!shape)
    return std::nullopt;
  llvm::Expected<HostTensor> tensor =
      HostTensor::create(recipe.spec.dtype, *shape);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return std::nullopt;
  }
  fillTensor(*tensor, recipe.range, random);
  bool isLaidOut = strides && strides->size() == shape->size() &&
                   storageBytes(recipe.spec.dtype, *shape, *strides);
  if (!isLaidOut)
    return CallValue::of(std::move(*tensor));
  return CallValue::of(llvm::cantFail(tensor->withStrides(*strides)));
}

static std::optional<CallValue> makeValue(const InputRecipe &recipe,
                                          const SymbolValues &symbols,
                                          Random &random) {
  if (recipe.spec.isConstant)
    return recipe.spec.constant.clone();
  MaybeInt size = recipe.value ? evaluate(*recipe.value, symbols) : MaybeInt();
  switch (recipe.spec.kind) {
  case CallKind::Tensor:
    return makeTensor(recipe, symbols, random);
  case CallKind::Int:
    return CallValue::ofInt(
        size ? *size
             : random.integer(static_cast<int64_t>(recipe.range.low),
                              static_cast<int64_t>(recipe.range.high)));
  case CallKind::Float:
    return CallValue::ofFloat(random.draw(recipe.range));
  case CallKind::Bool:
    return CallValue::ofBool(random.integer(0, 1) != 0);
  case CallKind::None:
  case CallKind::String:
    return CallValue();
  }
  llvm_unreachable("no such kind");
}

static std::optional<std::vector<CallValue>>
makeOnce(llvm::ArrayRef<InputRecipe> recipes,
         llvm::ArrayRef<SymbolRange> ranges, InputSizes sizes, Random &random) {
  SymbolValues symbols = chooseSizes(recipes, ranges, sizes, random);
  std::vector<CallValue> inputs;
  for (const InputRecipe &recipe : recipes) {
    std::optional<CallValue> value = makeValue(recipe, symbols, random);
    if (!value)
      return std::nullopt;
    inputs.push_back(std::move(*value));
  }
  return inputs;
}

llvm::Expected<std::vector<CallValue>>
InputMaker::make(uint64_t seed, InputSizes sizes) const {
  Random random(seed);
  for (unsigned attempt = 0; attempt < 200; ++attempt) {
    std::optional<std::vector<CallValue>> inputs =
        makeOnce(recipes, symbols, sizes, random);
    if (inputs && (!accept || accept(*inputs)))
      return std::move(*inputs);
    // Ends of ranges may exclude each other.
    if (attempt >= 2 && sizes != InputSizes::Random)
      sizes = InputSizes::Random;
  }
  return makeError(DiagId::BadInputs,
                   "found no inputs that the program accepts: give some with "
                   "--inputs");
}

} // namespace adze
