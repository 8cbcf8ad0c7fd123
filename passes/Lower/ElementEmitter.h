//===- ElementEmitter.h - Code for any element of any value -----*- C++ -*-===//
//
// The heart of the loop builder: `emit(value, indices)` gives code that
// computes `lanes` elements of a value in a kernel's region, from the buffers
// of the kernel's operands, by computing the elements of the operands that it
// needs. Whatever a builder has computed already it binds.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_LOWER_ELEMENTEMITTER_H
#define ADZE_PASSES_LOWER_ELEMENTEMITTER_H

#include "dialects/Prim/PrimBuilder.h"
#include "passes/Lower/KernelFrame.h"

namespace adze {

class ElementEmitter {
public:
  ElementEmitter(mlir::OpBuilder &builder, KernelFrame &frame);

  /// Code for the elements of `value` at `indices`; results of equal
  /// arguments are shared within a scope.
  Element emit(mlir::Value value, llvm::ArrayRef<Index> indices);
  /// Makes `emit(value, indices)` give this element within the scope.
  void bind(mlir::Value value, llvm::ArrayRef<Index> indices, Element element);
  /// The same for any indices: the code to come needs no other element of
  /// `value`, however it computes the indices of that one.
  void bindEverywhere(mlir::Value value, Element element);

  /// Elements of `value` are stored in the buffer when they are computed, until
  /// `useStored`; from then on they are loaded there, but for those that a
  /// reduction needs: they may be of another row, or replaced already.
  void storeWhenComputed(mlir::Value value, mlir::Value buffer) {
    stored = {value, buffer, /*isComplete=*/false};
  }
  void useStored() { stored.isComplete = true; }

  /// Loads and stores elements of a row-major tensor; `type` is its element
  /// type in the IR. Both are masked where a mask is set.
  Element load(mlir::Value address, llvm::ArrayRef<mlir::Value> sizes,
               llvm::ArrayRef<Index> indices, mlir::Type type);
  void store(Element element, mlir::Value address,
             llvm::ArrayRef<mlir::Value> sizes, llvm::ArrayRef<Index> indices,
             mlir::Type type);

  /// What was emitted since the scope began is forgotten when it ends: the
  /// code stands in a region that does not dominate what follows.
  class Scope {
  public:
    explicit Scope(ElementEmitter &emitter)
        : emitter(emitter), depth(emitter.memo.size()), lanes(emitter.lanes),
          mask(emitter.mask) {}
    ~Scope() {
      emitter.memo.truncate(depth);
      emitter.lanes = lanes;
      emitter.mask = mask;
    }
    Scope(const Scope &) = delete;

  private:
    ElementEmitter &emitter;
    size_t depth;
    int64_t lanes;
    mlir::Value mask;
  };

  /// Emits `body` where `condition` (i1, or a vector of them) holds, so that
  /// it neither reads memory nor fails elsewhere; gives `otherwise` there.
  Element emitMasked(mlir::Value condition, Element otherwise,
                     llvm::function_ref<Element()> body);
  /// A loop over [0, count) that carries elements.
  llvm::SmallVector<Element> emitLoop(
      mlir::Value count, llvm::ArrayRef<Element> inits,
      llvm::function_ref<llvm::SmallVector<Element>(mlir::Value iv,
                                                    llvm::ArrayRef<Element>)>
          body);

  //===--- Helpers for emission of single ops -----------------------------===//

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return frame.getKernel().getLoc(); }
  KernelFrame &getFrame() { return frame; }
  IndexBuilder &index() { return indexBuilder; }
  int64_t getLanes() const { return lanes; }
  void setLanes(int64_t count) { lanes = count; }
  mlir::Value getMask() const { return mask; }
  /// Until the scope ends only lanes in `lanesToUse` read and write memory;
  /// null stands for all.
  void setMask(mlir::Value lanesToUse) { mask = lanesToUse; }
  /// `type` in one lane or in all of them, like `other`.
  mlir::Type typeLike(mlir::Type type, mlir::Value other) const;
  /// A vector of all lanes.
  mlir::Value splat(mlir::Value scalar);
  Element splat(Element element);
  /// Both scalars or both vectors.
  void unify(llvm::MutableArrayRef<mlir::Value> values);
  mlir::Value number(mlir::Type registerType, double value);
  mlir::Value integer(mlir::Type registerType, int64_t value);
  Element zeroOf(mlir::Type element);
  Element fromAttr(mlir::Attribute number, mlir::Type element);
  /// f32 rounded to a narrower float type, or the value itself.
  mlir::Value roundTo(mlir::Type element, mlir::Value value);
  /// Between an element as registers hold it and as it lies in memory.
  mlir::Value toRegister(mlir::Value value, mlir::Type element);
  mlir::Value toMemory(mlir::Value value, mlir::Type element);
  /// Reports a failure at the op for the lanes where `bad` holds.
  void failWhere(mlir::Operation *op, mlir::Value bad, mlir::Value a,
                 mlir::Value b);
  /// The position of one element in a row-major tensor.
  Index linearize(llvm::ArrayRef<mlir::Value> sizes,
                  llvm::ArrayRef<Index> indices);
  Indices delinearize(llvm::ArrayRef<mlir::Value> sizes, Index linear);

private:
  struct Memo {
    mlir::Value value;
    Indices indices;
    mlir::Value mask;
    int64_t lanes;
    Element element;
    bool everywhere = false;
  };

  /// Elements that a row keeps in memory.
  struct Stored {
    mlir::Value value, buffer;
    bool isComplete = false;
  };

  Element emitNew(mlir::Value value, llvm::ArrayRef<Index> indices);
  Element compute(mlir::Operation *op, llvm::ArrayRef<Index> indices);
  mlir::Value loadPlain(mlir::Value address, Index linear, mlir::Type memory);
  mlir::Value loadMasked(mlir::Value address, Index linear, mlir::Type memory);
  mlir::Value gatherLanes(mlir::Value address, Index linear, mlir::Type memory);
  void storePlain(mlir::Value value, mlir::Value address, Index linear,
                  mlir::Type memory);
  void storeOne(mlir::Value value, mlir::Value address, Index linear,
                mlir::Type memory);
  mlir::Value addressOf(mlir::Value address, mlir::Value offset,
                        mlir::Type memory);

  mlir::OpBuilder &builder;
  KernelFrame &frame;
  IndexBuilder indexBuilder;
  int64_t lanes = 1;
  mlir::Value mask;
  llvm::SmallVector<Memo> memo;
  Stored stored;
  llvm::DenseMap<mlir::Operation *, unsigned> sites;
};

//===----------------------------------------------------------------------===//
// One function per kind of op
//===----------------------------------------------------------------------===//

/// EmitElementwise.cpp: from the elements of the operands.
Element emitElementwise(ElementEmitter &emitter, mlir::Operation *op,
                        llvm::ArrayRef<Element> operands);
/// EmitMath.cpp: exp, sin, ... of floats in registers (f32, f64, vectors).
mlir::Value emitMath(ElementEmitter &emitter, mlir::Operation *op,
                     llvm::ArrayRef<mlir::Value> operands);
/// EmitComplex.cpp
Element emitComplex(ElementEmitter &emitter, mlir::Operation *op,
                    llvm::ArrayRef<Element> operands);
/// EmitMovement.cpp: broadcasts, slices, pads, creators, ...
Element emitMovement(ElementEmitter &emitter, mlir::Operation *op,
                     llvm::ArrayRef<Index> indices);
/// EmitIndexing.cpp: index and gather.
Element emitIndexing(ElementEmitter &emitter, mlir::Operation *op,
                     llvm::ArrayRef<Index> indices);
/// EmitReduction.cpp: reductions and pools; matmul and convolution when no
/// special builder takes them.
Element emitReduction(ElementEmitter &emitter, mlir::Operation *op,
                      llvm::ArrayRef<Index> indices);

/// A position out of range fails the call at `op` and becomes 0, so that
/// nothing is read out of bounds.
Index checkedPosition(ElementEmitter &emitter, mlir::Operation *op,
                      mlir::Value position, mlir::Value size);

/// How many lanes suit a kernel: 16 for elements of at most 4 bytes, else 8.
int64_t preferredLanes(kernel::FuncOp kernel);

} // namespace adze

#endif // ADZE_PASSES_LOWER_ELEMENTEMITTER_H
