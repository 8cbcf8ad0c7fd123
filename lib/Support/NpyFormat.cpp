//===- NpyFormat.cpp - The header of a .npy file --------------------------===//
//
// "\x93NUMPY", major, minor, length of the text (2 or 4 bytes), then a Python
// dict: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
//===----------------------------------------------------------------------===//

#include "NpyFormat.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

namespace adze {

static llvm::Error malformed(const llvm::Twine &what) {
  return llvm::createStringError(what);
}

namespace {

/// Reads the dict, which is a literal of three known keys in any order.
class HeaderParser {
public:
  HeaderParser(llvm::StringRef text, NpyHeader &header)
      : rest(text), header(header) {}

  llvm::Error parse() {
    if (!consume("{"))
      return malformed("its header is no dict");
    while (!consume("}")) {
      if (llvm::Error failure = parseEntry())
        return failure;
      if (!consume(",") && !peek("}"))
        return malformed("its header has no ',' or '}' after an entry");
    }
    if (!rest.trim().empty())
      return malformed("its header goes on after the dict");
    if (seen != 7)
      return malformed("its header lacks descr, fortran_order or shape");
    return llvm::Error::success();
  }

private:
  bool peek(llvm::StringRef token) {
    rest = rest.ltrim(" \t\r\n");
    return rest.starts_with(token);
  }

  bool consume(llvm::StringRef token) {
    return peek(token) && rest.consume_front(token);
  }

  llvm::Expected<llvm::StringRef> parseString() {
    bool isDouble = consume("\"");
    if (!isDouble && !consume("'"))
      return malformed("its header has something else where a string should "
                       "be (is it an array of records?)");
    auto [text, tail] = rest.split(isDouble ? '"' : '\'');
    rest = tail;
    return text;
  }

  llvm::Error parseEntry() {
    llvm::Expected<llvm::StringRef> key = parseString();
    if (!key)
      return key.takeError();
    if (!consume(":"))
      return malformed("its header has no ':' after '" + *key + "'");
    if (*key == "descr")
      return parseDescr();
    if (*key == "fortran_order")
      return parseFortranOrder();
    if (*key == "shape")
      return parseShape();
    return malformed("its header has the unknown key '" + *key + "'");
  }

  llvm::Error parseDescr() {
    seen |= 1;
    llvm::Expected<llvm::StringRef> descr = parseString();
    if (!descr)
      return descr.takeError();
    std::string little = descr->str();
    if (little.size() > 1 && (little[0] == '>' || little[0] == '=')) {
      header.swapped = little[0] == '>';
      little[0] = '<';
    }
    std::optional<DType> dtype = dtypeFromNumpy(little);
    if (!dtype)
      return malformed("it has elements of type '" + *descr +
                       "', which adze does not read");
    header.dtype = *dtype;
    return llvm::Error::success();
  }

  llvm::Error parseFortranOrder() {
    seen |= 2;
    header.fortranOrder = consume("True");
    if (!header.fortranOrder && !consume("False"))
      return malformed("its fortran_order is neither True nor False");
    return llvm::Error::success();
  }

  llvm::Error parseShape() {
    seen |= 4;
    header.shape.clear();
    if (!consume("("))
      return malformed("its shape is no tuple");
    while (!consume(")")) {
      int64_t size;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, size) || size < 0)
        return malformed("its shape holds something that is no size");
      (void)rest.consume_front("L"); // written by Python 2
      header.shape.push_back(size);
      if (header.shape.size() > 64)
        return malformed("its shape has more than 64 dims");
      if (!consume(",") && !peek(")"))
        return malformed("its shape has no ',' or ')' after a size");
    }
    return llvm::Error::success();
  }

  llvm::StringRef rest;
  NpyHeader &header;
  unsigned seen = 0; // one bit per key
};

} // namespace

llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes) {
  llvm::StringRef magic("\x93NUMPY", 6);
  if (!bytes.starts_with(magic) || bytes.size() < 10)
    return malformed("it does not begin as a NumPy array does");
  unsigned major = static_cast<uint8_t>(bytes[6]);
  if (major < 1 || major > 3)
    return malformed("it has format " + llvm::Twine(major) +
                     "; 1, 2 and 3 are known");
  size_t prefix = major == 1 ? 10 : 12;
  if (bytes.size() < prefix)
    return malformed("its header is cut off");
  uint64_t length = major == 1
                        ? llvm::support::endian::read16le(bytes.data() + 8)
                        : llvm::support::endian::read32le(bytes.data() + 8);
  if (length > bytes.size() - prefix)
    return malformed("its header is cut off or longer than 64 KiB");
  NpyHeader header;
  header.headerBytes = static_cast<int64_t>(prefix + length);
  if (llvm::Error failure =
          HeaderParser(bytes.substr(prefix, length), header).parse())
    return std::move(failure);
  return header;
}

std::string makeNpyHeader(DType dtype, llvm::ArrayRef<int64_t> shape) {
  std::string dict = "{'descr': '" + getInfo(dtype).numpyDescr.str() +
                     "', 'fortran_order': False, 'shape': (";
  llvm::ListSeparator separator;
  for (int64_t size : shape)
    dict += llvm::StringRef(separator).str() + std::to_string(size);
  dict += shape.size() == 1 ? ",), }" : "), }";
  size_t total = (10 + dict.size() + 1 + 63) / 64 * 64;
  dict.append(total - 10 - dict.size() - 1, ' ');
  dict += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dict.size() & 0xff);
  header += static_cast<char>(dict.size() >> 8);
  return header + dict;
}

} // namespace adze
