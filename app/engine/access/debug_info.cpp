#include "debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "base/regular_file.h"
#include "engine/access/parameter_types.h"

namespace stridescope::engine::access {
namespace {

struct EndDwarf {
  void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

void readType(Dwarf_Die type, SharedVariable& variable) {
  while (dwarf_tag(&type) == DW_TAG_array_type) {
    Dwarf_Die child;
    if (dwarf_child(&type, &child) == 0) do {
        if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
        const auto last = wordOfDie(child, DW_AT_upper_bound), count = wordOfDie(child, DW_AT_count);
        variable.extents.push_back(count ? *count : last ? *last + 1 : 0);
      } while (dwarf_siblingof(&child, &child) == 0);
    const auto element = typeOfDie(type);
    if (!element) return;
    type = *element;
  }
  variable.element = elementOf(type);
}

// Where a variable lies: a thread's own, or one of the library's.
struct Location {
  std::uint64_t offset = 0;
  bool isThreads = false;
};
std::optional<Location> locationOf(Dwarf_Die& variable) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_getlocation(dwarf_attr(&variable, DW_AT_location, &attribute), &operations, &count) != 0 ||
      count == 0)
    return std::nullopt;
  if (count == 1 && operations[0].atom == DW_OP_addr) return Location{operations[0].number, false};
  if (count == 1 && operations[0].atom == DW_OP_addrx) {
    Dwarf_Attribute entry;
    Dwarf_Addr address = 0;
    if (dwarf_getlocation_attr(&attribute, operations, &entry) != 0 || dwarf_formaddr(&entry, &address) != 0)
      return std::nullopt;
    return Location{address, false};
  }
  const bool isThreads = count == 2 && (operations[1].atom == DW_OP_form_tls_address ||
                                        operations[1].atom == DW_OP_GNU_push_tls_address);
  return isThreads ? std::optional(Location{operations[0].number, true}) : std::nullopt;
}

struct DieReader {
  DebugInfo& info;

  void read(Dwarf_Die die, const std::string& function, unsigned depth) {
    constexpr unsigned kMaxDepth = 64;
    if (depth > kMaxDepth) return;
    do {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_variable) addVariable(die, function);
      if (tag == DW_TAG_subprogram) addFunction(die);
      const bool holds = tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace;
      Dwarf_Die child;
      if (holds && dwarf_child(&die, &child) == 0) {
        Dwarf_Attribute attribute;
        const char* named = nullptr;
        if (tag == DW_TAG_subprogram)
          named = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute));
        read(child, named != nullptr ? named : function, depth + 1);
      }
    } while (dwarf_siblingof(&die, &die) == 0);
  }

  void addFunction(Dwarf_Die& die) {
    FunctionCode code;
    Dwarf_Addr begin = 0, end = 0;
    if (dwarf_lowpc(&die, &begin) != 0 || dwarf_highpc(&die, &end) != 0) return;
    Dwarf_Attribute attribute;
    Dwarf_Word line = 0;
    if (const char* named = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute)))
      code.name = named;
    if (dwarf_formudata(dwarf_attr_integrate(&die, DW_AT_decl_line, &attribute), &line) == 0)
      code.line = int(line);
    if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr) code.parameters = parametersOf(die);
    code.begin = begin;
    code.end = end;
    info.functions.push_back(std::move(code));
  }

  void addPointer(Dwarf_Die& die, const std::string& function) {
    auto type = typeOfDie(die);
    if (!type) return;
    if (const int tag = dwarf_tag(&*type); tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type) return;
    const auto pointee = typeOfDie(*type);
    if (!pointee) return;
    SharedVariable variable;
    variable.name = nameOfDie(die);
    variable.function = function;
    readType(*pointee, variable);
    if (variable.element.bytes > 0) info.pointers.push_back(std::move(variable));
  }

  void addVariable(Dwarf_Die& die, const std::string& function) {
    const auto location = locationOf(die);
    if (!location) return addPointer(die, function);
    SharedVariable variable;
    Dwarf_Attribute attribute;
    if (const char* named = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute)))
      variable.name = named;
    variable.function = function;
    variable.offset = location->offset;
    const auto type = typeOfDie(die);
    if (!type) return;
    readType(*type, variable);
    std::uint64_t elements = 1;
    for (const std::uint64_t extent : variable.extents) elements *= extent;
    variable.bytes = elements * variable.element.bytes;
    if (variable.bytes == 0) return;
    if (!location->isThreads)
      return info.variables.push_back({variable.name, location->offset, variable.bytes});
    const bool isKnown = std::ranges::any_of(
        info.shared, [&](const SharedVariable& other) { return other.offset == variable.offset; });
    if (!isKnown) info.shared.push_back(std::move(variable));
  }
};

void readLines(Dwarf_Die& unit, std::vector<TextPlace>& places) {
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(&unit, &lines, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* const line = dwarf_onesrcline(lines, i);
    Dwarf_Addr address = 0;
    TextPlace place;
    const char* const file = dwarf_linesrc(line, nullptr, nullptr);
    if (dwarf_lineaddr(line, &address) != 0 || file == nullptr) continue;
    dwarf_lineno(line, &place.line);
    dwarf_linecol(line, &place.column);
    const std::string_view path = file;
    place.file = path.substr(path.rfind('/') + 1);
    place.address = address;
    places.push_back(std::move(place));
  }
}

void readDataSections(Elf* elf, DebugInfo& info) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* const name = elf_strptr(elf, names, header.sh_name);
    if (name == nullptr || (std::string_view(name) != ".data" && std::string_view(name) != ".bss")) continue;
    info.dataSections.emplace_back(header.sh_addr, header.sh_size);
  }
}

// By their names in the symbol table (Itanium C++ ABI, 5.1.5: _ZGV).
void readGuards(Elf* elf, DebugInfo& info) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0)
      continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    for (std::size_t i = 0; data != nullptr && i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, int(i), &symbol) == nullptr) continue;
      const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name == nullptr || !std::string_view(name).starts_with("_ZGV")) continue;
      if (GELF_ST_TYPE(symbol.st_info) == STT_TLS) info.guards.push_back(symbol.st_value);
      if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT)
        info.variables.push_back({name, symbol.st_value, symbol.st_size});
    }
  }
}

}  // namespace

const TextPlace* DebugInfo::placeOf(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(places, address, {}, &TextPlace::address);
  return after == places.begin() ? nullptr : &*(after - 1);
}

const FunctionCode* DebugInfo::functionOf(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(functions, address, {}, &FunctionCode::begin);
  return after == functions.begin() || address >= (after - 1)->end ? nullptr : &*(after - 1);
}

Result<DebugInfo> readDebugInfo(const std::string& library) {
  const Descriptor file(::open(library.c_str(), O_RDONLY | O_CLOEXEC));
  const std::unique_ptr<Dwarf, EndDwarf> dwarf(dwarf_begin(file.number(), DWARF_C_READ));
  if (dwarf == nullptr)
    return unavailable("The compiled kernel has no debug information that can be read: " +
                       std::string(dwarf_errmsg(-1)) + ". Name another compiler in CXX.");
  DebugInfo info;
  Dwarf_CU* unit = nullptr;
  Dwarf_Half version = 0;
  std::uint8_t kind = 0;
  Dwarf_Die die, unused;
  while (dwarf_get_units(dwarf.get(), unit, &unit, &version, &kind, &die, &unused) == 0) {
    readLines(die, info.places);
    Dwarf_Attribute attribute;
    const char* const producer = dwarf_formstring(dwarf_attr(&die, DW_AT_producer, &attribute));
    if (producer != nullptr && std::string_view(producer).find("clang") != std::string_view::npos)
      info.isOfClang = true;
    Dwarf_Die child;
    if (dwarf_child(&die, &child) == 0) DieReader{info}.read(child, {}, 0);
  }
  readGuards(dwarf_getelf(dwarf.get()), info);
  readDataSections(dwarf_getelf(dwarf.get()), info);
  std::ranges::stable_sort(info.places, {}, &TextPlace::address);
  std::ranges::sort(info.functions, {}, &FunctionCode::begin);
  std::ranges::sort(info.shared, {}, &SharedVariable::offset);
  std::ranges::sort(info.variables, {}, &ModuleVariable::address);
  return info;
}

}  // namespace stridescope::engine::access
