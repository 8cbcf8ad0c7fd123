//===- Pickle.cpp - A pickle reader that runs nothing ---------------------===//
//
// A stack machine over the opcodes that torch.save writes. REDUCE, NEWOBJ and
// BUILD never call anything: PickleObjects.cpp recognises a closed list of
// constructors, everything else stays an opaque object.
//
//===----------------------------------------------------------------------===//

#include "adze/Frontend/Pickle.h"

#include "PickleObjects.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

namespace adze::frontend {

const PickleValue *PickleValue::lookup(llvm::StringRef key) const {
  if (kind != PickleKind::Dict)
    return nullptr;
  for (size_t i = 0; i + 1 < items.size(); i += 2)
    if (items[i]->kind == PickleKind::String && items[i]->text == key)
      return items[i + 1];
  return nullptr;
}

namespace {

constexpr size_t maxBytes = size_t(256) << 20;
constexpr size_t maxValues = size_t(1) << 20;
constexpr size_t maxTextBytes = size_t(128) << 20;

enum Opcode : uint8_t {
  Mark = '(',
  Stop = '.',
  Pop = '0',
  PopMark = '1',
  Dup = '2',
  BinFloat = 'G',
  BinInt = 'J',
  BinInt1 = 'K',
  BinInt2 = 'M',
  None = 'N',
  BinPersId = 'Q',
  Reduce = 'R',
  BinUnicode = 'X',
  BinBytes = 'B',
  ShortBinBytes = 'C',
  Append = 'a',
  Build = 'b',
  Global = 'c',
  Appends = 'e',
  BinGet = 'h',
  LongBinGet = 'j',
  List = 'l',
  EmptyList = ']',
  BinPut = 'q',
  LongBinPut = 'r',
  SetItem = 's',
  Tuple = 't',
  EmptyTuple = ')',
  SetItems = 'u',
  EmptyDict = '}',
  Proto = 0x80,
  NewObj = 0x81,
  Tuple1 = 0x85,
  Tuple2 = 0x86,
  Tuple3 = 0x87,
  NewTrue = 0x88,
  NewFalse = 0x89,
  Long1 = 0x8a,
  Long4 = 0x8b,
  ShortBinUnicode = 0x8c,
  BinUnicode8 = 0x8d,
  StackGlobal = 0x93,
  Memoize = 0x94,
  Frame = 0x95,
};

class Unpickler {
public:
  explicit Unpickler(Bytes bytes)
      : bytes(bytes), pickle(std::make_unique<Pickle>()) {}

  llvm::Expected<std::unique_ptr<Pickle>> run();

private:
  // Each returns false after `fail`.
  bool fail(const llvm::Twine &why);
  bool step(uint8_t opcode);
  bool stepConstant(uint8_t opcode);
  bool stepText(uint8_t opcode);
  bool stepContainer(uint8_t opcode);
  bool stepMemo(uint8_t opcode);
  bool stepObject(uint8_t opcode);

  bool take(size_t count, const uint8_t *&data);
  bool takeInteger(unsigned size, uint64_t &value);
  bool takeLine(std::string &line);

  PickleValue *make(PickleKind kind);
  bool push(PickleValue *value);
  bool pushInteger(int64_t value);
  bool pushText(PickleKind kind, uint64_t size);
  bool pushLong(uint64_t size);
  bool pushTuple(size_t count);
  bool pop(PickleValue *&value);
  /// What stands above the topmost mark, which goes too.
  bool popMark(std::vector<PickleValue *> &items);
  bool extend(PickleKind kind, std::vector<PickleValue *> items);
  bool getMemo(uint64_t index);
  bool putMemo(uint64_t index);
  bool pushGlobal(llvm::StringRef module, llvm::StringRef name);
  bool stackGlobal();
  bool persistentId();
  bool call(bool isNewObject);
  bool build();

  Bytes bytes;
  size_t at = 0;
  std::unique_ptr<Pickle> pickle;
  std::vector<PickleValue *> stack;
  std::vector<size_t> marks; // heights of the stack
  llvm::DenseMap<uint64_t, PickleValue *> memo;
  size_t textBytes = 0;
  std::string message;
};

} // namespace

bool Unpickler::fail(const llvm::Twine &why) {
  if (message.empty())
    message = ("pickle at byte " + llvm::Twine(at) + ": " + why).str();
  return false;
}

bool Unpickler::take(size_t count, const uint8_t *&data) {
  if (count > bytes.size() - at)
    return fail("ends " + llvm::Twine(count - (bytes.size() - at)) +
                " bytes too early");
  data = bytes.data() + at;
  at += count;
  return true;
}

bool Unpickler::takeInteger(unsigned size, uint64_t &value) {
  const uint8_t *data = nullptr;
  if (!take(size, data))
    return false;
  value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= uint64_t(data[i]) << (8 * i);
  return true;
}

bool Unpickler::takeLine(std::string &line) {
  size_t end = asText(bytes).find('\n', at);
  if (end == llvm::StringRef::npos)
    return fail("line does not end");
  line = asText(bytes.slice(at, end - at)).str();
  at = end + 1;
  return true;
}

PickleValue *Unpickler::make(PickleKind kind) {
  if (pickle->values.size() >= maxValues) {
    fail("more than " + llvm::Twine(maxValues) + " values");
    return nullptr;
  }
  PickleValue &value = pickle->values.emplace_back();
  value.kind = kind;
  return &value;
}

bool Unpickler::push(PickleValue *value) {
  if (value && stack.size() >= maxValues)
    return fail("stack is too high");
  if (value)
    stack.push_back(value);
  return value;
}

bool Unpickler::pushInteger(int64_t integer) {
  PickleValue *value = make(PickleKind::Int);
  if (value)
    value->integer = integer;
  return push(value);
}

bool Unpickler::pushText(PickleKind kind, uint64_t size) {
  const uint8_t *data = nullptr;
  if (!take(size, data))
    return false;
  textBytes += size;
  if (textBytes > maxTextBytes)
    return fail("more than " + llvm::Twine(maxTextBytes) + " bytes of text");
  PickleValue *value = make(kind);
  if (value)
    value->text.assign(reinterpret_cast<const char *>(data), size);
  return push(value);
}

/// Little-endian two's complement of any length; only 64 bits are supported.
bool Unpickler::pushLong(uint64_t size) {
  const uint8_t *data = nullptr;
  if (!take(size, data))
    return false;
  bool isNegative = size && (data[size - 1] & 0x80);
  uint64_t value = isNegative ? ~uint64_t(0) : 0;
  for (uint64_t i = 0; i < size; ++i) {
    if (i >= 8 && data[i] != (isNegative ? 0xff : 0))
      return fail("integer does not fit 64 bits");
    if (i < 8)
      value = (value & ~(uint64_t(0xff) << (8 * i))) |
              (uint64_t(data[i]) << (8 * i));
  }
  return pushInteger(static_cast<int64_t>(value));
}

bool Unpickler::pop(PickleValue *&value) {
  size_t floor = marks.empty() ? 0 : marks.back();
  if (stack.size() <= floor)
    return fail("stack is empty");
  value = stack.back();
  stack.pop_back();
  return true;
}

bool Unpickler::popMark(std::vector<PickleValue *> &items) {
  if (marks.empty())
    return fail("there is no mark on the stack");
  size_t height = marks.back();
  marks.pop_back();
  items.assign(stack.begin() + height, stack.end());
  stack.resize(height);
  return true;
}

bool Unpickler::pushTuple(size_t count) {
  PickleValue *tuple = make(PickleKind::Tuple);
  if (!tuple)
    return false;
  tuple->items.resize(count);
  for (size_t i = count; i-- > 0;)
    if (!pop(tuple->items[i]))
      return false;
  return push(tuple);
}

/// Appends to the list or dict on top of the stack. What is appended to an
/// opaque object means something to its class only, and is dropped.
bool Unpickler::extend(PickleKind kind, std::vector<PickleValue *> items) {
  if (stack.size() <= (marks.empty() ? 0 : marks.back()))
    return fail("stack is empty");
  PickleValue *target = stack.back();
  if (target->kind == PickleKind::Object)
    return true;
  if (target->kind != kind)
    return fail("items are added to what is no container");
  if (kind == PickleKind::Dict && items.size() % 2)
    return fail("a key has no value");
  llvm::append_range(target->items, items);
  return true;
}

bool Unpickler::getMemo(uint64_t index) {
  auto found = memo.find(index);
  if (found == memo.end())
    return fail("memo " + llvm::Twine(index) + " is not set");
  return push(found->second);
}

bool Unpickler::putMemo(uint64_t index) {
  if (stack.empty())
    return fail("stack is empty");
  if (index >= maxValues)
    return fail("memo " + llvm::Twine(index) + " exceeds the limit of " +
                llvm::Twine(maxValues));
  memo[index] = stack.back();
  return true;
}

bool Unpickler::pushGlobal(llvm::StringRef module, llvm::StringRef name) {
  PickleValue *value = make(PickleKind::Global);
  if (value)
    value->text = (module + " " + name).str();
  return push(value);
}

bool Unpickler::stackGlobal() {
  PickleValue *name = nullptr, *module = nullptr;
  if (!pop(name) || !pop(module))
    return false;
  if (name->kind != PickleKind::String || module->kind != PickleKind::String)
    return fail("expected the name of a class");
  return pushGlobal(module->text, name->text);
}

bool Unpickler::persistentId() {
  PickleValue *id = nullptr;
  PickleValue *storage = make(PickleKind::Storage);
  if (!storage || !pop(id))
    return false;
  if (llvm::Error error = readStorageId(*id, *storage))
    return fail(llvm::toString(std::move(error)));
  return push(storage);
}

bool Unpickler::call(bool isNewObject) {
  PickleValue *arguments = nullptr, *callee = nullptr;
  PickleValue *result = make(PickleKind::Object);
  if (!result || !pop(arguments) || !pop(callee))
    return false;
  if (llvm::Error error =
          applyConstructor(*callee, *arguments, isNewObject, *result))
    return fail(llvm::toString(std::move(error)));
  return push(result);
}

/// The state of dicts and tensors is dropped: it holds nothing that counts.
bool Unpickler::build() {
  PickleValue *state = nullptr;
  if (!pop(state))
    return false;
  if (stack.empty())
    return fail("stack is empty");
  if (stack.back()->kind == PickleKind::Object)
    stack.back()->items.push_back(state);
  return true;
}

bool Unpickler::stepConstant(uint8_t opcode) {
  uint64_t value = 0;
  switch (opcode) {
  case Opcode::None:
    return push(make(PickleKind::None));
  case NewTrue:
  case NewFalse: {
    PickleValue *flag = make(PickleKind::Bool);
    if (flag)
      flag->integer = opcode == NewTrue;
    return push(flag);
  }
  case BinInt:
    return takeInteger(4, value) &&
           pushInteger(static_cast<int32_t>(static_cast<uint32_t>(value)));
  case BinInt1:
    return takeInteger(1, value) && pushInteger(value);
  case BinInt2:
    return takeInteger(2, value) && pushInteger(value);
  case Long1:
    return takeInteger(1, value) && pushLong(value);
  case Long4:
    return takeInteger(4, value) && pushLong(value);
  default: { // BinFloat, the only big-endian number
    const uint8_t *data = nullptr;
    PickleValue *number = make(PickleKind::Float);
    if (!number || !take(8, data))
      return false;
    number->real =
        llvm::bit_cast<double>(llvm::support::endian::read64be(data));
    return push(number);
  }
  }
}

bool Unpickler::stepText(uint8_t opcode) {
  uint64_t size = 0;
  switch (opcode) {
  case ShortBinBytes:
    return takeInteger(1, size) && pushText(PickleKind::Bytes, size);
  case BinBytes:
    return takeInteger(4, size) && pushText(PickleKind::Bytes, size);
  case ShortBinUnicode:
    return takeInteger(1, size) && pushText(PickleKind::String, size);
  case BinUnicode8:
    return takeInteger(8, size) && pushText(PickleKind::String, size);
  default:
    return takeInteger(4, size) && pushText(PickleKind::String, size);
  }
}

bool Unpickler::stepContainer(uint8_t opcode) {
  std::vector<PickleValue *> items;
  PickleValue *first = nullptr, *second = nullptr;
  switch (opcode) {
  case EmptyTuple:
    return pushTuple(0);
  case Tuple1:
  case Tuple2:
  case Tuple3:
    return pushTuple(opcode - Tuple1 + 1);
  case Opcode::Tuple:
  case Opcode::List: {
    PickleValue *value =
        make(opcode == Opcode::List ? PickleKind::List : PickleKind::Tuple);
    return value && popMark(value->items) && push(value);
  }
  case EmptyList:
    return push(make(PickleKind::List));
  case EmptyDict:
    return push(make(PickleKind::Dict));
  case Append:
    return pop(first) && extend(PickleKind::List, {first});
  case Appends:
    return popMark(items) && extend(PickleKind::List, std::move(items));
  case SetItem:
    return pop(second) && pop(first) &&
           extend(PickleKind::Dict, {first, second});
  default: // SetItems
    return popMark(items) && extend(PickleKind::Dict, std::move(items));
  }
}

bool Unpickler::stepMemo(uint8_t opcode) {
  uint64_t index = 0;
  switch (opcode) {
  case BinPut:
    return takeInteger(1, index) && putMemo(index);
  case LongBinPut:
    return takeInteger(4, index) && putMemo(index);
  case Memoize:
    return putMemo(memo.size());
  case BinGet:
    return takeInteger(1, index) && getMemo(index);
  default: // LongBinGet
    return takeInteger(4, index) && getMemo(index);
  }
}

bool Unpickler::stepObject(uint8_t opcode) {
  std::string module, name;
  switch (opcode) {
  case Opcode::Global:
    return takeLine(module) && takeLine(name) && pushGlobal(module, name);
  case StackGlobal:
    return stackGlobal();
  case BinPersId:
    return persistentId();
  case Opcode::Build:
    return build();
  default: // Reduce, NewObj
    return call(opcode == NewObj);
  }
}

bool Unpickler::step(uint8_t opcode) {
  uint64_t ignored = 0;
  PickleValue *value = nullptr;
  std::vector<PickleValue *> items;
  switch (opcode) {
  case Proto:
    return takeInteger(1, ignored) &&
           ((ignored >= 2 && ignored <= 5) ||
            fail("expected protocol 2 to 5, but found " +
                 llvm::Twine(ignored)));
  case Frame:
    return takeInteger(8, ignored);
  case Mark:
    if (marks.size() >= maxValues)
      return fail("too many marks");
    marks.push_back(stack.size());
    return true;
  case Pop:
    return pop(value);
  case PopMark:
    return popMark(items);
  case Dup:
    return pop(value) && push(value) && push(value);
  case Opcode::None:
  case NewTrue:
  case NewFalse:
  case BinInt:
  case BinInt1:
  case BinInt2:
  case Long1:
  case Long4:
  case BinFloat:
    return stepConstant(opcode);
  case BinUnicode:
  case ShortBinUnicode:
  case BinUnicode8:
  case BinBytes:
  case ShortBinBytes:
    return stepText(opcode);
  case EmptyTuple:
  case Tuple1:
  case Tuple2:
  case Tuple3:
  case Opcode::Tuple:
  case Opcode::List:
  case EmptyList:
  case EmptyDict:
  case Append:
  case Appends:
  case SetItem:
  case SetItems:
    return stepContainer(opcode);
  case BinPut:
  case LongBinPut:
  case Memoize:
  case BinGet:
  case LongBinGet:
    return stepMemo(opcode);
  case Opcode::Global:
  case StackGlobal:
  case BinPersId:
  case Opcode::Build:
  case Reduce:
  case NewObj:
    return stepObject(opcode);
  default:
    return fail(llvm::formatv("opcode {0:x2} is not allowed", opcode).str());
  }
}

llvm::Expected<std::unique_ptr<Pickle>> Unpickler::run() {
  if (bytes.size() > maxBytes)
    return inputFault("", "pickle of " + llvm::Twine(bytes.size()) +
                              " bytes exceeds the limit of " +
                              llvm::Twine(maxBytes));
  while (true) {
    uint64_t opcode = 0;
    if (!takeInteger(1, opcode))
      return inputFault("", message);
    if (opcode == Stop)
      break;
    if (!step(opcode))
      return inputFault("", message);
  }
  if (!pop(pickle->root))
    return inputFault("", message);
  return std::move(pickle);
}

llvm::Expected<std::unique_ptr<Pickle>> parsePickle(Bytes bytes) {
  return Unpickler(bytes).run();
}

} // namespace adze::frontend
