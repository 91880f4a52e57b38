// What is run: a kernel, an element type, an operator, a size and the data. Plain values and their names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.h"
#include "model/kernel.h"

namespace stridescope::model {

enum class DataPattern : std::uint8_t {
  Ramp,         // 0, 1, 2, ...
  Ones,         // 1, 1, 1, ...
  Alternating,  // 1, -1, 1, ... (unsigned: 1, 0, 1, ...)
  Random,       // splitmix64(seed + i) mod 101
  Digits,       // splitmix64(seed + i) mod 10
  Given,        // a person's own: Experiment::given
};
// Those that need no file, in the order in which they are offered.
inline constexpr std::array kDataPatterns{DataPattern::Digits, DataPattern::Random, DataPattern::Ramp,
                                          DataPattern::Ones, DataPattern::Alternating};

// In what order the CPU executor lets the threads of a block run. A correct kernel gives the same in all.
enum class Schedule : std::uint8_t { LaneByLane, WarpByWarp, Lockstep, Random };
inline constexpr std::array kSchedules{Schedule::LaneByLane, Schedule::WarpByWarp, Schedule::Lockstep,
                                       Schedule::Random};

// In what order the CPU executor lets the blocks of a launch run (engine/host/executor/grid_runner.h). What
// does not depend on the order in which blocks end is the same in all.
enum class BlockOrder : std::uint8_t { InOrder, Reversed, Random, Interleaved };
inline constexpr std::array kBlockOrders{BlockOrder::InOrder, BlockOrder::Reversed, BlockOrder::Random,
                                         BlockOrder::Interleaved};

// What a person wrote: combine(a, b) as an expression of CUDA C++, and its identity, a number.
struct CustomOperator {
  std::string combine;             // "a > b ? a : b"
  std::string identity;            // "0", as written
  std::uint64_t identityBits = 0;  // the same as bits of the type
  friend bool operator==(const CustomOperator&, const CustomOperator&) = default;
};

// A person's own input: elements as bits of the type (zero-extended). For a merge the lists one after
// another.
struct GivenData {
  std::string name = {};  // the name of the file it came from
  std::vector<std::uint64_t> values = {};
  std::vector<std::uint32_t> listLengths = {};  // a merge's lists', in order; empty: no lists were given
  friend bool operator==(const GivenData&, const GivenData&) = default;
};

using SharedData = Shared<GivenData>;

struct Experiment {
  std::string variant;  // a catalogue id
  ElementType type = ElementType::Int;
  Operator op = Operator::Add;
  unsigned threads = 256;                // per block
  std::uint64_t elements = 0;            // n; the input is filled up to whole blocks with the identity
  DataPattern data = DataPattern::Ramp;  // what a person begins with: kernels::defaultData()
  std::uint64_t seed = 1;
  unsigned launch = 0;  // in which launch ...
  std::uint64_t block =
      0;  // ... this block is inspected; the other launches inspect the blocks its data pass through
  Schedule schedule = Schedule::LaneByLane;     // on the CPU executor; a GPU has its own
  std::uint64_t scheduleSeed = 1;               // for Schedule::Random
  unsigned lists = 0;                           // how many lists a merge has; 0: one per thread
  CustomOperator custom{};                      // for Operator::Custom
  SharedData given{};                           // for DataPattern::Given
  BlockOrder blockOrder = BlockOrder::InOrder;  // on the CPU executor; a GPU has its own
  std::uint64_t blockOrderSeed = 1;             // for BlockOrder::Random
  // A kernel that the catalogue does not have, whose id `variant` then is; none: the catalogue's. Whoever
  // needs the kernel asks kernels::kernelOf(). Messages carry it; recordings have its text alone.
  Shared<Kernel> kernel{};
  unsigned gpus = 1;  // devices that take part, of a variant of several GPUs; 1 of any other
  friend bool operator==(const Experiment&, const Experiment&) = default;
};

// Recorded of a person's file, by whose name it is called.
inline bool isOwnKernel(const Experiment& experiment) { return experiment.variant.ends_with(".cu"); }

// Names as the command line and the JSON have them: "digits". The parsers do not take what needs more than a
// name: "given".
std::string_view nameOf(DataPattern data);
std::string_view nameOf(Schedule schedule);  // "lane by lane", "warp by warp", "lockstep", "random"
std::string_view nameOf(BlockOrder order);   // "in order", "reversed", "random", "interleaved"
std::optional<DataPattern> parseDataPattern(std::string_view name);
std::optional<Schedule> parseSchedule(std::string_view name);      // also "lanes", "warps"
std::optional<BlockOrder> parseBlockOrder(std::string_view name);  // also "in-order"

bool isSeeded(DataPattern data);  // Experiment::seed decides its values

// All values, those that are not offered by name too: what files may hold.
constexpr auto allOf(DataPattern) {
  return std::array{DataPattern::Ramp,   DataPattern::Ones,   DataPattern::Alternating,
                    DataPattern::Random, DataPattern::Digits, DataPattern::Given};
}
constexpr auto allOf(Schedule) { return kSchedules; }
constexpr auto allOf(BlockOrder) { return kBlockOrders; }

// The fields as files and messages have them (base/describe.h).
template <class Fields, Described<CustomOperator> Value>
constexpr void describe(Fields&& fields, Value& custom) {
  fields("combine", custom.combine);
  fields("identity", custom.identity);
  fields("identity_bits", custom.identityBits);
}

template <class Fields, Described<GivenData> Value>
constexpr void describe(Fields&& fields, Value& data) {
  fields("name", data.name);
  fields("values", data.values);
  fields("list_lengths", data.listLengths);
}

template <class Fields, Described<Experiment> Value>
constexpr void describe(Fields&& fields, Value& experiment) {
  fields("variant", experiment.variant);
  fields("type", experiment.type);
  fields("op", experiment.op);
  fields("threads", experiment.threads);
  fields("elements", experiment.elements);
  fields("data", experiment.data);
  fields("seed", experiment.seed);
  fields("launch", experiment.launch);
  fields("block", experiment.block);
  fields("schedule", experiment.schedule);
  fields("schedule_seed", experiment.scheduleSeed);
  fields("lists", experiment.lists);
  fields("custom", experiment.custom);
  fields("given", experiment.given);
  fields("block_order", experiment.blockOrder);
  fields("block_order_seed", experiment.blockOrderSeed);
  fields("kernel", experiment.kernel);
  fields("gpus", experiment.gpus);
}

}  // namespace stridescope::model
