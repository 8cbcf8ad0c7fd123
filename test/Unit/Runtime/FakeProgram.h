//===- FakeProgram.h - Programs written by hand for runtime tests ---------===//

#ifndef ADZE_TEST_UNIT_RUNTIME_FAKEPROGRAM_H
#define ADZE_TEST_UNIT_RUNTIME_FAKEPROGRAM_H

#include "lib/Runtime/Internal.h"

#include <deque>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace adze::test {

/// Builds the tables that lib/Codegen would emit. Must outlive its models.
class FakeProgram {
public:
  using Dims = std::vector<adze_expr>;

  adze_expr expr(std::vector<int64_t> words) {
    uint32_t begin = static_cast<uint32_t>(code.size());
    code.insert(code.end(), words.begin(), words.end());
    return {begin, static_cast<uint32_t>(words.size())};
  }
  adze_expr constant(int64_t value) { return expr({ADZE_EXPR_CONST, value}); }
  adze_expr symbol(int64_t index) { return expr({ADZE_EXPR_SYMBOL, index}); }

  void tensorInput(Dims dims, int32_t dtype = ADZE_FLOAT32,
                   const adze_expr *strides = nullptr) {
    auto rank = static_cast<int32_t>(dims.size());
    inputs.push_back(
        {"x", ADZE_TENSOR, 0, dtype, rank, keep(dims), strides, kDLCPU, 0});
  }
  void scalarInput(int32_t kind, bool isConstant = false) {
    inputs.push_back(
        {"k", kind, isConstant, ADZE_DTYPE_NONE, 0, nullptr, nullptr, 0, 0});
  }
  void dimSymbol(int32_t input, int32_t dim, int64_t scale = 1,
                 int64_t shift = 0) {
    symbols.push_back(
        {"s", ADZE_SYMBOL_DIM, input, dim, 0, scale, shift, {0, 0}});
  }
  void symbolFrom(int32_t source, int32_t input = 0) {
    symbols.push_back({"u", source, input, 0, 0, 1, 0, {0, 0}});
  }
  void guard(int32_t kind, int32_t input, int32_t index = 0, int64_t a = 0,
             int64_t b = 0, adze_expr e = {0, 0}, const char *text = nullptr) {
    guards.push_back({"g", "the expression", "program", "the message", kind,
                      input, index, 0, a, b, e, text});
  }
  void result(Dims dims, int32_t dtype = ADZE_FLOAT32,
              const int32_t *order = nullptr) {
    results.push_back(
        {dtype, static_cast<int32_t>(dims.size()), keep(dims), order});
  }
  void resultOutput(int32_t slot) {
    outputs.push_back({"y",
                       ADZE_TENSOR,
                       ADZE_FROM_RESULT,
                       slot,
                       0,
                       0,
                       0,
                       nullptr,
                       nullptr,
                       {0, 0},
                       {0, 0},
                       0,
                       nullptr});
  }
  void viewOutput(int32_t source, int32_t index, Dims dims, Dims strides,
                  int64_t offset, int32_t dtype = ADZE_FLOAT32) {
    outputs.push_back({"y",
                       ADZE_TENSOR,
                       source,
                       index,
                       dtype,
                       static_cast<int32_t>(dims.size()),
                       0,
                       keep(dims),
                       strides.empty() ? nullptr : keep(strides),
                       constant(offset),
                       {0, 0},
                       0,
                       nullptr});
  }
  adze_output &scalarOutput(int32_t kind, int32_t source, int32_t index = 0) {
    outputs.push_back({"y",
                       kind,
                       source,
                       index,
                       0,
                       0,
                       0,
                       nullptr,
                       nullptr,
                       {0, 0},
                       {0, 0},
                       0,
                       nullptr});
    return outputs.back();
  }
  void state(std::vector<int64_t> shape, int32_t initialWeight = -1,
             int32_t dtype = ADZE_FLOAT32) {
    shapes.push_back(std::move(shape));
    states.push_back({"cache", dtype,
                      static_cast<int32_t>(shapes.back().size()),
                      shapes.back().data(), initialWeight, 0});
  }
  void mutation(int32_t slot, int32_t kind, int32_t target) {
    mutations.push_back({slot, kind, target, 0});
  }
  void site(const char *op, const char *location, const char *message) {
    sites.push_back({op, location, message});
  }
  const adze_expr *keep(const Dims &dims) {
    kept.push_back(dims);
    return kept.back().data();
  }

  const adze_program *finish(int32_t (*main)(adze_call *)) {
    program.abi = ADZE_PROGRAM_ABI;
    program.name = "fake";
    program.producer = "test";
    program.target_cpu = "x86-64-v2";
    program.main = main;
    set(program.code, program.code_length, code);
    set(program.inputs, program.input_count, inputs);
    set(program.results, program.result_count, results);
    set(program.outputs, program.output_count, outputs);
    set(program.weights, program.weight_count, weights);
    set(program.states, program.state_count, states);
    set(program.mutations, program.mutation_count, mutations);
    set(program.symbols, program.symbol_count, symbols);
    set(program.guards, program.guard_count, guards);
    set(program.error_sites, program.error_site_count, sites);
    return &program;
  }

  adze_program program{};
  std::vector<int64_t> code;
  std::vector<adze_input> inputs;
  std::vector<adze_result> results;
  std::vector<adze_output> outputs;
  std::vector<adze_weight> weights;
  std::vector<adze_state> states;
  std::vector<adze_mutation> mutations;
  std::vector<adze_symbol> symbols;
  std::vector<adze_guard> guards;
  std::vector<adze_error_site> sites;

private:
  template <typename T>
  static void set(const T *&table, int64_t &count, const std::vector<T> &from) {
    table = from.data();
    count = static_cast<int64_t>(from.size());
  }
  std::deque<Dims> kept;
  std::deque<std::vector<int64_t>> shapes;
};

inline const adze_api &api() { return *adze_rt_get_api(ADZE_API_VERSION); }

/// A loaded model with one session.
class Loaded {
public:
  explicit Loaded(const adze_program *program,
                  const adze_load_options *options = nullptr,
                  const adze_session_options *sessionOptions = nullptr) {
    rt::Model *made = nullptr;
    EXPECT_EQ(rt::loadModel(program, nullptr, options, &made, &error), 0)
        << error.message;
    model = reinterpret_cast<adze_model *>(made);
    EXPECT_EQ(api().session_create(model, sessionOptions, &session, &error), 0)
        << error.message;
  }
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;
  ~Loaded() {
    api().session_release(session);
    api().model_release(model);
  }
  int32_t run(std::vector<adze_value> in, std::vector<adze_value> &out) {
    return api().run(session, in.data(), static_cast<int64_t>(in.size()),
                     out.data(), static_cast<int64_t>(out.size()), &error);
  }
  int32_t run(std::vector<adze_value> in) {
    std::vector<adze_value> none;
    return run(std::move(in), none);
  }
  std::string message() const { return error.message; }

  adze_model *model = nullptr;
  adze_session *session = nullptr;
  adze_error error{};
};

/// A tensor over values of its own.
template <typename T> struct Tensor {
  Tensor(std::vector<int64_t> shape, std::vector<T> values,
         std::vector<int64_t> strides = {})
      : values(std::move(values)), shape(std::move(shape)),
        strides(std::move(strides)) {
    uint8_t code = std::is_floating_point_v<T> ? kDLFloat
                   : std::is_signed_v<T>       ? kDLInt
                                               : kDLUInt;
    dl = {this->values.data(),
          {kDLCPU, 0},
          static_cast<int32_t>(this->shape.size()),
          {code, sizeof(T) * 8, 1},
          this->shape.data(),
          this->strides.empty() ? nullptr : this->strides.data(),
          0};
  }
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;
  operator adze_value() { return adze_tensor(&dl); }

  std::vector<T> values;
  std::vector<int64_t> shape, strides;
  DLTensor dl;
};

/// The elements of a tensor in row-major order.
template <typename T> std::vector<T> elements(const DLTensor &t) {
  int64_t count = 1;
  for (int i = 0; i < t.ndim; ++i)
    count *= t.shape[i];
  std::vector<T> out(static_cast<size_t>(count));
  std::vector<int64_t> strides(static_cast<size_t>(t.ndim));
  rt::rowMajorStrides(t.shape, t.ndim, strides.data());
  for (int64_t i = 0; i < count; ++i) {
    int64_t from = 0;
    for (int d = 0; d < t.ndim; ++d)
      from += i / strides[static_cast<size_t>(d)] % t.shape[d] *
              (t.strides ? t.strides[d] : strides[static_cast<size_t>(d)]);
    out[static_cast<size_t>(i)] = reinterpret_cast<T *>(rt::dataOf(t))[from];
  }
  return out;
}

inline void drop(std::vector<adze_value> &values) {
  for (adze_value &value : values) {
    if (value.kind == ADZE_MANAGED)
      value.as.managed->deleter(value.as.managed);
    value = adze_none();
  }
}

} // namespace adze::test

#endif
