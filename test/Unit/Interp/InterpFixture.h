//===- InterpFixture.h - Programs as text, values as lists -----*- C++ -*-===//

#ifndef ADZE_TEST_UNIT_INTERP_INTERPFIXTURE_H
#define ADZE_TEST_UNIT_INTERP_INTERPFIXTURE_H

#include "adze/Interp/Interpreter.h"
#include "dialects/Capture/Capture.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace adze::interp {

class InterpFixture : public testing::Test {
protected:
  InterpFixture() {
    mlir::DialectRegistry registry;
    registry.insert<prim::PrimDialect, capture::CaptureDialect,
                    mlir::func::FuncDialect>();
    registerReferenceEvaluation(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  mlir::func::FuncOp parse(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error("the program of a test does not parse");
    return *module->getOps<mlir::func::FuncOp>().begin();
  }

  mlir::Type type(llvm::StringRef name) {
    return typeOf(*dtypeFromMLIR(name), &context);
  }

  Tensor floats(llvm::StringRef element, llvm::ArrayRef<int64_t> sizes,
                std::vector<double> values) {
    Tensor tensor(type(element), sizes);
    EXPECT_EQ(size_t(tensor.count()), values.size());
    llvm::copy(values, tensor.mutableData<double>());
    return tensor;
  }

  Tensor ints(llvm::StringRef element, llvm::ArrayRef<int64_t> sizes,
              std::vector<int64_t> values) {
    Tensor tensor(type(element), sizes);
    EXPECT_EQ(size_t(tensor.count()), values.size());
    llvm::copy(values, tensor.mutableData<int64_t>());
    return tensor;
  }

  std::vector<Tensor> run(llvm::StringRef text,
                          llvm::ArrayRef<Tensor> args = {},
                          const InterpretOptions &options = {}) {
    auto results = interpret(parse(text), args, options);
    if (results)
      return *results;
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }

  /// The message of a call that fails.
  std::string error(llvm::StringRef text, llvm::ArrayRef<Tensor> args = {},
                    const InterpretOptions &options = {}) {
    auto results = interpret(parse(text), args, options);
    return results ? "no error" : llvm::toString(results.takeError());
  }

  template <typename T> static std::vector<T> list(const Tensor &tensor) {
    return {tensor.data<T>(), tensor.data<T>() + tensor.count()};
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace adze::interp

#endif // ADZE_TEST_UNIT_INTERP_INTERPFIXTURE_H
