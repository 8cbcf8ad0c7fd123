//===- TestProgram.h - A program written by hand, both halves ---*- C++ -*-===//

#ifndef ADZE_TEST_UNIT_PACKAGE_TESTPROGRAM_H
#define ADZE_TEST_UNIT_PACKAGE_TESTPROGRAM_H

#include "adze/Package/Package.h"
#include "dialects/Capture/Capture.h"
#include "dialects/Kernel/Kernel.h"
#include "dialects/Prim/Prim.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

namespace adze::test {

/// y = x + w for x of s0 rows of 4, and a counter that grows by one; a row
/// count of 13 fails as an operator does. Mutates nothing of the caller's.
inline constexpr char scheduledText[] = R"(
  kernel.func @k_add loop symbols ["s0"] {
    kernel.yield
  }
  func.func @main(
      %w: tensor<4xf32> {capture.descriptor = #capture.descriptor<parameter, "lin.bias", 0>},
      %n: tensor<i64> {capture.descriptor = #capture.descriptor<buffer, "count", 1>},
      %x: tensor<?x4xf32, #sym.dims<s0, 4>>
          {capture.descriptor = #capture.descriptor<user_input, "x", 0>})
      -> (tensor<?x4xf32, #sym.dims<s0, 4>>
              {capture.descriptor = #capture.descriptor<user_output, "", 0>},
          tensor<i64> {capture.descriptor = #capture.descriptor<buffer_mutation, "count", 1>})
      attributes {
        adze.inputs = [{path = "x", kind = "tensor", argument = 2 : i64},
                       {path = "mode", kind = "string", value = "fast"},
                       {path = "scale", kind = "float", value = 0.5 : f64}],
        adze.outputs = [{kind = "tensor", result = 0 : i64},
                        {kind = "symint", expr = #sym.expr<2 * s0>},
                        {kind = "tensor", result = 0 : i64, alias = 2 : i64,
                         strides = [#sym.expr<4>, #sym.expr<1>]}],
        adze.symbols = [{name = "s0", min = 2 : i64, max = 64 : i64}],
        adze.guards = [{expr = #sym.expr<eq(mod(s0, 2), 0)>, text = "x.size()[0] % 2 == 0",
                        origin = "guards_code"}],
        kernel.arena_bytes = #sym.expr<16 * s0>} {
    return %x, %n : tensor<?x4xf32, #sym.dims<s0, 4>>, tensor<i64>
  }
)";

inline constexpr char loweredText[] = R"(
module attributes {adze.error_sites = [{op = "aten.add.Tensor", location = "m.py:3",
                                        message = "{0} rows are unlucky"}]} {
  llvm.func @adze_rt_output(!llvm.ptr, i64) -> !llvm.ptr
  llvm.func @adze_rt_fail(!llvm.ptr, i64, i64, i64)
  llvm.func @adze_rt_parallel_for(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  llvm.func @expf(f32) -> f32
  llvm.mlir.global internal constant @table(dense<[0.0, 1.0]> : tensor<2xf32>) : !llvm.array<2 x f32>
  llvm.func internal @helper(%a: f32, %b: f32) -> f32 {
    %c = llvm.fadd %a, %b : f32
    llvm.return %c : f32
  }
  llvm.func internal @k_add(%args: !llvm.ptr, %begin: i64, %end: i64) {
    %one = llvm.mlir.constant(1 : i64) : i64
    %zero = llvm.mlir.constant(0 : i64) : i64
    %four = llvm.mlir.constant(4 : i64) : i64
    %px = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %pw = llvm.getelementptr %args[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %py = llvm.getelementptr %args[3] : (!llvm.ptr) -> !llvm.ptr, i64
    %x = llvm.load %px : !llvm.ptr -> !llvm.ptr
    %w = llvm.load %pw : !llvm.ptr -> !llvm.ptr
    %y = llvm.load %py : !llvm.ptr -> !llvm.ptr
    %first = llvm.mul %begin, %four : i64
    %last = llvm.mul %end, %four : i64
    llvm.br ^head(%first : i64)
  ^head(%i: i64):
    %more = llvm.icmp "slt" %i, %last : i64
    llvm.cond_br %more, ^body, ^exit
  ^body:
    %j = llvm.urem %i, %four : i64
    %xi = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %wj = llvm.getelementptr %w[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %yi = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %a = llvm.load %xi : !llvm.ptr -> f32
    %b = llvm.load %wj : !llvm.ptr -> f32
    %c = llvm.call @helper(%a, %b) : (f32, f32) -> f32
    llvm.store %c, %yi : f32, !llvm.ptr
    %next = llvm.add %i, %one : i64
    llvm.br ^head(%next : i64)
  ^exit:
    llvm.return
  }
  llvm.func @adze_main(%call: !llvm.ptr) -> i32 {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %unlucky = llvm.mlir.constant(14 : i64) : i64
    %ok = llvm.mlir.constant(0 : i32) : i32
    %inputs = llvm.load %call : !llvm.ptr -> !llvm.ptr
    %pweights = llvm.getelementptr %call[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %weights = llvm.load %pweights : !llvm.ptr -> !llvm.ptr
    %pstates = llvm.getelementptr %call[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %states = llvm.load %pstates : !llvm.ptr -> !llvm.ptr
    %psymbols = llvm.getelementptr %call[3] : (!llvm.ptr) -> !llvm.ptr, i64
    %symbols = llvm.load %psymbols : !llvm.ptr -> !llvm.ptr
    %n = llvm.load %symbols : !llvm.ptr -> i64
    %x = llvm.load %inputs : !llvm.ptr -> !llvm.ptr
    %w = llvm.load %weights : !llvm.ptr -> !llvm.ptr
    %old = llvm.load %states : !llvm.ptr -> !llvm.ptr
    %bad = llvm.icmp "eq" %n, %unlucky : i64
    llvm.cond_br %bad, ^fail, ^run
  ^fail:
    llvm.call @adze_rt_fail(%call, %zero, %n, %zero) : (!llvm.ptr, i64, i64, i64) -> ()
    llvm.return %ok : i32
  ^run:
    %y = llvm.call @adze_rt_output(%call, %zero) : (!llvm.ptr, i64) -> !llvm.ptr
    %new = llvm.call @adze_rt_output(%call, %one) : (!llvm.ptr, i64) -> !llvm.ptr
    %count = llvm.load %old : !llvm.ptr -> i64
    %next = llvm.add %count, %one : i64
    llvm.store %next, %new : i64, !llvm.ptr
    %args = llvm.alloca %unlucky x i64 : (i64) -> !llvm.ptr
    %a1 = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %a2 = llvm.getelementptr %args[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %a3 = llvm.getelementptr %args[3] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %call, %args : !llvm.ptr, !llvm.ptr
    llvm.store %x, %a1 : !llvm.ptr, !llvm.ptr
    llvm.store %w, %a2 : !llvm.ptr, !llvm.ptr
    llvm.store %y, %a3 : !llvm.ptr, !llvm.ptr
    %kernel = llvm.mlir.addressof @k_add : !llvm.ptr
    llvm.call @adze_rt_parallel_for(%call, %kernel, %args, %n, %one) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> ()
    llvm.return %ok : i32
  }
}
)";

struct TestProgram {
  TestProgram() {
    context.loadDialect<capture::CaptureDialect, kernel::KernelDialect,
                        prim::PrimDialect, sym::SymDialect,
                        mlir::func::FuncDialect, mlir::LLVM::LLVMDialect>();
    scheduled =
        mlir::parseSourceString<mlir::ModuleOp>(scheduledText, &context);
    lowered = mlir::parseSourceString<mlir::ModuleOp>(loweredText, &context);
    EXPECT_TRUE(scheduled && lowered);
    auto bytes = [](auto &data) {
      return frontend::Bytes(reinterpret_cast<const uint8_t *>(data),
                             sizeof(data));
    };
    std::vector<frontend::WeightStorage> storages = {{"bias", bytes(bias)},
                                                     {"count", bytes(count)}};
    frontend::Weight w, n;
    w.name = "lin.bias";
    w.sizes = {4};
    w.strides = {2}; // every other element
    n.name = "count";
    n.dtype = DType::Int64;
    n.storage = 1;
    weights = frontend::WeightStore::create(std::move(storages), {w, n});
  }

  float bias[7] = {1, -1, 2, -1, 3, -1, 4};
  int64_t count[1] = {7};
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> scheduled, lowered;
  std::unique_ptr<frontend::WeightStore> weights;
};

/// A folder of a test's own, removed with what is in it.
class ScratchFolder {
public:
  ScratchFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("adze-package", folder));
  }
  ~ScratchFolder() { (void)llvm::sys::fs::remove_directories(folder); }
  std::string path(llvm::StringRef name) const {
    return (folder + "/" + name).str();
  }

private:
  llvm::SmallString<128> folder;
};

inline std::string messageOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

} // namespace adze::test

#endif // ADZE_TEST_UNIT_PACKAGE_TESTPROGRAM_H
