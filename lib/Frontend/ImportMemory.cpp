//===- ImportMemory.cpp - Weights that share memory -----------------------===//

#include "adze/Frontend/Importer.h"

#include "dialects/Capture/Capture.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;

namespace adze::frontend {

namespace {
/// A weight that is an argument of the graph.
struct Entry {
  unsigned argument;
  const Weight *weight;
};
} // namespace

/// Marks weights of which each overlaps with some other, first argument first.
static void mark(capture::GraphOp graph, ArrayRef<Entry> entries,
                 int64_t memory) {
  Builder builder(graph.getContext());
  for (const Entry &entry : entries) {
    graph.setArgAttr(entry.argument, memoryName,
                     builder.getI64IntegerAttr(memory));
    const Entry *same = llvm::find_if(entries, [&](const Entry &other) {
      return isSameTensor(*other.weight, *entry.weight);
    });
    if (same->argument != entry.argument)
      graph.setArgAttr(entry.argument, sameAsName,
                       builder.getI64IntegerAttr(same->argument));
  }
}

/// Splits the weights of one storage where no weight lies across.
static void markStorage(capture::GraphOp graph, SmallVector<Entry> entries,
                        int64_t &memories) {
  auto beginOf = [](const Entry &entry) {
    return entry.weight->byteRange().first;
  };
  llvm::sort(entries, [&](const Entry &a, const Entry &b) {
    return std::pair(beginOf(a), a.argument) <
           std::pair(beginOf(b), b.argument);
  });
  for (size_t first = 0, next = 0; first < entries.size(); first = next) {
    int64_t end = 0;
    for (next = first; next < entries.size() &&
                       (next == first || beginOf(entries[next]) < end);
         ++next)
      end = std::max(end, entries[next].weight->byteRange().second);
    SmallVector<Entry> overlapping(entries.begin() + first,
                                   entries.begin() + next);
    llvm::sort(overlapping, [](const Entry &a, const Entry &b) {
      return a.argument < b.argument;
    });
    if (overlapping.size() > 1)
      mark(graph, overlapping, memories++);
  }
}

void markSharedMemory(ModuleOp module, const WeightStore &weights) {
  auto graph = module.lookupSymbol<capture::GraphOp>(mainGraphName);
  std::map<unsigned, SmallVector<Entry>> storages;
  for (unsigned i = 0; i < graph.getNumArguments(); ++i) {
    auto descriptor = graph.getArgAttrOfType<capture::DescriptorAttr>(
        i, capture::descriptorName);
    if (!descriptor || descriptor.getRole() == capture::Role::user_input)
      continue;
    const Weight *weight = weights.lookup(descriptor.getName());
    if (weight && weight->numElements() > 0)
      storages[weight->storage].push_back({i, weight});
  }
  int64_t memories = 0;
  for (auto &[storage, entries] : storages)
    markStorage(graph, entries, memories);
}

} // namespace adze::frontend
