//===- CorrectRecords.cpp - Mends what torch is known to record wrongly ---===//

#include "CorrectRecords.h"

namespace adze::frontend {

/// torch up to 2.10 records the last states of an LSTM that runs in oneDNN as
/// [layers, 1, batch, hidden]; it computes [layers, batch, hidden].
static void correctLstmState(Graph &graph, const Argument &state) {
  auto found = graph.values.find(state.text);
  if (state.kind != ArgKind::Tensor || found == graph.values.end())
    return;
  TensorMeta &meta = found->second.tensor;
  if (meta.sizes.size() != 4 || meta.strides.size() != 4 ||
      !meta.sizes[1].isLiteral() || meta.sizes[1].integer != 1)
    return;
  meta.sizes.erase(meta.sizes.begin() + 1);
  meta.strides.erase(meta.strides.begin() + 1);
}

void correctRecords(Graph &graph) {
  for (Node &node : graph.nodes) {
    for (NamedArgument &input : node.inputs)
      if (input.value.kind == ArgKind::Graph)
        correctRecords(*input.value.graph);
    if (node.target == "torch.ops.aten.lstm.input" && node.outputs.size() == 3)
      for (size_t i : {1, 2})
        correctLstmState(graph, node.outputs[i]);
  }
}

} // namespace adze::frontend
