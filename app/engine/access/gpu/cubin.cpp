#include "engine/access/gpu/cubin.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include "engine/access/parameter_types.h"

namespace stridescope::engine::access::gpu {
namespace {

constexpr std::string_view kCode = ".text.", kShared = ".nv.shared.";

struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};
struct EndDwarf {
  void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? std::string(name.get()) : symbol;
}

// Where the last "::" stands that is in no brackets; npos: nowhere.
std::size_t lastScope(std::string_view name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 1;) {
    const char c = name[i];
    depth += c == ')' || c == '>' ? 1 : c == '(' || c == '<' ? -1 : 0;
    if (depth == 0 && c == ':' && name[i - 1] == ':') return i - 1;
  }
  return std::string_view::npos;
}

// "void ns::sum<int>(int const*)::tile": the function's own name, and the variable's.
void nameVariable(CubinVariable& variable) {
  const std::string whole = demangled(variable.symbol);
  const std::size_t scope = lastScope(whole);
  variable.name = scope == std::string_view::npos ? whole : whole.substr(scope + 2);
  if (scope == std::string_view::npos || whole[scope - 1] != ')') return;
  std::string_view function = std::string_view(whole).substr(0, scope);
  int depth = 0;
  std::size_t end = function.size();
  while (end-- > 0) {
    depth += function[end] == ')' ? 1 : function[end] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  function = function.substr(0, end);
  if (!function.empty() && function.back() == '>') {
    depth = 0;
    end = function.size();
    while (end-- > 0) {
      depth += function[end] == '>' ? 1 : function[end] == '<' ? -1 : 0;
      if (depth == 0) break;
    }
    function = function.substr(0, end);
  }
  const std::size_t begin = function.find_last_of(" :");
  variable.function = function.substr(begin == std::string_view::npos ? 0 : begin + 1);
}

class Reader {
 public:
  explicit Reader(std::string image) : image_(std::move(image)) {
    elf_version(EV_CURRENT);
    elf_.reset(elf_memory(image_.data(), image_.size()));
  }

  bool isElf() const { return elf_ != nullptr && elf_kind(elf_.get()) == ELF_K_ELF; }

  Cubin read() {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
      const auto header = headerOf(section);
      const std::string name = nameOf(section);
      if (name.starts_with(kShared) && header.sh_type == SHT_NOBITS)
        cubin_.sections.push_back({name.substr(kShared.size()), header.sh_size});
    }
    readSymbols();
    relocateLines();
    readLines();
    return std::move(cubin_);
  }

 private:
  static GElf_Shdr headerOf(Elf_Scn* section) {
    GElf_Shdr header{};
    gelf_getshdr(section, &header);
    return header;
  }
  std::string nameOf(Elf_Scn* section) const {
    std::size_t names = 0;
    if (section == nullptr || elf_getshdrstrndx(elf_.get(), &names) != 0) return {};
    const char* const name = elf_strptr(elf_.get(), names, headerOf(section).sh_name);
    return name == nullptr ? std::string() : std::string(name);
  }

  template <class Take>
  void eachSymbol(const Take& take) const {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
      const GElf_Shdr header = headerOf(section);
      if (header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) continue;
      Elf_Data* const data = elf_getdata(section, nullptr);
      GElf_Sym symbol;
      for (std::size_t i = 0; data != nullptr && i < header.sh_size / header.sh_entsize; ++i) {
        if (gelf_getsym(data, int(i), &symbol) == nullptr) continue;
        const char* const name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
        if (name != nullptr) take(std::string(name), symbol);
      }
    }
  }

  void readSymbols() {
    eachSymbol([&](const std::string& name, const GElf_Sym& symbol) {
      const std::string section = nameOf(elf_getscn(elf_.get(), symbol.st_shndx));
      const auto type = GELF_ST_TYPE(symbol.st_info);
      // Functions that are not inlined stand behind the kernel that calls them, in its section.
      if (type == STT_FUNC && symbol.st_value == 0 && section.starts_with(kCode)) {
        sectionOf_[symbol.st_shndx] = cubin_.functions.size();
        const std::uint64_t bytes = headerOf(elf_getscn(elf_.get(), symbol.st_shndx)).sh_size;
        cubin_.functions.push_back({name, bytes, {}});
      }
      const bool isShared = section.starts_with(kShared) || section == ".nv_debug.shared";
      if (type != STT_OBJECT || !isShared || name.starts_with(".")) return;
      CubinVariable variable{.symbol = name,
                             .kernel = section.starts_with(kShared) ? section.substr(kShared.size()) : "",
                             .function = {},
                             .name = {},
                             .offset = symbol.st_value,
                             .bytes = symbol.st_size};
      nameVariable(variable);
      cubin_.shared.push_back(std::move(variable));
    });
    std::ranges::sort(cubin_.shared, {}, &CubinVariable::offset);
  }

  // A cubin is not linked: each function's lines begin at address 0 until the relocation is applied. The
  // function's section goes into the upper half.
  void relocateLines() {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
      const GElf_Shdr header = headerOf(section);
      Elf_Scn* const target = header.sh_type == SHT_RELA ? elf_getscn(elf_.get(), header.sh_info) : nullptr;
      if (target == nullptr || header.sh_entsize == 0 || nameOf(target) != ".debug_line") continue;
      const GElf_Shdr lines = headerOf(target);
      Elf_Data* const data = elf_getdata(section, nullptr);
      Elf_Scn* const table = elf_getscn(elf_.get(), header.sh_link);
      Elf_Data* const symbols = table == nullptr ? nullptr : elf_getdata(table, nullptr);
      GElf_Rela relocation;
      GElf_Sym symbol;
      for (std::size_t i = 0; data != nullptr && symbols != nullptr && i < header.sh_size / header.sh_entsize;
           ++i) {
        if (gelf_getrela(data, int(i), &relocation) == nullptr ||
            gelf_getsym(symbols, int(GELF_R_SYM(relocation.r_info)), &symbol) == nullptr)
          continue;
        const std::uint64_t address =
            (std::uint64_t(symbol.st_shndx) << 32) + symbol.st_value + std::uint64_t(relocation.r_addend);
        const std::uint64_t at = lines.sh_offset + relocation.r_offset;
        if (relocation.r_offset <= lines.sh_size && lines.sh_size - relocation.r_offset >= sizeof(address) &&
            at + sizeof(address) <= image_.size())
          std::memcpy(image_.data() + at, &address, sizeof(address));
      }
    }
  }

  void readLines() {
    const std::unique_ptr<Dwarf, EndDwarf> dwarf(dwarf_begin_elf(elf_.get(), DWARF_C_READ, nullptr));
    if (dwarf == nullptr) return;
    Dwarf_Off at = 0, next = 0;
    Dwarf_CU* unit = nullptr;
    Dwarf_Files* files = nullptr;
    Dwarf_Lines* lines = nullptr;
    std::size_t fileCount = 0, count = 0;
    for (; dwarf_next_lines(dwarf.get(), at, &next, &unit, &files, &fileCount, &lines, &count) == 0;
         at = next)
      for (std::size_t i = 0; i < count; ++i) addLine(dwarf_onesrcline(lines, i));
    for (CubinFunction& function : cubin_.functions)
      std::ranges::stable_sort(function.lines, {}, &CodeLine::offset);
  }

  void addLine(Dwarf_Line* line) {
    Dwarf_Addr address = 0;
    CodeLine row;
    const char* const file = dwarf_linesrc(line, nullptr, nullptr);
    if (line == nullptr || file == nullptr || dwarf_lineaddr(line, &address) != 0 ||
        dwarf_lineno(line, &row.line) != 0)
      return;
    const auto function = sectionOf_.find(address >> 32);
    if (function == sectionOf_.end()) return;
    const std::string_view path = file;
    row.file = path.substr(path.rfind('/') + 1);
    row.offset = address & 0xffffffff;
    cubin_.functions[function->second].lines.push_back(std::move(row));
  }

  std::string image_;
  std::unique_ptr<Elf, EndElf> elf_;
  std::map<std::uint64_t, std::size_t> sectionOf_;  // the function of each section of code
  Cubin cubin_;
};

}  // namespace

int CubinFunction::lineOf(std::uint64_t offset, std::string_view file) const {
  auto row = std::ranges::upper_bound(lines, offset, {}, &CodeLine::offset);
  while (row != lines.begin())
    if (--row; row->file == file && row->line > 0) return row->line;
  return 0;
}

std::optional<std::uint64_t> Cubin::sharedEndOf(std::string_view kernel) const {
  const auto found = std::ranges::find(sections, kernel, &SharedSection::kernel);
  return found == sections.end() ? std::nullopt : std::optional(found->end);
}

Result<Cubin> readCubin(std::string image) {
  Reader reader(std::move(image));
  if (!reader.isElf())
    return unavailable("The compiled kernel is no cubin that can be read.",
                       std::string("libelf: ") + elf_errmsg(-1));
  return reader.read();
}

std::vector<KernelTypes> parametersIn(std::string image, const std::vector<std::string>& kernels) {
  std::vector<KernelTypes> types(kernels.size());
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, EndElf> elf(elf_memory(image.data(), image.size()));
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) return types;
  const std::unique_ptr<Dwarf, EndDwarf> dwarf(dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr));
  if (dwarf == nullptr) return types;
  Dwarf_CU* unit = nullptr;
  Dwarf_Half version = 0;
  std::uint8_t kind = 0;
  Dwarf_Die all, unused, die;
  while (dwarf_get_units(dwarf.get(), unit, &unit, &version, &kind, &all, &unused) == 0) {
    if (dwarf_child(&all, &die) != 0) continue;
    do {
      if (dwarf_tag(&die) != DW_TAG_subprogram) continue;
      Dwarf_Attribute attribute;
      const char* const symbol =
          dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_MIPS_linkage_name, &attribute));
      const auto kernel = std::ranges::find(kernels, symbol == nullptr ? std::string() : std::string(symbol));
      if (kernel != kernels.end())
        types[std::size_t(kernel - kernels.begin())].parameters = parametersOf(die);
    } while (dwarf_siblingof(&die, &die) == 0);
  }
  return types;
}

}  // namespace stridescope::engine::access::gpu
