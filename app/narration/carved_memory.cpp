#include "narration/carved_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/event_groups.h"
#include "analysis/snapshots.h"
#include "base/numbers.h"

namespace stridescope::narration {
namespace {

bool isAccess(model::EventKind kind) {
  return kind == model::EventKind::Load || kind == model::EventKind::Store ||
         kind == model::EventKind::Atomic;
}

// The last access to each byte of the array, where no later one covers it in part.
class LastAccesses {
 public:
  LastAccesses(const RoundAt& at, std::size_t array, const AccessTypes& types)
      : launch_(at.launch),
        array_(array),
        types_(types),
        bytes_(std::size_t(at.launch.recorded().shared[array].bytes)) {
    for (std::size_t r = 0; r <= at.index; ++r)
      for (const analysis::WarpOperation& operation : at.analysis.rounds[r].operations) {
        const bool isToCome = at.pass != nullptr && r == at.index && operation.pass > at.pass->pass;
        if (isAccess(operation.kind) && !isToCome) add(operation);
      }
  }

  struct Byte {
    std::uint32_t begin = 0;  // of the access
    std::uint8_t width = 0;   // 0: there is none
    std::uint32_t site = 0;   // right at its first byte
  };
  const std::vector<Byte>& bytes() const { return bytes_; }

 private:
  void add(const analysis::WarpOperation& operation) {
    const model::Event& any = analysis::firstEventOf(operation, launch_);
    if (!any.inShared()) return;
    const bool isKnown = knows(operation.site, any.width());
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = launch_.recorded().events[operation.event[lane]];
      const std::uint64_t end = event.offset() + event.width();
      if (!event.inShared() || event.sharedArray() != array_ || end > bytes_.size()) return;
      // Most accesses are to the number that the one before them left there. If the text does not tell this
      // one's type, it has still that one's.
      Byte& before = bytes_[std::size_t(event.offset())];
      if (before.width == event.width() && before.begin == event.offset()) {
        if (isKnown) before.site = operation.site;
        return;
      }
      for (std::uint64_t byte = event.offset(); byte < end; ++byte) {
        cut(bytes_[std::size_t(byte)], event);
        bytes_[std::size_t(byte)] = {std::uint32_t(event.offset()), std::uint8_t(event.width()),
                                     operation.site};
      }
    });
  }

  // A site's accesses are of one width, but for those of copies.
  bool knows(std::uint32_t site, unsigned width) {
    if (site >= known_.size()) known_.resize(std::size_t(site) + 1);
    Known& known = known_[site];
    if (known.width != width) known = {width, !types_.of(site, width).numbers.empty()};
    return known.isKnown;
  }

  // What a new access leaves of an earlier one are bytes.
  void cut(Byte earlier, const model::Event& access) {
    const std::uint64_t first = earlier.begin, end = first + earlier.width;
    if (earlier.width == 0 || (first >= access.offset() && end <= access.offset() + access.width())) return;
    for (std::uint64_t byte = first; byte < end; ++byte) bytes_[std::size_t(byte)].width = 0;
  }

  const model::LaunchTrace& launch_;
  const std::size_t array_;
  const AccessTypes& types_;
  struct Known {
    unsigned width = 0;
    bool isKnown = false;
  };
  std::vector<Known> known_;  // by site
  std::vector<Byte> bytes_;
};

}  // namespace

bool isCarved(const model::Trace& trace, const model::LaunchTrace& launch, std::size_t array) {
  const model::Array& shared = launch.recorded().shared[array];
  const bool isOfBytes = shared.elementBytes == 1 && shared.extents.empty() && shared.members.size() == 1 &&
                         shared.members[0].kind != model::NumberKind::Bool;
  if (!isOfBytes || !model::leavesArrays(trace)) return false;
  const bool isWide = std::ranges::any_of(launch.recorded().events, [&](const model::Event& event) {
    return isAccess(event.kind()) && event.inShared() && event.sharedArray() == array && event.width() > 1;
  });
  return isWide && isDeclaredWithoutSize(trace.kernelText, shared.name);
}

CarvedMemory::CarvedMemory(const RoundAt& at, std::size_t array)
    : begin_(analysis::SharedLayout(at.launch).beginOf(array)) {
  const AccessTypes known(at.trace);
  const LastAccesses last(at, array, known);
  std::map<std::pair<std::uint32_t, unsigned>, int> typeOf;  // by site and width
  for (std::size_t byte = 0; byte < last.bytes().size();) {
    const LastAccesses::Byte& access = last.bytes()[byte];
    CarvedCell cell{.offset = byte};
    if (access.width > 0) {
      cell.bytes = access.width, cell.isAccessed = true;
      const auto [place, isNew] = typeOf.try_emplace({access.site, access.width}, -1);
      if (isNew) {
        AccessType type = known.of(access.site, access.width);
        const auto same = std::ranges::find(types_, type.name, &AccessType::name);
        if (!type.numbers.empty()) place->second = int(same - types_.begin());
        if (!type.numbers.empty() && same == types_.end()) types_.push_back(std::move(type));
      }
      cell.type = place->second;
    }
    byte += cell.bytes;
    cells_.push_back(cell);
  }
}

const CarvedCell& CarvedMemory::cellOf(std::uint64_t byte) const {
  return *(std::ranges::upper_bound(cells_, byte, {}, &CarvedCell::offset) - 1);
}

std::vector<CarvedPart> CarvedMemory::parts(Split split) const {
  std::vector<CarvedPart> parts;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const CarvedCell& cell = cells_[i];
    const bool isLike = i > 0 && cell.bytes == cells_[i - 1].bytes &&
                        cell.isAccessed == cells_[i - 1].isAccessed &&
                        (split == Split::BySize || cell.type == cells_[i - 1].type);
    if (!isLike)
      parts.push_back({.first = i, .offset = cell.offset, .cellBytes = cell.bytes, .type = cell.type});
    ++parts.back().count;
    if (cell.type != parts.back().type) parts.back().type = -1;
  }
  return parts;
}

std::string CarvedMemory::nameOf(const CarvedPart& part) const {
  if (part.type >= 0) return types_[std::size_t(part.type)].name;
  return part.cellBytes == 1 ? "1 byte" : figure(part.cellBytes) + " bytes";
}

std::string CarvedMemory::text(const analysis::Snapshot& snapshot, const CarvedCell& cell) const {
  const std::size_t begin = begin_ + std::size_t(cell.offset);
  std::string text;
  if (cell.type < 0) {
    for (std::size_t byte = begin + cell.bytes; byte-- > begin;) {
      const auto bits = snapshot.word(byte, 1);
      if (!bits) return {};
      text += fmt::format("{:02x}", *bits);
    }
    return "0x" + text;
  }
  const std::vector<model::MemberType>& numbers = types_[std::size_t(cell.type)].numbers;
  for (const model::MemberType& number : numbers) {
    const auto bits = snapshot.word(begin + number.offset, number.bytes);
    if (!bits) return {};
    text += (text.empty() ? "" : ", ") + model::printNumber(number, *bits);
  }
  return numbers.size() == 1 ? text : "(" + text + ")";
}

}  // namespace stridescope::narration
