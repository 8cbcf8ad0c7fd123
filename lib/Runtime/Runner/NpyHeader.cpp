//===- NpyHeader.cpp - The header of a .npy file --------------------------===//
//
// "\x93NUMPY", major, minor, length of the text (2 or 4 bytes), then a Python
// dict: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
//===----------------------------------------------------------------------===//

#include "lib/Runtime/Runner/Npy.h"

#include <cstdio>
#include <cstring>

using namespace adze::runner;

namespace {

/// Reads the dict, which is a literal of three known keys in any order.
class HeaderParser {
public:
  HeaderParser(Bytes text, const char *file, NpyHeader &header,
               Failure &failure)
      : next(text.data), end(text.data + text.size), file(file), header(header),
        failure(failure) {}

  bool parse();

private:
  bool malformed(const char *what) {
    return fail(failure, DiagId::BadArrays, "'%s': its header %s", file, what);
  }
  void skipSpace() {
    while (next != end && strchr(" \t\r\n", *next) && *next)
      ++next;
  }
  bool peek(const char *token) {
    skipSpace();
    size_t size = strlen(token);
    return static_cast<size_t>(end - next) >= size &&
           !memcmp(next, token, size);
  }
  bool consume(const char *token) {
    if (!peek(token))
      return false;
    next += strlen(token);
    return true;
  }

  bool parseString(char (&text)[32]);
  bool parseSize(int64_t &size);
  bool parseEntry();
  bool parseDescr();
  bool parseFortranOrder();
  bool parseShape();

  const char *next, *end, *file;
  NpyHeader &header;
  Failure &failure;
  unsigned seen = 0; // one bit per key
};

} // namespace

bool HeaderParser::parse() {
  if (!consume("{"))
    return malformed("is no dict");
  while (!consume("}")) {
    if (!parseEntry())
      return false;
    if (!consume(",") && !peek("}"))
      return malformed("has no ',' or '}' after an entry");
  }
  skipSpace();
  if (next != end)
    return malformed("goes on after the dict");
  return seen == 7 || malformed("lacks descr, fortran_order or shape");
}

/// What is longer than any key or type is cut, and then unknown.
bool HeaderParser::parseString(char (&text)[32]) {
  char quote = consume("\"") ? '"' : '\'';
  if (quote == '\'' && !consume("'"))
    return malformed("has something else where a string should be (is it an "
                     "array of records?)");
  size_t size = 0;
  for (; next != end && *next != quote; ++next)
    if (size + 1 < sizeof(text))
      text[size++] = *next ? *next : '?';
  text[size] = 0;
  if (next == end)
    return malformed("has a string without an end");
  ++next;
  return true;
}

bool HeaderParser::parseEntry() {
  char key[32];
  if (!parseString(key))
    return false;
  if (!consume(":"))
    return malformed("has no ':' after a key");
  if (!strcmp(key, "descr"))
    return parseDescr();
  if (!strcmp(key, "fortran_order"))
    return parseFortranOrder();
  if (!strcmp(key, "shape"))
    return parseShape();
  return fail(failure, DiagId::BadArrays,
              "'%s': its header has the unknown key '%s'", file, key);
}

bool HeaderParser::parseDescr() {
  seen |= 1;
  char descr[32], little[32];
  if (!parseString(descr))
    return false;
  memcpy(little, descr, sizeof(little));
  header.isSwapped = *little == '>';
  if (*little == '>' || *little == '=')
    *little = '<';
  header.type = findByDescr(little);
  return header.type ||
         fail(failure, DiagId::BadArrays,
              "'%s': expected elements of a number type, but found '%s', "
              "which adze does not read",
              file, descr);
}

bool HeaderParser::parseFortranOrder() {
  seen |= 2;
  header.isFortranOrder = consume("True");
  return header.isFortranOrder || consume("False") ||
         malformed("has a fortran_order that is neither True nor False");
}

bool HeaderParser::parseSize(int64_t &size) {
  skipSpace();
  const char *begin = next;
  for (size = 0; next != end && *next >= '0' && *next <= '9'; ++next)
    if (__builtin_mul_overflow(size, 10, &size) ||
        __builtin_add_overflow(size, *next - '0', &size))
      return malformed("has a size that does not fit 64 bits");
  if (next == begin)
    return malformed("has a shape that holds something that is no size");
  (void)consume("L"); // written by Python 2
  return true;
}

bool HeaderParser::parseShape() {
  seen |= 4;
  header.rank = 0;
  if (!consume("("))
    return malformed("has a shape that is no tuple");
  while (!consume(")")) {
    if (header.rank == MaxRank)
      return malformed("has a shape of more than 64 dims");
    if (!parseSize(header.shape[header.rank++]))
      return false;
    if (!consume(",") && !peek(")"))
      return malformed("has no ',' or ')' after a size");
  }
  return true;
}

static uint64_t readLittle(const char *bytes, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
  return value;
}

bool adze::runner::parseNpyHeader(Bytes bytes, const char *file,
                                  NpyHeader &header, Failure &failure) {
  if (bytes.size < 10 || memcmp(bytes.data, "\x93NUMPY", 6))
    return fail(failure, DiagId::BadArrays,
                "'%s': it does not begin as a NumPy array does", file);
  int major = static_cast<uint8_t>(bytes.data[6]);
  if (major < 1 || major > 3)
    return fail(failure, DiagId::BadArrays,
                "'%s': expected format 1, 2 or 3, but found %d", file, major);
  uint64_t prefix = major == 1 ? 10 : 12;
  if (bytes.size < prefix)
    return fail(failure, DiagId::BadArrays, "'%s': its header is cut off",
                file);
  uint64_t length = readLittle(bytes.data + 8, major == 1 ? 2 : 4);
  if (length > bytes.size - prefix)
    return fail(failure, DiagId::BadArrays,
                "'%s': its header is cut off: expected %llu bytes, but found "
                "%llu",
                file, static_cast<unsigned long long>(length),
                static_cast<unsigned long long>(bytes.size - prefix));
  header.bytes = prefix + length;
  return HeaderParser({bytes.data + prefix, length}, file, header, failure)
      .parse();
}

NpyText adze::runner::makeNpyHeader(const Array &array) {
  NpyText out;
  char *dict = out.text + 10;
  size_t room = sizeof(out.text) - 10, used = 0;
  auto add = [&](const char *format, auto... values) {
    used += static_cast<size_t>(
        snprintf(dict + used, room - used, format, values...));
  };
  add("{'descr': '%s', 'fortran_order': False, 'shape': (", array.type->descr);
  for (int32_t i = 0; i < array.rank; ++i)
    add("%s%lld", i ? ", " : "", static_cast<long long>(array.shape[i]));
  add("%s", array.rank == 1 ? ",), }" : "), }");
  out.size = (10 + used + 1 + 63) / 64 * 64;
  memset(dict + used, ' ', out.size - 10 - used);
  out.text[out.size - 1] = '\n';
  size_t length = out.size - 10;
  memcpy(out.text, "\x93NUMPY\x01\x00", 8);
  out.text[8] = static_cast<char>(length & 0xff);
  out.text[9] = static_cast<char>(length >> 8);
  return out;
}
