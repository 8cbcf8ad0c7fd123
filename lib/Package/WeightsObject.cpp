//===- WeightsObject.cpp - Weights as an object file ----------------------===//
//
// LLVM would hold the bytes in memory several times over; an ELF file with one
// section and one symbol is soon written.
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include "adze/Codegen/ProgramTables.h"
#include "adze/Support/Diagnostics.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace adze {

namespace ELF = llvm::ELF;

namespace {
enum Section { Null, Weights, Symbols, Strings, SectionNames, NumSections };
} // namespace

static ELF::Elf64_Ehdr fileHeader(uint64_t sectionTable) {
  ELF::Elf64_Ehdr header = {};
  const unsigned char identity[] = {
      0x7f, 'E', 'L', 'F', ELF::ELFCLASS64, ELF::ELFDATA2LSB, ELF::EV_CURRENT};
  std::copy(std::begin(identity), std::end(identity), header.e_ident);
  header.e_type = ELF::ET_REL;
  header.e_machine = ELF::EM_X86_64;
  header.e_version = ELF::EV_CURRENT;
  header.e_shoff = sectionTable;
  header.e_ehsize = sizeof(ELF::Elf64_Ehdr);
  header.e_shentsize = sizeof(ELF::Elf64_Shdr);
  header.e_shnum = NumSections;
  header.e_shstrndx = SectionNames;
  return header;
}

static ELF::Elf64_Shdr section(uint32_t name, uint32_t type, uint64_t flags,
                               uint64_t offset, uint64_t size,
                               uint64_t alignment) {
  ELF::Elf64_Shdr header = {};
  header.sh_name = name;
  header.sh_type = type;
  header.sh_flags = flags;
  header.sh_offset = offset;
  header.sh_size = size;
  header.sh_addralign = alignment;
  return header;
}

template <typename T>
static void writeRaw(llvm::raw_ostream &os, const T &value) {
  os.write(reinterpret_cast<const char *>(&value), sizeof(value));
}

llvm::Error writeWeightsObject(llvm::StringRef weights, llvm::StringRef path) {
  auto data = llvm::MemoryBuffer::getFile(weights, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!data)
    return makeFileError(DiagId::CannotRead, weights, data.getError());
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return makeFileError(DiagId::CannotWrite, path, code);

  static constexpr char nameBytes[] =
      "\0.lrodata.weights\0.symtab\0.strtab\0.shstrtab";
  constexpr llvm::StringRef names(nameBytes, sizeof(nameBytes));
  std::string strings = std::string(1, '\0') + embeddedWeightsName.str() + '\0';
  uint64_t size = (*data)->getBufferSize();
  uint64_t begin = llvm::alignTo(sizeof(ELF::Elf64_Ehdr), 64);
  uint64_t symbolsAt = llvm::alignTo(begin + size, 8);
  uint64_t stringsAt = symbolsAt + 2 * sizeof(ELF::Elf64_Sym);
  uint64_t namesAt = stringsAt + strings.size();
  uint64_t tableAt = llvm::alignTo(namesAt + names.size(), 8);

  writeRaw(os, fileHeader(tableAt));
  os.write_zeros(begin - os.tell());
  os << (*data)->getBuffer();
  os.write_zeros(symbolsAt - os.tell());
  ELF::Elf64_Sym symbol = {};
  writeRaw(os, symbol);
  symbol.st_name = 1;
  symbol.setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
  symbol.st_other = ELF::STV_HIDDEN;
  symbol.st_shndx = Weights;
  symbol.st_size = size;
  writeRaw(os, symbol);
  os << strings << names;
  os.write_zeros(tableAt - os.tell());

  writeRaw(os, ELF::Elf64_Shdr{});
  // A large section lies apart from code and constants, which reach 2 GiB.
  writeRaw(os,
           section(1, ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_X86_64_LARGE,
                   begin, size, 64));
  ELF::Elf64_Shdr symbols =
      section(18, ELF::SHT_SYMTAB, 0, symbolsAt, 2 * sizeof(ELF::Elf64_Sym), 8);
  symbols.sh_link = Strings;
  symbols.sh_info = 1; // the first global symbol
  symbols.sh_entsize = sizeof(ELF::Elf64_Sym);
  writeRaw(os, symbols);
  writeRaw(os, section(26, ELF::SHT_STRTAB, 0, stringsAt, strings.size(), 1));
  writeRaw(os, section(34, ELF::SHT_STRTAB, 0, namesAt, names.size(), 1));
  os.close();
  if (!os.has_error())
    return llvm::Error::success();
  code = os.error();
  os.clear_error();
  return makeFileError(DiagId::CannotWrite, path, code);
}

} // namespace adze
