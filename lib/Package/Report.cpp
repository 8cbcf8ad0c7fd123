//===- Report.cpp - report.json -------------------------------------------===//

#include "Files.h"

#include "dialects/Kernel/Kernel.h"
#include "dialects/Prim/PrimCost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace adze {

namespace {
class ReportWriter {
public:
  ReportWriter(const ProgramInterface &program, ModuleOp scheduled,
               llvm::raw_ostream &os)
      : program(program), scheduled(scheduled), json(os, /*IndentSize=*/2) {}
  void write();

private:
  void writeInputs();
  void writeOutputs();
  void writeStates();
  void writeKernels();
  void writeMemory();
  void writeShape(ArrayRef<sym::Expr> dims);
  void writeSize(sym::Expr size);

  const ProgramInterface &program;
  ModuleOp scheduled;
  llvm::json::OStream json;
};
} // namespace

void ReportWriter::writeSize(sym::Expr size) {
  if (auto constant = sym::asConstant(size))
    json.value(*constant);
  else
    json.value(sym::toString(size));
}

void ReportWriter::writeShape(ArrayRef<sym::Expr> dims) {
  json.attributeArray("shape", [&] {
    for (sym::Expr dim : dims)
      writeSize(dim);
  });
}

void ReportWriter::writeInputs() {
  json.attributeArray("inputs", [&] {
    for (auto [i, input] : llvm::enumerate(program.inputs))
      json.object([&] {
        json.attribute("name", input.name);
        json.attribute("kind", kindName(input.kind));
        if (input.isConstant)
          json.attribute("constant", true);
        if (input.kind != ADZE_TENSOR)
          return;
        json.attribute("dtype", getName(input.dtype));
        writeShape(input.dims);
        bool isMutated =
            llvm::any_of(program.mutations, [&](const MutationSpec &mutation) {
              return mutation.targetKind == ADZE_FROM_INPUT &&
                     size_t(mutation.target) == i;
            });
        if (isMutated)
          json.attribute("mutated", true);
      });
  });
}

/// What an output shares memory with.
static std::string aliasOf(const OutputSpec &output,
                           const ProgramInterface &program) {
  switch (output.source) {
  case ADZE_FROM_INPUT:
    return "input " + program.inputs[output.index].name;
  case ADZE_FROM_WEIGHT:
    return "weight " + program.weights[output.index].names.front();
  case ADZE_FROM_STATE:
    return "state " + program.states[output.index].name;
  case ADZE_FROM_OUTPUT:
    return "output " + llvm::find_if(program.outputs, [&](const OutputSpec &o) {
                         return o.source == ADZE_FROM_RESULT &&
                                o.index == output.index;
                       })->name;
  default:
    return "";
  }
}

void ReportWriter::writeOutputs() {
  json.attributeArray("outputs", [&] {
    for (const OutputSpec &output : program.outputs)
      json.object([&] {
        json.attribute("name", output.name);
        json.attribute("kind", kindName(output.kind));
        if (output.kind != ADZE_TENSOR)
          return;
        json.attribute("dtype", getName(output.dtype));
        writeShape(output.dims);
        if (std::string alias = aliasOf(output, program); !alias.empty())
          json.attribute("alias", alias);
      });
  });
}

void ReportWriter::writeStates() {
  json.attributeArray("states", [&] {
    for (const ProgramState &state : program.states)
      json.object([&] {
        json.attribute("name", state.name);
        json.attribute("dtype", getName(state.dtype));
        json.attributeArray("shape", [&] {
          for (int64_t size : state.shape)
            json.value(size);
        });
      });
  });
}

void ReportWriter::writeKernels() {
  llvm::StringMap<int64_t> launches;
  scheduled.walk(
      [&](kernel::LaunchOp launch) { ++launches[launch.getKernel()]; });
  json.attributeArray("kernels", [&] {
    for (auto kernel : scheduled.getOps<kernel::FuncOp>())
      json.object([&] {
        json.attribute("name", kernel.getSymName());
        json.attribute("kind", kernel::stringifyKind(kernel.getKind()));
        json.attribute("launches", launches.lookup(kernel.getSymName()));
        int64_t ops = 0;
        kernel.walk([&](Operation *op) {
          ops += !op->hasTrait<OpTrait::IsTerminator>();
        });
        json.attribute("ops", ops - 1); // but for the kernel itself
        json.attributeBegin("flops");
        writeSize(prim::flopsOf(kernel.getBody()));
        json.attributeEnd();
      });
  });
}

void ReportWriter::writeMemory() {
  llvm::StringSet<> names;
  uint64_t stateBytes = 0;
  for (const WeightRecord &weight : program.weights)
    names.insert(weight.names.front());
  for (const ProgramState &state : program.states)
    stateBytes +=
        getSize(state.dtype) * ShapedType::getNumElements(state.shape);
  json.attributeObject("memory", [&] {
    json.attributeBegin("arena_bytes");
    if (program.workspace)
      writeSize(program.workspace);
    else
      json.value(0);
    json.attributeEnd();
    json.attribute("weights_bytes", program.weightsBytes);
    json.attribute("weights", names.size());
    json.attribute("state_bytes", stateBytes);
  });
}

static int64_t countOps(ModuleOp module) {
  int64_t count = 0;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](Operation *) { ++count; });
  return count;
}

void ReportWriter::write() {
  json.object([&] {
    json.attribute("schema", "adze.report");
    json.attribute("version", 1);
    json.attribute("program", program.name);
    json.attribute("producer", program.producer);
    json.attribute("target_cpu", program.target.name);
    json.attribute("vector_bits", program.target.vectorBits);
    json.attribute("random", (program.flags & ADZE_PROGRAM_RANDOM) != 0);
    json.attribute("guards", program.guards.size());
    json.attribute("error_sites", program.errorSites.size());
    json.attribute("scheduled_ops", countOps(scheduled));
    writeInputs();
    writeOutputs();
    writeStates();
    writeMemory();
    writeKernels();
  });
}

void writeReport(const ProgramInterface &program, ModuleOp scheduled,
                 llvm::raw_ostream &os) {
  ReportWriter(program, scheduled, os).write();
  os << '\n';
}

} // namespace adze
