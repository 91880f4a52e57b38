#include "hand_built.h"

#include <algorithm>
#include <map>

#include "analysis/requests.h"

namespace stridescope::narration {

using recording::eventHead;
using recording::kGlobalSpace;
using recording::kSharedSpace;

namespace {
constexpr std::uint32_t kOut = 1;  // an index into the buffers in and out
}

HandBuilt::HandBuilt(unsigned threads) {
  trace.experiment = {.variant = "interleaved_contiguous",
                      .type = model::ElementType::Int,
                      .op = model::Operator::Add,
                      .threads = threads,
                      .elements = threads,
                      .data = model::DataPattern::Ramp,
                      .seed = 1,
                      .launch = 0,
                      .block = 0};
  model::LaunchTrace launchTrace;
  launchTrace.block = threads;
  launchTrace.elements = threads;
  launchTrace.recorded().shared = {{"data", 4, 4ull * threads, model::ElementType::Int}};
  launchTrace.buffers = {{"in", 4, 8ull * threads, model::ElementType::Int, model::ParameterRole::Input},
                         {"out", 4, 4, model::ElementType::Int, model::ParameterRole::Output}};
  trace.launches.push_back(launchTrace);
}

void HandBuilt::round(analysis::RoundEnd end, std::optional<std::uint64_t> stride,
                      const std::function<bool(unsigned)>& active) {
  analysis::Round round;
  round.stride = stride;
  round.endsWith = end;
  round.divergentBranches = 0;
  const unsigned threads = launch().block;
  for (unsigned first = 0; first < threads; first += model::kWarpSize) {
    const unsigned lanes = std::min(model::kWarpSize, threads - first);
    unsigned working = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) working += active(first + lane) ? 1u : 0u;
    for (unsigned lane = 0; lane < lanes; ++lane)
      round.lanes.push_back(active(first + lane) ? analysis::LaneState::Active
                            : working > 0        ? analysis::LaneState::Inactive
                                                 : analysis::LaneState::IdleWarp);
    round.activeLanes += working;
    round.activeWarps += working > 0 ? 1 : 0;
    round.partialWarps += working > 0 && working < lanes ? 1 : 0;
  }
  const std::size_t bytes = std::size_t(launch().recorded().shared[0].bytes);
  round.snapshot.bytes.assign(bytes, 0);
  round.snapshot.known.assign(bytes, false);
  analysis.rounds.push_back(round);
  flow.emplace_back().liveAfter = {std::vector<bool>(threads, false)};
}

void HandBuilt::finish(const std::function<bool(unsigned)>& finished) {
  auto& lanes = analysis.rounds.back().lanes;
  for (unsigned thread = 0; thread < lanes.size(); ++thread)
    if (finished(thread)) lanes[thread] = analysis::LaneState::Finished;
}

int HandBuilt::access(model::EventKind kind, bool shared, const std::string& text,
                      const std::vector<Touch>& touched, const analysis::BankUse& banks) {
  return access(kind, shared, text, touched, [&](unsigned) { return banks; });
}

int HandBuilt::access(model::EventKind kind, bool shared, const std::string& text,
                      const std::vector<Touch>& touched,
                      const std::function<analysis::BankUse(unsigned)>& banksOfWarp) {
  analysis::Round& round = analysis.rounds.back();
  const int site = int(trace.sites.size());
  model::Site entry;
  entry.id = site;
  entry.line = site + 1;
  entry.column = 1;
  entry.length = int(text.size());
  entry.text = text;
  trace.sites.push_back(entry);

  const bool device = !shared;
  const std::uint32_t array = device && kind != model::EventKind::Load ? kOut : 0;
  const recording::U32 space = (shared ? kSharedSpace : kGlobalSpace) + array;
  std::map<unsigned, analysis::WarpOperation> byWarp;
  for (const Touch& touch : touched) {
    analysis::WarpOperation& operation = byWarp[touch.thread / model::kWarpSize];
    operation.warp = touch.thread / model::kWarpSize;
    operation.site = std::uint32_t(site);
    operation.kind = kind;
    operation.mask |= 1u << (touch.thread % model::kWarpSize);
    operation.event[touch.thread % model::kWarpSize] = std::uint32_t(launch().recorded().events.size());
    launch().recorded().events.push_back(
        {eventHead(touch.element * 4, recording::U32(site), kind, space, 2), touch.bits});
  }
  analysis::Request request{{.site = std::uint32_t(site), .kind = kind, .shared = shared}};
  for (auto& [warp, operation] : byWarp) {
    operation.banks = banksOfWarp(warp);
    if (device) {
      const analysis::SectorUse use = analysis::countSectors(analysis::addressesOf(operation, launch()));
      operation.sectors = use.sectors;
      operation.idealSectors = use.ideal;
      request.sectors += use.sectors;
      request.idealSectors += use.ideal;
    }
    ++request.requests;
    request.wavefronts += operation.banks.wavefronts;
    request.ideal += operation.banks.ideal;
    request.way = std::max(request.way, operation.banks.way);
    for (unsigned bank = 0; bank < analysis::kBankCount; ++bank)
      request.bankWords[bank] = std::max(request.bankWords[bank], operation.banks.words[bank]);
    const auto index = std::uint32_t(round.operations.size());
    request.operations.push_back(index);
    round.operations.push_back(operation);
    for (const Touch& touch : touched) {
      if (touch.thread / model::kWarpSize != warp) continue;
      auto& work = flow.back().work;
      auto own = std::ranges::find(work, touch.thread, &analysis::ThreadWork::thread);
      if (own == work.end()) {
        work.push_back({.thread = touch.thread, .a = {}, .b = {}, .result = {}, .useful = true});
        own = work.end() - 1;
      }
      const analysis::Operand operand{.shared = shared,
                                      .array = array,
                                      .element = touch.element,
                                      .bits = touch.bits,
                                      .site = std::uint32_t(site),
                                      .inRegister = false};
      if (kind != model::EventKind::Load)
        own->result = operand;
      else
        (own->a ? own->b : own->a) = operand;
    }
  }
  round.requests.push_back(request);
  return site;
}

void HandBuilt::combine(unsigned count, const std::function<std::uint64_t(unsigned)>& a,
                        const std::function<std::uint64_t(unsigned)>& b, const analysis::BankUse& banks) {
  access(model::EventKind::Load, true, "data[a]", touches(count, a), banks);
  access(model::EventKind::Load, true, "data[b]", touches(count, b), banks);
  access(model::EventKind::Store, true, "data[a]", touches(count, a), banks);
}

std::vector<Touch> touches(unsigned count, const std::function<std::uint64_t(unsigned)>& element) {
  std::vector<Touch> list;
  for (unsigned thread = 0; thread < count; ++thread) list.push_back({thread, element(thread), thread});
  return list;
}

}  // namespace stridescope::narration
