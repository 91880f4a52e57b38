#include "narration/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
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

// "elements 512 to 1,023 of in"
std::string elementsText(const model::LaunchTrace& launch, const analysis::DeviceTransfer& transfer) {
  if (transfer.elements == 1)
    return fmt::format("element {} of {}", figure(transfer.first), arrayOf(launch, transfer).name);
  return fmt::format("elements {} to {} of {}", figure(transfer.first),
                     figure(transfer.first + transfer.elements - 1), arrayOf(launch, transfer).name);
}

// What the shown GPU loads from others, or stores on them: transfers of the same elements are told together.
std::vector<std::string> ownTransfers(const RoundAt& at, bool loads) {
  const analysis::DeviceRound* const round = devicesIn(at);
  const unsigned own = at.launch.recorded().device;
  std::vector<std::pair<const analysis::DeviceTransfer*, std::vector<unsigned>>> groups;
  for (const analysis::DeviceTransfer& transfer : round->transfers) {
    if (transfer.by != own || transfer.isLoad() != loads) continue;
    const auto same = std::ranges::find_if(groups, [&](const auto& group) {
      return group.first->buffer == transfer.buffer && group.first->first == transfer.first &&
             group.first->elements == transfer.elements;
    });
    const unsigned other = loads ? transfer.from : transfer.to;
    if (same == groups.end())
      groups.push_back({&transfer, {other}});
    else
      same->second.push_back(other);
  }
  std::vector<std::string> texts;
  for (auto& [transfer, others] : groups) {
    std::ranges::sort(others);
    texts.push_back(fmt::format("{} {} {}", elementsText(at.launch, *transfer), loads ? "from" : "on", gpus(others)));
  }
  return texts;
}

bool loadsOwn(const RoundAt& at) {
  const unsigned own = at.launch.recorded().device;
  return std::ranges::any_of(at.launch.recorded().events, [&](const model::Event& event) {
    return event.kind() == model::EventKind::Load && event.inGlobal() &&
           at.launch.buffers[event.buffer()].deviceAt(event.offset()) == own;
  });
}

bool storesAnything(const RoundAt& at) {
  return std::ranges::any_of(at.launch.recorded().events, [](const model::Event& event) {
    return event.kind() == model::EventKind::Store && event.inGlobal();
  });
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
        messages.waited.insert(unsigned(event.offset() % array.copyBytes() /
                                        (array.copyBytes() / at.launch.devices)));
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
  const analysis::DeviceRound* const round = devicesIn(at);
  const std::string own = gpu(at.launch.recorded().device);
  if (round == nullptr) return {own + " does its part"};
  const std::vector<std::string> loads = ownTransfers(at, true), stores = ownTransfers(at, false);
  std::string text;
  if (!loads.empty()) text = fmt::format("{} loads {}", own, listed(loads));
  const bool combines = loadsOwn(at);
  if (!loads.empty() && combines) text += ", combines them with its own";
  if (!loads.empty())
    text += !stores.empty() ? fmt::format(", and stores {}", listed(stores)) : ", and stores the results in its own memory";
  if (loads.empty())
    text = !storesAnything(at) ? fmt::format("{} has no turn", own)
                               : fmt::format("{} copies its own elements to its result", own);
  const std::string links = linksClause(analysis::linksIn(at.launch, *round));
  return {text, links.empty() ? "nothing goes from GPU to GPU" : links};
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
    clauses.push_back(fmt::format("{} waits for the {} of {}", own, messages.waited.size() == 1 ? "word" : "words",
                                  gpus({messages.waited.begin(), messages.waited.end()})));
  return listed(clauses);
}

std::string transferLine(const model::LaunchTrace& launch, const analysis::DeviceTransfer& transfer) {
  const std::string range = transfer.elements == 1
                                ? fmt::format("[{}]", transfer.first)
                                : fmt::format("[{}..{}]", transfer.first, transfer.first + transfer.elements - 1);
  return fmt::format("{} -> {}  {}{}, {} bytes, which {} {}", gpu(transfer.from), gpu(transfer.to),
                     arrayOf(launch, transfer).name, range, figure(transfer.bytes), gpu(transfer.by),
                     transfer.isMessage ? "sends" : transfer.isLoad() ? "loads" : "stores");
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
      text += wrapped(fmt::format("{:>7}  {}", gpu(device), row), 100) + "\n";
    }
  }
  for (const analysis::DeviceTransfer& transfer : round->transfers)
    text += fmt::format("{:>7}  {}\n", "", transferLine(at.launch, transfer));
  for (const analysis::DeviceWait& wait : round->waits)
    text += fmt::format("{:>7}  thread {} of {} waits for {}\n", "", wait.thread, gpu(wait.device), gpu(wait.of));
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
        "Race between GPUs: {} (line {}) and {} (line {}) access {}[{}] of {}, one of them stores, and no message "
        "orders them. Let a word with release and acquire order, or the end of a launch, stand between.",
        gpu(race.first), lineOf(race.firstSite), gpu(race.second), lineOf(race.secondSite), array.name,
        figure(race.element), gpu(race.device)));
  }
  return sentences;
}

}  // namespace stridescope::narration
