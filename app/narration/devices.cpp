#include "narration/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "analysis/event_groups.h"
#include "base/numbers.h"
#include "model/array_names.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

std::string gpu(unsigned device) { return "GPU " + std::to_string(device); }

// "GPU 1", "GPUs 1 and 2", "GPUs 1 to 7"
std::string gpus(const std::vector<unsigned>& devices) {
  if (devices.size() == 1) return gpu(devices.front());
  const bool isRun = devices.size() > 2 && devices.back() - devices.front() + 1 == devices.size();
  if (isRun) return fmt::format("GPUs {} to {}", devices.front(), devices.back());
  std::vector<std::string> numbers;
  for (const unsigned device : devices) numbers.push_back(std::to_string(device));
  return "GPUs " + listed(numbers);
}

std::vector<unsigned> devicesOf(std::uint32_t mask) {
  std::vector<unsigned> devices;
  for (unsigned device = 0; device < model::kMaxGpus; ++device)
    if ((mask >> device & 1) != 0) devices.push_back(device);
  return devices;
}

const model::Array& arrayOf(const model::LaunchTrace& launch, const analysis::DeviceTransfer& transfer) {
  return launch.buffers[transfer.buffer];
}

// The elements of an array that the shown GPU accesses on a device in the round, or in the pass.
struct Accessed {
  std::uint32_t buffer = 0;
  unsigned device = 0;
  std::set<std::uint64_t> elements{};
  std::uint64_t first() const { return *elements.begin(); }
  std::uint64_t last() const { return *elements.rbegin(); }
};

// Its loads, or its stores, by buffer and device.
std::vector<Accessed> accessedBy(const RoundAt& at, bool loads) {
  std::map<std::pair<std::uint32_t, unsigned>, Accessed> found;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (!analysis::isAccess(operation.kind) || (operation.kind == model::EventKind::Load) != loads) continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = at.launch.recorded().events[operation.event[lane]];
      if (!event.inGlobal()) return;
      const model::Array& array = at.launch.buffers[event.buffer()];
      const unsigned device = array.deviceAt(event.offset());
      Accessed& accessed = found[{event.buffer(), device}];
      accessed.buffer = event.buffer(), accessed.device = device;
      const std::uint64_t element = (event.offset() - device * array.copyBytes()) / array.elementBytes;
      for (unsigned i = 0; i < std::max(1u, event.width() / array.elementBytes); ++i)
        accessed.elements.insert(element + i);
    });
  }
  std::vector<Accessed> all;
  for (const auto& [place, accessed] : found) all.push_back(accessed);
  return all;
}

// "elements 512 to 1,023 of in", "64 of elements 512 to 1,023 of in"
std::string elementsText(const RoundAt& at, const Accessed& accessed) {
  const std::string& name = at.launch.buffers[accessed.buffer].name;
  if (accessed.elements.size() == 1) return fmt::format("element {} of {}", figure(accessed.first()), name);
  const bool areAll = accessed.last() - accessed.first() + 1 == accessed.elements.size();
  return fmt::format("{}elements {} to {} of {}", areAll ? "" : figure(accessed.elements.size()) + " of ",
                     figure(accessed.first()), figure(accessed.last()), name);
}

// What the shown GPU does with the memory of the others: the same elements of several are told together.
std::vector<std::string> ofOthers(const RoundAt& at, const std::vector<Accessed>& all,
                                  std::string_view preposition) {
  std::vector<std::pair<const Accessed*, std::vector<unsigned>>> groups;
  for (const Accessed& accessed : all) {
    if (accessed.device == at.launch.recorded().device) continue;
    const auto same = std::ranges::find_if(groups, [&](const auto& group) {
      return group.first->buffer == accessed.buffer && group.first->elements == accessed.elements;
    });
    if (same == groups.end())
      groups.push_back({&accessed, {accessed.device}});
    else
      same->second.push_back(accessed.device);
  }
  std::vector<std::string> texts;
  for (const auto& [accessed, others] : groups)
    texts.push_back(fmt::format("{} {} {}", elementsText(at, *accessed), preposition, gpus(others)));
  return texts;
}

// What it does with its own.
const Accessed* ofItself(const RoundAt& at, const std::vector<Accessed>& all) {
  const auto own = std::ranges::find(all, at.launch.recorded().device, &Accessed::device);
  return own == all.end() ? nullptr : &*own;
}

// What the shown block sends to other GPUs, and whose words it waits for.
struct Messages {
  std::set<unsigned> to, waited;
  std::uint64_t bytes = 0;
};

Messages messagesIn(const RoundAt& at) {
  Messages messages;
  if (at.launch.devices == 1) return messages;
  const model::BlockTrace& block = at.launch.recorded();
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (!analysis::isAccess(operation.kind)) continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = block.events[operation.event[lane]];
      if (!event.inGlobal()) return;
      const model::Array& array = at.launch.buffers[event.buffer()];
      const unsigned device = array.deviceAt(event.offset());
      if (event.kind() != model::EventKind::Load && device != block.device)
        messages.to.insert(device), messages.bytes += event.width();
      if (event.kind() == model::EventKind::Load && array.role == model::ParameterRole::Inbox)
        messages.waited.insert(
            unsigned(event.offset() % array.copyBytes() / (array.copyBytes() / at.launch.devices)));
    });
  }
  return messages;
}

// The result's parts; nullptr: they are not followed.
const std::vector<std::vector<analysis::DevicePart>>* resultAfter(const RoundAt& at) {
  const auto result = model::indexOfRole(at.launch.buffers, model::ParameterRole::Output);
  const auto& after = at.analysis.traffic.partsAfter;
  return result && at.index < after.size() ? &after[at.index][*result] : nullptr;
}

}  // namespace

const analysis::DeviceRound* devicesIn(const RoundAt& at) {
  const auto& rounds = at.analysis.traffic.rounds;
  return at.launch.devices > 1 && at.index < rounds.size() ? &rounds[at.index] : nullptr;
}

bool combinesArrays(const model::LaunchTrace& launch) {
  const auto isArray = [](const model::Array& buffer) {
    return buffer.role == model::ParameterRole::Input || buffer.role == model::ParameterRole::Output;
  };
  return launch.devices > 1 && std::ranges::all_of(launch.buffers, isArray);
}

std::string stepName(const RoundAt& at) {
  const std::size_t launches = at.trace.launches.size();
  if (!combinesArrays(at.launch) || launches < 2) return {};
  const auto number = std::size_t(&at.launch - at.trace.launches.data());
  if (number >= launches) return {};
  return fmt::format("step {} of {}", figure(number + 1), figure(launches));
}

std::vector<std::string> arrayClauses(const RoundAt& at) {
  const std::vector<Accessed> loads = accessedBy(at, true), stores = accessedBy(at, false);
  const std::vector<std::string> remoteLoads = ofOthers(at, loads, "from"),
                                 remoteStores = ofOthers(at, stores, "on");
  const Accessed *const ownLoads = ofItself(at, loads), *const ownStores = ofItself(at, stores);
  std::vector<std::string> acts;
  if (!remoteLoads.empty()) acts.push_back("loads " + listed(remoteLoads));
  if (ownLoads != nullptr)
    acts.push_back(remoteLoads.empty() ? "loads its own " + elementsText(at, *ownLoads)
                                       : "combines them with its own");
  if (!remoteStores.empty())
    acts.push_back("stores " + listed(remoteStores));
  else if (ownStores != nullptr)
    acts.push_back("stores " +
                   std::string(remoteLoads.empty() ? elementsText(at, *ownStores) : "the results") +
                   " in its own memory");
  const std::string own = gpu(at.launch.recorded().device);
  std::vector<std::string> clauses{acts.empty() ? own + " has no turn" : own + " " + listed(acts)};
  const analysis::DeviceRound* const round = devicesIn(at);
  if (round == nullptr || at.pass != nullptr) return clauses;
  const std::string links = linksClause(analysis::linksIn(at.launch, *round));
  clauses.push_back((links.empty() ? "nothing goes from GPU to GPU" : links) + ofRecordedBlocks(at.launch));
  return clauses;
}

std::string ofRecordedBlocks(const model::LaunchTrace& launch) {
  const std::uint64_t blocks = launch.blocksOfDevice();
  if (blocks == 1) return {};
  return fmt::format(" (of block {} of each GPU's {})", figure(launch.recorded().block % blocks),
                     figure(blocks));
}

std::string linksClause(const analysis::DeviceLinks& links) {
  std::size_t used = 0;
  std::uint64_t least = 0, most = 0;
  for (const std::uint64_t bytes : links.bytes) {
    if (bytes == 0) continue;
    least = used == 0 ? bytes : std::min(least, bytes);
    most = std::max(most, bytes);
    ++used;
  }
  if (used == 0) return {};
  const std::string bytes =
      least == most ? figure(most) + " bytes" : fmt::format("{} to {} bytes", figure(least), figure(most));
  return used == 1 ? fmt::format("1 link carries {}", bytes)
                   : fmt::format("{} links carry {} each", figure(used), bytes);
}

bool waitsForDevices(const RoundAt& at) { return !messagesIn(at).waited.empty(); }

std::string messageClause(const RoundAt& at) {
  if (at.launch.devices == 1 || combinesArrays(at.launch)) return {};
  const std::string own = gpu(at.launch.recorded().device);
  const Messages messages = messagesIn(at);
  std::vector<std::string> clauses;
  if (!messages.to.empty())
    clauses.push_back(fmt::format("{} sends {} bytes into the memory of {}", own, figure(messages.bytes),
                                  gpus({messages.to.begin(), messages.to.end()})));
  if (!messages.waited.empty())
    clauses.push_back(fmt::format("{} waits for the {} of {}, and combines the {}", own,
                                  messages.waited.size() == 1 ? "word" : "words",
                                  gpus({messages.waited.begin(), messages.waited.end()}),
                                  messages.waited.size() == 1 ? "result" : "results in their order"));
  return listed(clauses);
}

std::string transferLine(const model::LaunchTrace& launch, const analysis::DeviceTransfer& transfer) {
  const std::uint64_t first = transfer.runs.front().first, last = transfer.runs.back().end - 1;
  std::string range = first == last ? fmt::format("[{}]", first) : fmt::format("[{}..{}]", first, last);
  if (transfer.runs.size() > 1) range += fmt::format(" ({} elements of these)", figure(transfer.elements()));
  return fmt::format("{} -> {}  {}{}, {} bytes, which {} {}", gpu(transfer.from), gpu(transfer.to),
                     arrayOf(launch, transfer).name, range, figure(transfer.bytes), gpu(transfer.by),
                     transfer.isMessage  ? "sends"
                     : transfer.isLoad() ? "loads"
                                         : "stores");
}

std::string partText(std::uint32_t of, unsigned devices) {
  if (of == 0) return "nothing yet";
  if (unsigned(std::popcount(of)) == devices) return "of all GPUs";
  return "of " + gpus(devicesOf(of));
}

std::string devicesMap(const RoundAt& at) {
  const analysis::DeviceRound* const round = devicesIn(at);
  if (round == nullptr) return {};
  std::string text;
  if (const auto* const result = resultAfter(at)) {
    text += fmt::format("{:>7}  after the round\n", "out");
    for (unsigned device = 0; device < result->size(); ++device) {
      std::string row;
      for (const analysis::DevicePart& part : (*result)[device])
        row += fmt::format("{}[{}..{}] {}", row.empty() ? "" : ", ", part.first, part.end - 1,
                           partText(part.of, at.launch.devices));
      std::string lines = wrapped(row, 91);
      for (std::size_t end = 0; (end = lines.find('\n', end)) != std::string::npos; end += 10)
        lines.insert(end + 1, 9, ' ');
      text += fmt::format("{:>7}  {}\n", gpu(device), lines);
    }
  }
  for (const analysis::DeviceTransfer& transfer : round->transfers)
    text += fmt::format("{:>7}  {}\n", "", transferLine(at.launch, transfer));
  for (const analysis::DeviceWait& wait : round->waits)
    text +=
        fmt::format("{:>7}  thread {} of {} waits for {}\n", "", wait.thread, gpu(wait.device), gpu(wait.of));
  return text;
}

std::string linksMap(const RoundAt& at) {
  if (at.launch.devices < 2 || &at.launch != &at.trace.launches.back()) return {};
  const analysis::DeviceLinks links = at.analysis.before + analysis::linksOf(at.launch, at.analysis.traffic);
  if (links.bytes.empty() || links.all() == 0) return {};
  constexpr int kWidth = 11;
  std::string text = fmt::format("{:>12}", "from \\ to");
  for (unsigned to = 0; to < links.devices; ++to) text += fmt::format("{:>{}}", gpu(to), kWidth);
  text += "\n";
  for (unsigned from = 0; from < links.devices; ++from) {
    text += fmt::format("{:>12}", gpu(from));
    for (unsigned to = 0; to < links.devices; ++to)
      text += fmt::format("{:>{}}", from == to ? "." : figure(links.at(from, to)), kWidth);
    text += "\n";
  }
  if (const std::string blocks = ofRecordedBlocks(at.launch); !blocks.empty())
    text += fmt::format("{:>12}{}\n", "", blocks);
  return text;
}

std::vector<std::string> deviceRaceSentences(const RoundAt& at) {
  std::vector<std::string> sentences;
  const auto lineOf = [&](std::uint32_t site) {
    return site < at.trace.sites.size() ? at.trace.sites[site].line : 0;
  };
  for (const analysis::DeviceRace& race : at.analysis.traffic.races) {
    const model::Array& array = at.launch.buffers[race.buffer];
    sentences.push_back(fmt::format(
        "Race between GPUs: {} (line {}) and {} (line {}) access {}[{}] of {}, one of them stores, and no "
        "message "
        "orders them. Let a word with release and acquire order, or the end of a launch, stand between.",
        gpu(race.first), lineOf(race.firstSite), gpu(race.second), lineOf(race.secondSite), array.name,
        figure(race.element), gpu(race.device)));
  }
  return sentences;
}

}  // namespace stridescope::narration
