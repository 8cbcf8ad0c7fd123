//===- main.cpp - Runs a compiled model from C++ --------------------------===//
//
// Needs only include/adze/adze.h and the dynamic loader:
//
//   adze compile mlp.pt2
//   c++ -std=c++17 -I ../../include main.cpp -o run -ldl
//   ./run mlp.adze
//
// Fills every input with ones (dims that vary become 2) and prints the
// first elements of every output.
//
//===----------------------------------------------------------------------===//

#include "adze/adze.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

/// One input with the memory it needs.
struct Input {
  std::vector<int64_t> shape;
  std::vector<float> data;
  DLTensor tensor = {};
  adze_value value = adze_none();

  Input(const adze_api &api, const adze_model *model, int64_t index) {
    adze_value_info info;
    api.input_info(model, index, &info);
    if (info.kind == ADZE_INT)
      value = adze_int(1);
    else if (info.kind == ADZE_TENSOR && info.dtype == ADZE_FLOAT32)
      fill(api, model, index, info.rank);
    else
      fail("this example makes ints and float32 tensors only");
  }

private:
  void fill(const adze_api &api, const adze_model *model, int64_t index,
            int32_t rank) {
    int64_t count = 1;
    for (int32_t dim = 0; dim < rank; ++dim) {
      int64_t size = api.input_dim(model, index, dim);
      shape.push_back(size < 0 ? 2 : size);
      count *= shape.back();
    }
    data.assign(static_cast<size_t>(count), 1.0f);
    tensor.data = data.data();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = rank;
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = shape.data();
    value = adze_tensor(&tensor);
  }
};

/// Prints an output and gives its memory back.
void takeOutput(adze_value &output) {
  if (output.kind != ADZE_MANAGED)
    return;
  DLManagedTensor *managed = output.as.managed;
  const DLTensor &tensor = managed->dl_tensor;
  int64_t count = 1;
  std::string shape;
  for (int32_t dim = 0; dim < tensor.ndim; ++dim) {
    count *= tensor.shape[dim];
    shape += (dim ? ", " : "") + std::to_string(tensor.shape[dim]);
  }
  std::printf("[%s]:", shape.c_str());
  if (tensor.dtype.code == kDLFloat && tensor.dtype.bits == 32) {
    const char *bytes = static_cast<const char *>(tensor.data);
    const auto *data =
        reinterpret_cast<const float *>(bytes + tensor.byte_offset);
    for (int64_t i = 0; i < std::min<int64_t>(count, 8); ++i)
      std::printf(" %g", static_cast<double>(data[i]));
  }
  std::printf("\n");
  managed->deleter(managed);
}

const adze_api *openModel(const std::string &folder) {
  void *library = dlopen((folder + "/model.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fail(dlerror());
  auto get = reinterpret_cast<adze_get_api_fn>(dlsym(library, "adze_get_api"));
  const adze_api *api = get ? get(ADZE_API_VERSION) : nullptr;
  if (!api)
    fail("model.so does not offer this version of the interface");
  return api;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    fail("usage: run model.adze");
  const adze_api *api = openModel(argv[1]);
  adze_error error;
  adze_model *model = nullptr;
  adze_session *session = nullptr;
  if (api->model_load(argv[1], nullptr, &model, &error) != ADZE_OK ||
      api->session_create(model, nullptr, &session, &error) != ADZE_OK)
    fail(error.message);

  adze_model_info info;
  api->model_info(model, &info);
  std::vector<Input> inputs;
  inputs.reserve(static_cast<size_t>(info.input_count)); // addresses stay
  std::vector<adze_value> values;
  for (int64_t i = 0; i < info.input_count; ++i) {
    inputs.emplace_back(*api, model, i);
    values.push_back(inputs.back().value);
  }
  std::vector<adze_value> outputs(static_cast<size_t>(info.output_count),
                                  adze_none());
  if (api->run(session, values.data(), info.input_count, outputs.data(),
               info.output_count, &error) != ADZE_OK)
    fail(error.message);
  for (adze_value &output : outputs)
    takeOutput(output);
  api->session_release(session);
  api->model_release(model);
}
