#include "array_json.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/array_names.h"
#include "narration/carved_memory.h"
#include "narration/memory_words.h"

namespace stridescope::report {
namespace {

void writeArray(JsonWriter& json, std::string_view space, const model::Array& array) {
  const std::uint64_t elements = array.bytes / std::max(1u, array.elementBytes);
  json.object([&] {
    json.member("name", array.name);
    json.member("space", space);
    json.member("extents", array.extents.empty() ? std::vector{elements} : array.extents);
    json.member("element_bytes", array.elementBytes);
    const std::vector<model::MemberType> cells = model::cellsOf(array);
    const bool isNumber = cells.size() == 1 && cells.front().name.empty();
    const bool isKnown = array.type || !array.members.empty();
    json.member("type", isNumber && isKnown ? std::optional(model::cppNameOf(cells.front())) : std::nullopt);
    if (isNumber) return;
    json.objects("members", cells, [&](const model::MemberType& member) {
      json.member("name", member.name);
      json.member("type", model::cppNameOf(member));
      json.member("offset", member.offset);
    });
  });
}

}  // namespace

void writeArrays(JsonWriter& json, const model::LaunchTrace& launch) {
  json.key("arrays");
  json.beginArray();
  for (const model::Array& array : launch.recorded().shared) writeArray(json, "shared", array);
  for (const model::Array& array : launch.buffers) writeArray(json, "global", array);
  json.endArray();
}

namespace {

// Each part that somebody stored to or accessed.
void writeCarved(JsonWriter& json, const narration::RoundAt& at, std::size_t array) {
  const narration::CarvedMemory memory(at, array);
  std::vector<narration::CarvedPart> parts = memory.parts(narration::CarvedMemory::Split::ByType);
  const auto textOf = [&](std::size_t cell) {
    return memory.text(at.round().snapshot, memory.cells()[cell]);
  };
  std::erase_if(parts, [&](const narration::CarvedPart& part) {
    if (memory.cells()[part.first].isAccessed) return false;
    for (std::size_t i = part.first; i < part.first + part.count; ++i)
      if (!textOf(i).empty()) return false;
    return true;
  });
  json.objects(at.launch.recorded().shared[array].name, parts, [&](const narration::CarvedPart& part) {
    json.member("offset", part.offset);
    json.member("element_bytes", part.cellBytes);
    json.member("type", part.type < 0 ? std::nullopt : std::optional(memory.nameOf(part)));
    std::vector<std::string> values;
    for (std::size_t i = part.first; i < part.first + part.count; ++i) values.push_back(textOf(i));
    json.list("values", values, [&](const std::string& value) {
      json.value(value.empty() ? std::nullopt : std::optional(value));
    });
  });
}

}  // namespace

void writeCells(JsonWriter& json, const narration::RoundAt& at) {
  const std::vector<model::Array>& shared = at.launch.recorded().shared;
  if (std::ranges::all_of(shared, [](const model::Array& array) { return array.members.empty(); })) return;
  json.object("cells", [&] {
    for (std::size_t i = 0; i < shared.size(); ++i) {
      const auto write = [&](std::string_view name, const model::MemberType& cell) {
        json.list(name, narration::snapshotWords(at, i, cell), [&](const std::optional<std::uint64_t>& word) {
          json.value(word ? std::optional(model::printNumber(cell, *word)) : std::nullopt);
        });
      };
      const std::vector<model::MemberType>& members = shared[i].members;
      if (narration::isCarved(at.trace, at.launch, i))
        writeCarved(json, at, i);
      else if (members.size() == 1 && members.front().name.empty())
        write(shared[i].name, members.front());
      else if (!members.empty())
        json.object(shared[i].name, [&] {
          for (const model::MemberType& member : members) write(member.name, member);
        });
    }
  });
}

}  // namespace stridescope::report
