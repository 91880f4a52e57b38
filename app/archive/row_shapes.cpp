#include "archive/row_shapes.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

namespace stridescope::archive {
namespace {

// False unless it is lines as Packing writes them.
bool readLines(const std::string& text, std::vector<model::CodeLine>& lines) {
  for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
    model::CodeLine line;
    const auto [after, error] = std::from_chars(at, end, line.line);
    const char* const newline = std::find(after, end, '\n');
    if (error != std::errc() || after == end || *after != '\t' || newline == end ||
        lines.size() == model::kMaxCodeLines)
      return false;
    line.text.assign(after + 1, newline);
    lines.push_back(std::move(line));
    at = newline + 1;
  }
  return true;
}

}  // namespace

Packing<std::vector<model::CodeLine>>::Packing(const std::vector<model::CodeLine>& lines) {
  for (const model::CodeLine& line : lines) text_ += std::to_string(line.line) + "\t" + line.text + "\n";
}

void Packing<std::vector<model::CodeLine>>::read(RowReader& row, ReadState&,
                                                 std::vector<model::CodeLine>& lines) {
  const int column = row.column("code");
  if (!readLines(row.text(column), lines)) row.fault(column, "is no listing");
}

void Packing<std::vector<model::BlockRun>>::set(RowWriter& row) const {
  row.set("grid", count_);
  row.set("first_start", packed_.firstStart);
  row.set("step", packed_.step);
  row.set("blocks", std::span<const std::uint8_t>(packed_.bytes));
}

void Packing<std::vector<model::BlockRun>>::read(RowReader& row, ReadState& state,
                                                 std::vector<model::BlockRun>& blocks) {
  const auto count = std::uint64_t(row.integer(row.column("grid"), 1, model::kMaxTimelineBlocks));
  if (!state.spendParts(count)) row.fault(row.column("grid"), "counts too many blocks");
  const PackedBlocks packed{.firstStart = row.bits(row.column("first_start")),
                            .step = std::uint64_t(row.integer(row.column("step"), 1, std::int64_t(kMaxStep))),
                            .bytes = row.blob(row.column("blocks"))};
  if (state.failed()) return;
  if (!unpackBlocks(packed, count, blocks)) row.fault(row.column("blocks"), "holds no such blocks");
}

namespace {

constexpr unsigned kBitsOfAByte = 7;
constexpr std::uint8_t kMoreFollow = 0x80;

void append(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  for (; number >= kMoreFollow; number >>= kBitsOfAByte) bytes.push_back(std::uint8_t(number | kMoreFollow));
  bytes.push_back(std::uint8_t(number));
}

std::uint64_t folded(std::uint64_t difference) {
  const auto number = std::int64_t(difference);
  return (std::uint64_t(number) << 1) ^ std::uint64_t(number >> 63);
}
std::uint64_t unfolded(std::uint64_t number) { return (number >> 1) ^ (~(number & 1) + 1); }

class Numbers {
 public:
  explicit Numbers(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::optional<std::uint64_t> next() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; at_ < bytes_.size() && shift < 64; shift += kBitsOfAByte) {
      const std::uint8_t byte = bytes_[at_++];
      number |= std::uint64_t(byte & ~kMoreFollow & 0xff) << shift;
      if ((byte & kMoreFollow) == 0) return number;
    }
    return std::nullopt;
  }
  bool atEnd() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

PackedBlocks packBlocks(std::span<const model::BlockRun> blocks) {
  PackedBlocks packed;
  if (blocks.empty()) return packed;
  packed.firstStart = std::ranges::min_element(blocks, {}, &model::BlockRun::start)->start;
  std::uint64_t step = 0;
  for (const model::BlockRun& block : blocks)
    step = std::gcd(std::gcd(step, block.start - packed.firstStart), std::uint64_t{block.nanoseconds});
  packed.step = step == 0 || step > kMaxStep ? 1 : step;
  std::uint64_t before = packed.firstStart;
  for (const model::BlockRun& block : blocks) {
    // The difference of multiples of the step is one, whichever is greater.
    const bool later = block.start >= before;
    const std::uint64_t steps = (later ? block.start - before : before - block.start) / packed.step;
    append(packed.bytes, folded(later ? steps : ~steps + 1));
    append(packed.bytes, block.nanoseconds / packed.step);
    append(packed.bytes, block.multiprocessor);
    before = block.start;
  }
  return packed;
}

bool unpackBlocks(const PackedBlocks& packed, std::size_t count, std::vector<model::BlockRun>& blocks) {
  constexpr std::uint64_t kLimit = std::numeric_limits<unsigned>::max();
  if (packed.step == 0 || packed.step > kMaxStep) return false;
  Numbers numbers(packed.bytes);
  std::uint64_t start = packed.firstStart;
  blocks.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const auto difference = numbers.next(), duration = numbers.next(), multiprocessor = numbers.next();
    if (!difference || !duration || !multiprocessor) return false;
    start +=
        unfolded(*difference) * packed.step;  // modulo 2^64: a start out of range is refused by its record
    if (*duration > kLimit / packed.step || *multiprocessor > kLimit) return false;
    blocks.push_back({start, unsigned(*duration * packed.step), unsigned(*multiprocessor)});
  }
  return numbers.atEnd();
}

}  // namespace stridescope::archive
