#include "engine/access/gpu/access_run.h"

#include <algorithm>
#include <array>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "base/numbers.h"
#include "engine/access/gpu/access_log.h"
#include "engine/access/gpu/clocked_run.h"
#include "engine/access/gpu/loaded_kernels.h"
#include "engine/access/gpu/log_memory.h"
#include "engine/access/gpu/other_acts.h"
#include "engine/access/gpu/patched_kernels.h"
#include "engine/access/gpu/printed_text.h"
#include "engine/access/gpu/shared_places.h"
#include "engine/access/gpu/telling_run.h"
#include "engine/access/gpu/told_acts.h"
#include "engine/gpu/machine_code.h"
#include "model/quantity.h"

namespace stridescope::engine::access::gpu {
namespace {

using engine::gpu::GpuDevice;
using engine::gpu::GpuSession;

constexpr std::chrono::seconds kKernelTime{20};

class AccessRun {
 public:
  AccessRun(GpuSession& session, const SanitizerApi& sanitizer, const GpuAccessOrder& asked, JobControl& job)
      : session_(session),
        device_(*session.device),
        sanitizer_(sanitizer),
        asked_(asked),
        job_(job),
        arrays_(device_),
        log_(device_) {}

  Result<GpuAccessRecord> record() {
    if (job_.progress) job_.progress(0, "compiling " + asked_.order.textFile + " for the GPU");
    auto kernels = PatchedKernels::load(session_, sanitizer_, asked_, Patching::Accesses);
    if (!kernels) return tl::unexpected(kernels.error());
    kernels_ = *std::move(kernels);
    // Meanwhile the kernel runs.
    std::future<std::vector<model::CodeLine>> code;
    if (asked_.wantsCode)
      code = std::async(std::launch::async, [image = kernels_->image(), name = asked_.order.textFile] {
        return engine::gpu::disassembledLines(image, name);
      });
    STRIDESCOPE_TRY(arrays_.fill(asked_.order.buffers));
    GpuAccessRecord answer{.executor = session_.executor()};
    AccessRecord& record = answer.record;
    record.finished = true;
    {
      const PrintedText printed;
      for (std::size_t k = 0; k < asked_.order.launches.size() && record.finished; ++k) {
        if (job_.cancel) return cancelled();
        const AccessLaunch& launch = asked_.order.launches[k];
        if (job_.progress) job_.progress(0, "running " + launch.function);
        auto ended = this->launch(launch, asked_.shared[k]);
        if (!ended) return tl::unexpected(ended.error());
        record.finished = *ended;
      }
      record.printed = printed.text();
    }
    auto buffers = arrays_.contents();
    if (!buffers) return tl::unexpected(buffers.error());
    record.buffers = *std::move(buffers);
    STRIDESCOPE_TRY(hearTold(record.finished));
    for (Recorded& each : launches_) keep(each, record);
    nameSites(record);
    if (asked_.isClocked && record.finished && device_.isUsable()) {
      const ClockedOrder order{
          session_, sanitizer_, asked_, job_, arrays_, log_, [this](const InstructionPlace& place) {
            return siteAt(place);
          }};
      STRIDESCOPE_TRY(clockLaunches(order, answer));
    }
    answer.notes = notes();
    if (code.valid()) answer.code = code.get();
    return answer;
  }

 private:
  // A launch that has run.
  struct Recorded {
    const AccessLaunch& asked;
    model::LaunchTrace trace{};
    LoggedBlock logged{};  // but for what each of the blocks has of its own
    WrittenLog written{};
  };

  // Whether it ended.
  Result<bool> launch(const AccessLaunch& asked, const SharedLayout& layout) {
    auto window = kernels_->windowOf(asked.kernel, layout, asked.sharedBytes);
    if (!window) return tl::unexpected(window.error());
    Recorded recorded{.asked = asked};
    model::LaunchTrace& trace = recorded.trace;
    trace.setShape(asked.grid, asked.block);
    LoggedBlock& logged = recorded.logged;
    logged = {.threads = unsigned(asked.block.count()),
              .shared = window->arrays,
              .windowBegin = window->begin,
              .windowBytes = window->end - window->begin,
              .eventsPerThread = asked_.order.eventsPerThread};
    for (const AccessArgument& argument : asked.arguments)
      for (const AccessPointer& pointer : argument.pointers) {
        const DeviceRange& range = arrays_.ranges()[pointer.buffer];
        if (std::ranges::count(logged.buffers, range.base, &DeviceRange::base) != 0) continue;
        logged.buffers.push_back(range);
        trace.buffers.push_back({.name = pointer.name, .elementBytes = 4, .bytes = range.bytes});
      }
    if (logged.buffers.size() > recording::kMaxBuffers)
      return limitMet(asked.function + " is given " + figure(logged.buffers.size()) + " arrays; " +
                      figure(recording::kMaxBuffers) + " can be recorded.");
    auto values = arrays_.argumentsOf(asked);
    std::vector<void*> arguments = addressesOf(values);

    const RecordedLaunch order{
        .launch = asked, .windowBegin = logged.windowBegin, .windowBytes = logged.windowBytes};
    STRIDESCOPE_TRY(log_.prepare(order, arrays_));
    STRIDESCOPE_TRY(kernels_->launch(asked, arguments, log_.address()));
    STRIDESCOPE_TRY(device_.finish("run " + asked.function, kKernelTime));
    auto written = log_.fetch(order);
    if (!written) return tl::unexpected(written.error());
    recorded.written = *std::move(written);
    placeShared(recorded);
    const bool ended = recorded.written.faults == 0;
    launches_.push_back(std::move(recorded));
    return ended;
  }

  // Dynamic memory, which is the last, stays behind the static arrays.
  void placeShared(Recorded& recorded) const {
    LoggedBlock& logged = recorded.logged;
    if (recorded.written.blocks.empty()) return;
    std::vector<PlacedArray> arrays = logged.shared, dynamic;
    if (recorded.asked.sharedBytes > 0 && !arrays.empty()) {
      dynamic.push_back(std::move(arrays.back()));
      arrays.pop_back();
    }
    const std::uint64_t end = logged.windowBegin + logged.windowBytes - recorded.asked.sharedBytes;
    arrays = placedByAccesses(
        std::move(arrays), end, recorded.written.blocks.front().entries, asked_.text,
        [this](std::uint64_t pc) { return kernels_->placeOf(pc, asked_.order.textFile).line; });
    std::ranges::sort(arrays, {}, &PlacedArray::begin);
    std::ranges::move(dynamic, std::back_inserter(arrays));
    logged.shared = std::move(arrays);
  }

  // The conditions and exchanges of the recorded blocks, if they can be told.
  Result<void> hearTold(bool hasEnded) {
    if (asked_.telling.text.empty()) return {};
    if (!hasEnded) return {};
    if (job_.progress) job_.progress(0, "recording conditions and shuffles of " + asked_.order.textFile);
    std::vector<RecordedLaunch> orders;
    for (const Recorded& each : launches_)
      orders.push_back({.launch = each.asked,
                        .windowBegin = each.logged.windowBegin,
                        .windowBytes = each.logged.windowBytes,
                        .keepsCopies = false});
    auto run = TellingRun::load(session_, sanitizer_, asked_);
    auto told = run ? (*run)->written(orders, arrays_, log_, job_) : tl::unexpected(run.error());
    if (job_.cancel) return cancelled();
    if (!told) {
      whyNotTold_ = told.error().sentence;
      return {};
    }
    const LineOf recordedLine = [&](std::uint64_t pc) {
      return kernels_->placeOf(pc, asked_.order.textFile).line;
    };
    const LineOf tellingLine = [&](std::uint64_t pc) {
      return (*run)->placeOf(pc, asked_.order.textFile).line;
    };
    std::vector<std::vector<patched::Entry>> all;
    for (std::size_t k = 0; k < launches_.size(); ++k)
      for (std::size_t b = 0; b < launches_[k].written.blocks.size(); ++b) {
        const bool isWhole = launches_[k].written.dropped == 0 && (*told)[k].dropped == 0;
        auto together = !isWhole ? std::nullopt
                                 : withTold({launches_[k].written.blocks[b].entries, recordedLine},
                                            {(*told)[k].blocks[b].entries, tellingLine},
                                            launches_[k].logged.threads, asked_.telling.conditions);
        if (!together) {
          whyNotTold_ = isWhole ? "Threads came to other barriers or shuffles when they ran once more."
                                : "There are too many of them to be kept.";
          return {};
        }
        all.push_back(*std::move(together));
      }
    auto next = all.begin();
    for (Recorded& each : launches_)
      for (WrittenBlock& block : each.written.blocks) block.entries = std::move(*next++);
    telling_ = *std::move(run);
    return {};
  }

  // The log becomes the trace.
  void keep(Recorded& recorded, AccessRecord& record) {
    model::LaunchTrace& trace = recorded.trace;
    trace.blocks.resize(recorded.written.blocks.size());
    for (std::size_t b = 0; b < trace.blocks.size(); ++b) {
      WrittenBlock& written = recorded.written.blocks[b];
      LoggedBlock logged = recorded.logged;
      logged.entries = std::move(written.entries);
      logged.copies = std::move(written.copies);
      logged.dropped = recorded.written.dropped;
      trace.blocks[b].block = written.block;
      hasUntoldShuffles_ =
          hasUntoldShuffles_ ||
          std::ranges::count(logged.entries, patched::EntryKind::Shuffle, &patched::Entry::kind) != 0;
      const std::vector<UnshownEntry> unshown = readLog(logged, instructions_, trace.blocks[b]);
      keepOthers(logged, unshown, trace, trace.blocks[b]);
    }
    for (std::size_t i = 0; i < missed_.size(); ++i) missed_[i] += recorded.written.missed[i];
    if (recorded.written.faults > 0) tellFault(recorded);
    record.launches.push_back(std::move(trace));
  }

  // What no event shows.
  void keepOthers(const LoggedBlock& logged, const std::vector<UnshownEntry>& unshown,
                  const model::LaunchTrace& trace, model::BlockTrace& block) {
    std::vector<std::string> names;
    for (const model::Array& buffer : trace.buffers) names.push_back(buffer.name);
    const auto lineOf = [this](std::uint64_t pc) { return placeOf(pc).line; };
    block.others = otherActsOf(logged, unshown, names, lineOf);
  }

  void tellFault(Recorded& recorded) {
    const patched::Fault& fault = recorded.written.fault;
    model::LaunchTrace& trace = recorded.trace;
    std::vector<NamedRange> named;
    const bool isShared = fault.kind == patched::EntryKind::Shared;
    for (std::size_t b = 0; !isShared && b < recorded.logged.buffers.size(); ++b)
      named.push_back(
          {trace.buffers[b].name, recorded.logged.buffers[b].base, recorded.logged.buffers[b].bytes});
    for (std::size_t s = 0; isShared && s < recorded.logged.shared.size(); ++s) {
      const PlacedArray& placed = recorded.logged.shared[s];
      named.push_back({placed.array.name, placed.begin, placed.array.bytes});
    }
    const auto found = std::ranges::find(trace.blocks, fault.block, &model::BlockTrace::block);
    const bool isRecorded = found != trace.blocks.end();
    model::BlockTrace& block = isRecorded ? *found : trace.recorded();
    block.problems.insert(block.problems.begin(), problemOf(fault, isRecorded, named, instructions_));
  }

  // The instructions become sites, in the order of the code: the compiler moves them away from that of the
  // text, and lanes are lined up by how far they are. Conditions follow them.
  void nameSites(AccessRecord& record) {
    struct Named {
      std::uint32_t number = 0;
      InstructionPlace place;
      int condition = -1;
    };
    const auto& all = instructions_.all();
    std::vector<Named> named;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      Named each{i, placeOf(all[i].pc)};
      if ((all[i].pc & kConditionMark) != 0) each.condition = int(all[i].pc & kPcBits);
      named.push_back(each);
    }
    std::ranges::sort(named, {}, [&](const Named& each) {
      return std::tuple(each.condition, each.place.function, each.place.offset, all[each.number].kind);
    });
    idOf_.assign(all.size(), 0);
    for (const Named& each : named) {
      const auto id = std::uint32_t(record.sites.size());
      idOf_[each.number] = id;
      if (each.condition < 0) siteAt_[keyOf(each.place)] = id;
      record.sites.push_back({.id = int(id),
                              .kind = all[each.number].kind,
                              .line = std::max(1, each.place.line),
                              .column = 0,  // the line table of the GPU's code has none
                              .length = 0,
                              .statement = each.place.line,
                              .loops = {},
                              .text = {}});
      record.branches.push_back(each.condition);
    }
    constexpr std::uint64_t kSiteBits = std::uint64_t(0xfff) << 40;
    for (model::LaunchTrace& launch : record.launches)
      for (model::BlockTrace& block : launch.blocks) {
        for (model::Event& event : block.events)
          event.head = (event.head & ~kSiteBits) | std::uint64_t(idOf_[event.site()]) << 40;
        for (model::Problem& problem : block.problems)
          if (problem.site >= 0) problem.site = int(idOf_[std::size_t(problem.site)]);
      }
    record.hasMoreSites = instructions_.isFull();
  }

  InstructionPlace placeOf(std::uint64_t pc) const {
    if ((pc & kConditionMark) != 0) return {};
    if ((pc & kTellingMark) == 0) return kernels_->placeOf(pc, asked_.order.textFile);
    // Code of its own has an order of its own: it follows the other.
    InstructionPlace place = telling_->placeOf(pc & kPcBits, asked_.order.textFile);
    place.function += kOtherFunctions;
    return place;
  }

  static std::uint64_t keyOf(const InstructionPlace& place) {
    return std::uint64_t(place.function) << 40 | place.offset;
  }
  std::uint32_t siteAt(const InstructionPlace& place) const {
    const auto found = siteAt_.find(keyOf(place));
    return found == siteAt_.end() ? recording::kMaxSites : found->second;
  }

  std::vector<std::string> notes() const {
    static constexpr std::array<std::pair<patched::Missed, std::string_view>, patched::kMissed> kNotes{{
        {patched::Missed::AsyncStore, "Asynchronous stores to shared memory (st.async) are not shown."},
        {patched::Missed::BulkReduction, "Bulk reductions to device memory are not shown."},
        {patched::Missed::Matrix, "Accesses of matrix instructions are not shown."},
    }};
    std::vector<std::string> all;
    for (const auto& [what, note] : kNotes)
      if (missed_[std::size_t(what)] > 0) all.emplace_back(note);
    if (!whyNotTold_.empty())
      all.push_back("Which way threads go at conditions is not known of this run. " + whyNotTold_);
    if (hasUntoldShuffles_)
      all.emplace_back(
          "Shuffles whose values are not known are shown as warp barriers: the compiler makes more or fewer "
          "instructions of them than the text has calls of __shfl_sync() and its like.");
    return all;
  }

  static constexpr std::size_t kOtherFunctions = std::size_t(1) << 16;

  GpuSession& session_;
  GpuDevice& device_;
  const SanitizerApi& sanitizer_;
  const GpuAccessOrder& asked_;
  JobControl& job_;
  std::unique_ptr<PatchedKernels> kernels_;
  std::unique_ptr<TellingRun> telling_;  // null: nothing was told
  std::string whyNotTold_;               // a sentence
  DeviceArrays arrays_;
  LogMemory log_;
  std::vector<Recorded> launches_;
  Instructions instructions_;
  std::vector<std::uint32_t> idOf_;                // the site of each
  std::map<std::uint64_t, std::uint32_t> siteAt_;  // by function and offset
  std::array<std::uint64_t, patched::kMissed> missed_{};
  bool hasUntoldShuffles_ = false;
};

}  // namespace

Result<GpuAccessRecord> recordAccesses(GpuSession& session, const SanitizerApi& sanitizer,
                                       const GpuAccessOrder& asked, JobControl& job) {
  return AccessRun(session, sanitizer, asked, job).record();
}

}  // namespace stridescope::engine::access::gpu
