#include "engine/access/parameter_types.h"

#include <dwarf.h>

#include <algorithm>

namespace stridescope::engine::access {
namespace {

constexpr std::size_t kMaxMembers = 1024;
constexpr unsigned kMaxDepth = 16;

void readPointer(Dwarf_Die& pointer, PointerMember& result);

// Whether the type that the die has is const, behind its names.
bool isConst(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  while (dwarf_formref_die(dwarf_attr_integrate(&die, DW_AT_type, &attribute), &type) != nullptr) {
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_const_type) return true;
    if (tag != DW_TAG_typedef && tag != DW_TAG_volatile_type && tag != DW_TAG_restrict_type) return false;
    die = type;
  }
  return false;
}

// Adds the numbers that a value is made of, one after the other.
class MemberReader {
 public:
  // `pointers`: those among them; null: what they point to does not matter.
  MemberReader(std::vector<MemberType>& members, bool& isWhole, std::vector<PointerMember>* pointers)
      : members_(members), isWhole_(isWhole), pointers_(pointers) {}

  // That of the most aligned part of all that was read; 0: a part is not known.
  unsigned alignment() const { return isAlignmentKnown_ ? alignment_ : 0; }
  bool hasBitFields() const { return hasBitFields_; }

  void read(Dwarf_Die type, std::uint64_t offset, const std::string& name, unsigned depth = 0) {
    Dwarf_Word bytes = 0;
    if (depth > kMaxDepth || dwarf_aggregate_size(&type, &bytes) != 0) return giveUp();
    // Said of a type with alignas or __align__.
    align(unsigned(wordOfDie(type, DW_AT_alignment).value_or(0)));
    switch (dwarf_tag(&type)) {
      case DW_TAG_base_type:
        return add(kindOf(type), unsigned(bytes), offset, name);
      case DW_TAG_enumeration_type: {
        auto underlying = typeOfDie(type);
        return add(underlying ? kindOf(*underlying) : NumberKind::Unsigned, unsigned(bytes), offset, name);
      }
      case DW_TAG_pointer_type:
        add(NumberKind::Bytes, unsigned(bytes), offset, name);
        if (isWhole_ && pointers_ != nullptr)
          readPointer(type,
                      pointers_->emplace_back(PointerMember{.member = std::uint32_t(members_.size() - 1)}));
        return;
      case DW_TAG_array_type:
        return readArray(type, bytes, offset, name, depth);
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
        return readClass(type, offset, name, depth);
      default:
        return giveUp();
    }
  }

 private:
  void give(bool isWhole) { isWhole_ = isWhole_ && isWhole; }
  void giveUp() {
    give(false);
    isAlignmentKnown_ = false;
  }
  void align(unsigned bytes) { alignment_ = std::max(alignment_, bytes); }

  static NumberKind kindOf(Dwarf_Die& type) {
    const auto encoding = wordOfDie(type, DW_AT_encoding).value_or(0);
    if (encoding == DW_ATE_float) return NumberKind::Floating;
    if (encoding == DW_ATE_boolean) return NumberKind::Bool;
    return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ? NumberKind::Signed
                                                                       : NumberKind::Unsigned;
  }

  void add(NumberKind kind, unsigned bytes, std::uint64_t offset, const std::string& name) {
    align(bytes);
    if (members_.size() == kMaxMembers || bytes > 8) return give(false);  // long double has 16
    members_.push_back({kind, bytes, unsigned(offset), name});
  }

  // Elements are numbered one after the other, those of rows, too.
  void readArray(Dwarf_Die& type, std::uint64_t bytes, std::uint64_t offset, const std::string& name,
                 unsigned depth) {
    auto element = typeOfDie(type);
    Dwarf_Word elementBytes = 0;
    while (element && dwarf_tag(&*element) == DW_TAG_array_type) element = typeOfDie(*element);
    if (!element || dwarf_aggregate_size(&*element, &elementBytes) != 0 || elementBytes == 0) return giveUp();
    for (std::uint64_t i = 0; (i + 1) * elementBytes <= bytes && isWhole_; ++i)
      read(*element, offset + i * elementBytes, name + "[" + std::to_string(i) + "]", depth + 1);
  }

  // Where a member lies: a number, or, before DWARF 3, what is added to where its class begins.
  static bool readPlace(Dwarf_Attribute& place, Dwarf_Word& at) {
    if (dwarf_formudata(&place, &at) == 0) return true;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&place, &operations, &count) != 0 || count != 1 ||
        operations[0].atom != DW_OP_plus_uconst)
      return false;
    at = operations[0].number;
    return true;
  }

  void readClass(Dwarf_Die& type, std::uint64_t offset, const std::string& name, unsigned depth) {
    const std::string className = nameOfDie(type);
    if (className == "__half") return add(NumberKind::Half, 2, offset, name);
    if (className == "__nv_bfloat16") return add(NumberKind::Bfloat, 2, offset, name);
    if (wordOfDie(type, DW_AT_declaration)) return giveUp();
    Dwarf_Die child;
    if (dwarf_child(&type, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
      Dwarf_Attribute attribute;
      if (dwarf_hasattr(&child, DW_AT_external) != 0 || dwarf_hasattr(&child, DW_AT_declaration) != 0)
        continue;  // static
      const bool isOfBits = dwarf_hasattr(&child, DW_AT_bit_size) != 0;
      const auto place = dwarf_attr(&child, DW_AT_data_member_location, &attribute);
      Dwarf_Word at = 0;
      const auto memberType = typeOfDie(child);
      if (isOfBits && memberType) {
        Dwarf_Die unit = *memberType;
        align(unsigned(std::max(0, dwarf_bytesize(&unit))));
        hasBitFields_ = true;
        give(false);
        continue;
      }
      if ((place != nullptr && !readPlace(*place, at)) || !memberType) return giveUp();
      if (dwarf_hasattr(&child, DW_AT_artificial) != 0) return giveUp();  // a table of virtual functions
      // Members of a base class, and of a struct without a name, are named as the text names them.
      const std::string member = tag == DW_TAG_member ? nameOfDie(child) : std::string();
      read(*memberType, offset + at, name + (name.empty() || member.empty() ? "" : ".") + member, depth + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  std::vector<MemberType>& members_;
  bool& isWhole_;
  std::vector<PointerMember>* pointers_;
  unsigned alignment_ = 0;
  bool isAlignmentKnown_ = true, hasBitFields_ = false;
};

void readPointer(Dwarf_Die& pointer, PointerMember& result) {
  result.isConst = isConst(pointer);
  auto type = typeOfDie(pointer);
  Dwarf_Word bytes = 0;
  if (!type || dwarf_aggregate_size(&*type, &bytes) != 0) {
    result.isWhole = false;  // void*
    return;
  }
  result.bytes = unsigned(bytes);
  MemberReader reader(result.members, result.isWhole, nullptr);
  reader.read(*type, 0, {});
  result.alignment = reader.alignment();
}

ParameterType typeOfParameter(Dwarf_Die& parameter) {
  ParameterType result;
  auto type = typeOfDie(parameter);
  // What has a copy constructor is handed over by reference.
  if (type && dwarf_tag(&*type) == DW_TAG_reference_type) type = typeOfDie(*type);
  if (!type) {
    result.isWhole = false;
    return result;
  }
  result.isPointer = dwarf_tag(&*type) == DW_TAG_pointer_type;
  if (result.isPointer) {
    result.isConst = isConst(*type);
    type = typeOfDie(*type);
    if (!type) return result;  // void*
  }
  Dwarf_Word bytes = 0;
  if (dwarf_aggregate_size(&*type, &bytes) == 0) result.bytes = unsigned(bytes);
  MemberReader reader(result.members, result.isWhole, result.isPointer ? nullptr : &result.pointers);
  reader.read(*type, 0, {});
  result.alignment = reader.alignment();
  result.hasBitFields = reader.hasBitFields();
  return result;
}

}  // namespace

std::string nameOfDie(Dwarf_Die& die) {
  const char* const name = dwarf_diename(&die);
  return name == nullptr ? std::string() : std::string(name);
}

// The type behind names for it and its qualifiers.
std::optional<Dwarf_Die> typeOfDie(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_formref_die(dwarf_attr_integrate(&die, DW_AT_type, &attribute), &type) == nullptr)
    return std::nullopt;
  Dwarf_Die peeled;
  if (dwarf_peel_type(&type, &peeled) != 0) return std::nullopt;
  return peeled;
}

std::optional<Dwarf_Word> wordOfDie(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word word = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&die, name, &attribute), &word) != 0) return std::nullopt;
  return word;
}

ParameterType elementOf(Dwarf_Die type) {
  ParameterType element;
  Dwarf_Word bytes = 0;
  if (dwarf_aggregate_size(&type, &bytes) == 0) element.bytes = unsigned(bytes);
  MemberReader reader(element.members, element.isWhole, nullptr);
  reader.read(type, 0, {});
  element.alignment = reader.alignment();
  element.hasBitFields = reader.hasBitFields();
  return element;
}

std::vector<ParameterType> parametersOf(Dwarf_Die& function) {
  std::vector<ParameterType> all;
  Dwarf_Die child;
  if (dwarf_child(&function, &child) != 0) return all;
  do {
    if (dwarf_tag(&child) == DW_TAG_formal_parameter && dwarf_hasattr(&child, DW_AT_artificial) == 0)
      all.push_back(typeOfParameter(child));
  } while (dwarf_siblingof(&child, &child) == 0);
  return all;
}

}  // namespace stridescope::engine::access
