//===- Metadata.cpp - What a model says about itself ----------------------===//

#include "lib/Runtime/Internal.h"

using namespace adze::rt;

static bool within(int64_t index, int64_t count) {
  return index >= 0 && index < count;
}

void adze::rt::describeModel(const Model &model, adze_model_info &info) {
  const adze_program &program = *model.program;
  info = {program.name,
          program.producer,
          program.target_cpu,
          program.input_count,
          program.output_count,
          program.weight_count,
          program.state_count,
          program.guard_count,
          program.error_site_count,
          model.parallelFor ? 0 : model.pool.threads(),
          program.weights_bytes,
          program.weights_digest,
          program.cpu_features,
          (program.flags & ADZE_PROGRAM_RANDOM) != 0,
          program.state_count != 0};
}

static bool isMutated(const adze_program &program, int64_t input) {
  for (int64_t i = 0; i < program.mutation_count; ++i)
    if (program.mutations[i].target_kind == ADZE_FROM_INPUT &&
        program.mutations[i].target == input)
      return true;
  return false;
}

int32_t adze::rt::describeInput(const Model &model, int64_t index,
                                adze_value_info *info) {
  const adze_program &program = *model.program;
  if (!within(index, program.input_count) || !info)
    return ADZE_INVALID_ARGUMENT;
  const adze_input &input = program.inputs[index];
  *info = {input.name,
           input.kind,
           input.is_constant,
           input.dtype,
           input.rank,
           0,
           -1,
           isMutated(program, index),
           input.device_type};
  return ADZE_OK;
}

int32_t adze::rt::describeOutput(const Model &model, int64_t index,
                                 adze_value_info *info) {
  const adze_program &program = *model.program;
  if (!within(index, program.output_count) || !info)
    return ADZE_INVALID_ARGUMENT;
  const adze_output &output = program.outputs[index];
  bool result = output.source == ADZE_FROM_RESULT;
  bool view = isView(output.source),
       sibling = output.source == ADZE_FROM_OUTPUT;
  const adze_result *slot = result ? &program.results[output.index] : nullptr;
  *info = {output.name,
           output.kind,
           output.source == ADZE_FROM_LITERAL,
           slot ? slot->dtype : output.dtype,
           slot ? slot->rank : output.rank,
           sibling ? 4 : (view ? output.source : 0),
           sibling ? outputOfSlot(program, output.index)
                   : (view ? output.index : -1),
           0,
           kDLCPU};
  return ADZE_OK;
}

static int64_t dimOf(const adze_program &program, const adze_expr *dims,
                     int32_t rank, int32_t dim) {
  int64_t value;
  bool fixed = within(dim, rank) && isConstant(program, dims[dim], value);
  return fixed ? value : -1;
}

int64_t adze::rt::inputDimOf(const Model &model, int64_t index, int32_t dim) {
  const adze_program &program = *model.program;
  if (!within(index, program.input_count))
    return -1;
  const adze_input &input = program.inputs[index];
  return dimOf(program, input.dims, input.rank, dim);
}

int64_t adze::rt::outputDimOf(const Model &model, int64_t index, int32_t dim) {
  const adze_program &program = *model.program;
  if (!within(index, program.output_count))
    return -1;
  const adze_output &output = program.outputs[index];
  if (output.source != ADZE_FROM_RESULT)
    return dimOf(program, output.dims, output.rank, dim);
  const adze_result &result = program.results[output.index];
  return dimOf(program, result.dims, result.rank, dim);
}

int32_t adze::rt::describeGuardEntry(const Model &model, int64_t index,
                                     adze_guard_info *info) {
  if (!within(index, model.program->guard_count) || !info)
    return ADZE_INVALID_ARGUMENT;
  const adze_guard &guard = model.program->guards[index];
  *info = {guard.id,      guard.expression, guard.origin,
           guard.message, guard.kind,       guard.input};
  return ADZE_OK;
}

int32_t adze::rt::describeWeight(const Model &model, int64_t index,
                                 adze_weight_info *info) {
  if (!within(index, model.program->weight_count) || !info)
    return ADZE_INVALID_ARGUMENT;
  const adze_weight &weight = model.program->weights[index];
  *info = {weight.names,
           weight.name_count,
           weight.dtype,
           weight.rank,
           0,
           weight.shape,
           weight.bytes,
           weight.layout ? weight.layout : "",
           model.weightData[index]};
  return ADZE_OK;
}

int32_t adze::rt::describeState(const Model &model, int64_t index,
                                adze_state_info *info) {
  if (!within(index, model.program->state_count) || !info)
    return ADZE_INVALID_ARGUMENT;
  const adze_state &state = model.program->states[index];
  uint64_t bytes = 0;
  byteSize(state.shape, state.rank, state.dtype, bytes);
  *info = {state.name, state.dtype, state.rank, state.shape, bytes};
  return ADZE_OK;
}

int32_t adze::rt::describeSite(const Model &model, int64_t index,
                               adze_site_info *info) {
  if (!within(index, model.program->error_site_count) || !info)
    return ADZE_INVALID_ARGUMENT;
  const adze_error_site &site = model.program->error_sites[index];
  *info = {site.op, site.location, site.message};
  return ADZE_OK;
}
