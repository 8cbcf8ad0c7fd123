//===- MutateProgram.cpp - Programs that are wrong in their meaning -------===//

#include "MutateProgram.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace adze {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

class Mutator {
public:
  Mutator(Object &graph, std::mt19937 &random) : random(random) {
    if (const Object *values = graph.getObject("tensor_values"))
      for (const auto &entry : *values)
        names.push_back(entry.first.str());
    for (auto &entry : graph)
      collect(entry.first, entry.second);
  }

  void mutate() {
    if (sites.empty())
      return;
    Site site = sites[random() % sites.size()];
    (this->*site.change)(*site.value);
  }

private:
  using Change = void (Mutator::*)(Value &);
  struct Site {
    Value *value;
    Change change;
  };

  static Change changeOf(llvm::StringRef key);
  void collect(llvm::StringRef key, Value &value);

  void changeInteger(Value &value);
  void changeIntegers(Value &value);
  void changeBool(Value &value) {
    value = !value.getAsBoolean().value_or(true);
  }
  void changeFloat(Value &value);
  void changeText(Value &value);
  void changeDType(Value &value) { value = int64_t(1 + random() % 13); }
  void changeName(Value &value);
  void changeNames(Value &value);
  void changeMeta(Value &value);
  void changeInputs(Value &value);

  int64_t anyInteger();
  template <size_t n> auto pick(const char *const (&list)[n]) {
    return list[random() % n];
  }

  std::mt19937 &random;
  std::vector<std::string> names;
  std::vector<Site> sites;
};

} // namespace

Mutator::Change Mutator::changeOf(llvm::StringRef key) {
  constexpr std::pair<const char *, Change> changes[] = {
      {"as_int", &Mutator::changeInteger},
      {"as_ints", &Mutator::changeIntegers},
      {"as_bool", &Mutator::changeBool},
      {"as_float", &Mutator::changeFloat},
      {"as_string", &Mutator::changeText},
      {"as_scalar_type", &Mutator::changeDType},
      {"dtype", &Mutator::changeDType},
      {"as_tensor", &Mutator::changeName},
      {"as_tensors", &Mutator::changeNames},
      {"inputs", &Mutator::changeInputs}};
  for (auto [name, change] : changes)
    if (key == name)
      return change;
  return nullptr;
}

/// The places that can be changed; those of results and signatures stay.
void Mutator::collect(llvm::StringRef key, Value &value) {
  if (Change change = changeOf(key))
    sites.push_back({&value, change});
  if (key == "metadata" || key == "outputs" || key == "as_tensor")
    return;
  if (Object *object = value.getAsObject()) {
    if (object->getArray("sizes"))
      for (int i = 0; i < 4; ++i) // ranks matter most
        sites.push_back({&value, &Mutator::changeMeta});
    for (auto &entry : *object)
      collect(entry.first, entry.second);
  }
  if (Array *array = value.getAsArray())
    for (Value &item : *array)
      collect("", item);
}

int64_t Mutator::anyInteger() {
  constexpr int64_t numbers[] = {0,  1,  2,  3,  4,  5,         7,
                                 -1, -2, -3, -7, 64, 1ll << 31, 1ll << 40,
                                 1,  0,  2,  -1, 3,  INT64_MAX, INT64_MIN};
  return numbers[random() % std::size(numbers)];
}

void Mutator::changeInteger(Value &value) { value = anyInteger(); }

void Mutator::changeIntegers(Value &value) {
  Array *list = value.getAsArray();
  if (!list)
    return;
  if (list->empty() || random() % 3 == 0)
    list->push_back(anyInteger());
  else if (random() % 2)
    list->pop_back();
  else
    (*list)[random() % list->size()] = anyInteger();
}

void Mutator::changeFloat(Value &value) {
  constexpr double numbers[] = {0, -1, 0.5, 2, 1e300, -1e-300};
  value = numbers[random() % std::size(numbers)];
}

void Mutator::changeText(Value &value) {
  value = pick({"mean", "sum", "none", "max", "trunc", "floor", "reflect",
                "bilinear", "tanh", "", "ij,jk->ik", "...i,i", "prod"});
}

void Mutator::changeName(Value &value) {
  Object *object = value.getAsObject();
  if (object && !names.empty())
    (*object)["name"] = names[random() % names.size()];
}

void Mutator::changeNames(Value &value) {
  Array *list = value.getAsArray();
  if (!list || names.empty())
    return;
  if (!list->empty() && random() % 2)
    list->pop_back();
  else
    list->push_back(Object{{"name", names[random() % names.size()]}});
}

/// Adds or takes away a dim, or changes a size.
void Mutator::changeMeta(Value &value) {
  Array *sizes = value.getAsObject()->getArray("sizes"),
        *strides = value.getAsObject()->getArray("strides");
  if (!sizes || !strides || sizes->size() != strides->size())
    return;
  constexpr int64_t few[] = {0, 1, 2, 3, 5};
  Value size = Object{{"as_int", few[random() % 5]}};
  if (sizes->empty() || random() % 3 == 0) {
    sizes->insert(sizes->begin(), size);
    strides->push_back(Object{{"as_int", 1}});
  } else if (random() % 2) {
    sizes->pop_back();
    strides->pop_back();
  } else {
    (*sizes)[random() % sizes->size()] = size;
  }
}

/// Drops an argument of a call, or makes it None.
void Mutator::changeInputs(Value &value) {
  Array *list = value.getAsArray();
  if (!list || list->empty())
    return;
  size_t at = random() % list->size();
  Object *argument = (*list)[at].getAsObject();
  if (!argument || !argument->getObject("arg"))
    return;
  if (random() % 2)
    list->erase(list->begin() + at);
  else
    (*argument)["arg"] = Object{{"as_none", true}};
}

std::string mutateProgram(llvm::StringRef json, std::mt19937 &random) {
  auto root = llvm::json::parse(json);
  if (!root) {
    llvm::consumeError(root.takeError());
    return json.str();
  }
  Object *program = root->getAsObject();
  Object *module = program ? program->getObject("graph_module") : nullptr;
  Object *graph = module ? module->getObject("graph") : nullptr;
  for (size_t i = 1 + random() % 4; graph && i > 0; --i)
    Mutator(*graph, random).mutate(); // its places change with the graph
  return llvm::formatv("{0}", *root).str();
}

} // namespace adze
