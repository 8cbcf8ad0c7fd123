//===- Rules.h - How the rule of an op is written ---------------*- C++ -*-===//
//
// A rule is a function (op, evaluator, operands, results) -> success. It
// trusts what the verifier checked, and the evaluator, which compares the
// sizes of operands and results with their types.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_LIB_INTERP_RULES_H
#define ADZE_LIB_INTERP_RULES_H

#include "adze/Interp/Evaluator.h"

namespace adze::interp {

using Operands = llvm::ArrayRef<Tensor>;
using Results = llvm::SmallVectorImpl<Tensor>;

template <typename OpT>
using Rule = llvm::LogicalResult (*)(OpT, Evaluator &, Operands, Results &);

template <typename OpT, Rule<OpT> Apply>
struct RuleModel
    : prim::ReferenceEvalInterface::ExternalModel<RuleModel<OpT, Apply>, OpT> {
  llvm::LogicalResult evaluate(mlir::Operation *op, Evaluator &evaluator,
                               Operands operands, Results &results) const {
    return Apply(llvm::cast<OpT>(op), evaluator, operands, results);
  }
};

/// Attaches a rule to its op.
template <typename OpT, Rule<OpT> Apply>
void addRule(mlir::MLIRContext *context) {
  OpT::template attachInterface<RuleModel<OpT, Apply>>(*context);
}

//===----------------------------------------------------------------------===//
// One function per family of ops
//===----------------------------------------------------------------------===//

void addUnaryRules(mlir::MLIRContext *context);
void addConversionRules(mlir::MLIRContext *context);
void addBinaryRules(mlir::MLIRContext *context);
void addCreationRules(mlir::MLIRContext *context);
void addMovementRules(mlir::MLIRContext *context);
void addReductionRules(mlir::MLIRContext *context);
void addSortingRules(mlir::MLIRContext *context);
void addContractionRules(mlir::MLIRContext *context);
void addNeuralRules(mlir::MLIRContext *context);
void addPoolingRules(mlir::MLIRContext *context);
void addIndexingRules(mlir::MLIRContext *context);
void addScienceRules(mlir::MLIRContext *context);
void addLinearAlgebraRules(mlir::MLIRContext *context);
void addControlRules(mlir::MLIRContext *context);

//===----------------------------------------------------------------------===//
// What several families share
//===----------------------------------------------------------------------===//

/// Rounds or wraps a wide number to an element type.
class Store {
public:
  Store(const Evaluator &evaluator, mlir::Type element) {
    if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element))
      bits = IntFormat(integer);
    else
      real = evaluator.floatFormat(element);
  }
  double operator()(double value) const { return real.round(value); }
  Complex operator()(Complex value) const { return real.round(value); }
  int64_t operator()(int64_t value) const { return bits->wrap(value); }

private:
  FloatFormat real;
  std::optional<IntFormat> bits;
};

/// Operands of an elementwise op have equal sizes, symbolic ones included.
llvm::LogicalResult checkEqualSizes(Evaluator &evaluator, Operands operands);

/// The elements at offset + sum of index * stride, in row-major order of the
/// indices.
mlir::FailureOr<Tensor> stridedCopy(Evaluator &evaluator, const Tensor &source,
                                    llvm::ArrayRef<int64_t> sizes,
                                    llvm::ArrayRef<int64_t> strides,
                                    int64_t offset = 0);
mlir::FailureOr<Tensor> transposed(Evaluator &evaluator, const Tensor &source,
                                   llvm::ArrayRef<int64_t> permutation);

/// Calls visit(offset) for each index in row-major order; the offset is the
/// sum of index * stride.
template <typename Visit>
void forEachOffset(llvm::ArrayRef<int64_t> sizes,
                   llvm::ArrayRef<int64_t> strides, int64_t offset,
                   Visit &&visit) {
  if (llvm::is_contained(sizes, 0))
    return;
  Sizes index(sizes.size(), 0);
  while (true) {
    visit(offset);
    size_t dim = sizes.size();
    for (; dim-- > 0;) {
      offset += strides[dim];
      if (++index[dim] < sizes[dim])
        break;
      offset -= strides[dim] * sizes[dim];
      index[dim] = 0;
    }
    if (dim == size_t(-1))
      return;
  }
}

/// A tensor seen as lines along one dim: line (o, i) starts at
/// o * length * inner + i and its elements are `inner` apart.
struct Lines {
  Lines(llvm::ArrayRef<int64_t> sizes, int64_t dim) : length(sizes[dim]) {
    for (int64_t size : sizes.take_front(dim))
      outer *= size;
    for (int64_t size : sizes.drop_front(dim + 1))
      inner *= size;
  }
  /// Calls visit(start) for each line in row-major order.
  template <typename Visit> void forEach(Visit &&visit) const {
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; ++i)
        visit(o * length * inner + i);
  }

  int64_t outer = 1, length, inner = 1;
};

} // namespace adze::interp

#endif // ADZE_LIB_INTERP_RULES_H
