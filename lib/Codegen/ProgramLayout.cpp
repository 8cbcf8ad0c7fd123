//===- ProgramLayout.cpp - Numbers that code and tables agree on ----------===//

#include "adze/Codegen/ProgramLayout.h"

#include "dialects/Capture/Capture.h"
#include "dialects/Kernel/Kernel.h"
#include "dialects/Prim/Prim.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace adze {

using capture::DescriptorAttr;
using capture::Role;

ProgramLayout::ProgramLayout(func::FuncOp func) {
  placeArguments(func);
  numberSymbols(func);
}

/// Names of the buffers and parameters that the program replaces.
static llvm::StringSet<> mutatedNames(func::FuncOp func) {
  llvm::StringSet<> names;
  for (unsigned i = 0; i < func.getNumResults(); ++i) {
    auto result =
        func.getResultAttrOfType<DescriptorAttr>(i, capture::descriptorName);
    if (result && (result.getRole() == Role::buffer_mutation ||
                   result.getRole() == Role::parameter_mutation))
      names.insert(result.getName());
  }
  return names;
}

/// The earlier argument that is the same tensor in the same layout.
static std::optional<unsigned> twinOf(func::FuncOp func, unsigned argument) {
  auto tied = func.getArgAttrOfType<IntegerAttr>(argument, tiedName);
  if (!tied || tied.getInt() >= argument ||
      func.getArgAttr(argument, packingName) !=
          func.getArgAttr(tied.getInt(), packingName))
    return std::nullopt;
  return tied.getInt();
}

void ProgramLayout::placeArguments(func::FuncOp func) {
  auto mutated = mutatedNames(func);
  // The number of an input is its position among the leaves of the input tree.
  llvm::DenseMap<int64_t, int64_t> inputs;
  if (auto list = func->getAttrOfType<ArrayAttr>("adze.inputs"))
    for (auto [number, entry] :
         llvm::enumerate(list.getAsRange<DictionaryAttr>()))
      if (auto argument = entry.getAs<IntegerAttr>("argument"))
        inputs[argument.getInt()] = number;
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    auto descriptor =
        func.getArgAttrOfType<DescriptorAttr>(i, capture::descriptorName);
    Role role = descriptor ? descriptor.getRole() : Role::user_input;
    if (role == Role::rng_key) {
      places.push_back({ArgumentPlace::RngKey});
    } else if (role == Role::user_input) {
      auto known = inputs.find(i);
      places.push_back({ArgumentPlace::Input,
                        known == inputs.end() ? int64_t(i) : known->second});
    } else if (mutated.contains(descriptor.getName())) {
      places.push_back({ArgumentPlace::State, numStates()});
      stateArguments.push_back(i);
    } else if (auto twin = twinOf(func, i);
               twin && places[*twin].kind == ArgumentPlace::Weight) {
      places.push_back(ArgumentPlace(places[*twin]));
    } else {
      places.push_back({ArgumentPlace::Weight, numWeights()});
      weightArguments.push_back(i);
    }
  }
}

void ProgramLayout::addSymbol(StringRef name) {
  if (symbolNumbers.try_emplace(name, symbolNames.size()).second)
    symbolNames.push_back(name.str());
}

void ProgramLayout::numberSymbols(func::FuncOp func) {
  if (auto list = func->getAttrOfType<ArrayAttr>("adze.symbols"))
    for (auto entry : list.getAsRange<DictionaryAttr>())
      addSymbol(entry.getAs<StringAttr>("name").getValue());
  auto define = [&](StringRef name) {
    lateSymbols[name] = true;
    addSymbol(name);
  };
  AttrTypeWalker walker;
  walker.addWalk([&](sym::ExprAttr expr) {
    sym::walkSymbols(expr, [&](StringRef name) { addSymbol(name); });
    return WalkResult::skip();
  });
  for (Type type : func.getArgumentTypes())
    walker.walk(type);
  func.walk([&](Operation *op) {
    if (auto bind = dyn_cast<prim::BindSymbolOp>(op))
      define(bind.getSymbol());
    if (auto nonzero = dyn_cast<prim::NonzeroOp>(op))
      define(nonzero.getSymbol());
    if (auto unique = dyn_cast<prim::UniqueOp>(op))
      define(unique.getSymbol());
    if (auto cond = dyn_cast<prim::CondOp>(op))
      for (auto name : cond.getDefines().getAsRange<StringAttr>())
        define(name.getValue());
    if (op == func)
      return;
    walker.walk(op->getAttrDictionary());
    for (Type type : op->getResultTypes())
      walker.walk(type);
  });
}

} // namespace adze
