#include "support/trace_builder.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "instrument/instrument.h"
#include "kernels/catalog.h"
#include "kernels/described_arrays.h"

namespace stridescope::support {
namespace {

unsigned log2Of(unsigned width) { return unsigned(std::countr_zero(width)); }

model::Event makeAct(std::uint64_t offset, std::uint32_t site, model::EventKind kind, std::uint64_t value,
                     unsigned width = 1) {
  return {recording::eventHead(offset, site, kind, recording::kNoSpace, log2Of(width)), value};
}

// A parameter of this name in the catalogue; nullptr: there is none.
const model::KernelParameter* parameterOf(std::string_view name) {
  for (const kernels::Variant& variant : kernels::catalog())
    for (const model::KernelParameter& parameter : variant.parameters)
      if (parameter.name == name) return &parameter;
  return nullptr;
}

// What a site of a text that the text pass does not take does.
model::Operation operationOf(const model::Site& site) {
  using model::Operation;
  struct Named {
    std::string_view prefix;
    Operation operation;
  };
  if (site.kind == model::SiteKind::WarpOperation)
    for (const auto& [prefix, operation] : {Named{"__shfl_sync", Operation::ShflIdx},
                                            {"__shfl_up", Operation::ShflUp},
                                            {"__shfl_down", Operation::ShflDown},
                                            {"__shfl_xor", Operation::ShflXor},
                                            {"__reduce", Operation::Reduce},
                                            {"combineWarp", Operation::Reduce},
                                            {"__ballot", Operation::Ballot}})
      if (site.text.starts_with(prefix)) return operation;
  for (const Operation operation : model::allOf(Operation{}))
    if (model::kindOf(operation) == site.kind) return operation;
  return {};
}

}  // namespace

TraceBuilder::TraceBuilder(unsigned threads, model::ElementType type)
    : threads_(threads), type_(type), logs_(threads), touched_(threads), warpBarriers_(threads, 0) {}

std::uint32_t TraceBuilder::site(SiteSpec spec) {
  const int id = int(sites_.size());
  const bool standsInItself = std::ranges::count(spec.loops, id) != 0;
  if (spec.kind == model::SiteKind::Loop && !standsInItself) spec.loops.push_back(id);
  if (spec.statement < 0) spec.statement = 1000 + id;
  sites_.push_back(std::move(spec));
  return std::uint32_t(sites_.size() - 1);
}

std::uint32_t TraceBuilder::sharedArray(std::string name, unsigned elements, unsigned elementBytes) {
  const unsigned bytes = elementBytes != 0 ? elementBytes : model::bytesOf(type_);
  shared_.push_back({{std::move(name), bytes, std::uint64_t(elements) * bytes},
                     std::vector<std::uint8_t>(std::size_t(elements) * bytes)});
  return recording::kSharedSpace + std::uint32_t(shared_.size() - 1);
}

std::uint32_t TraceBuilder::buffer(std::string name, unsigned elements, unsigned elementBytes) {
  const unsigned bytes = elementBytes != 0 ? elementBytes : model::bytesOf(type_);
  buffers_.push_back({{std::move(name), bytes, std::uint64_t(elements) * bytes},
                      std::vector<std::uint8_t>(std::size_t(elements) * bytes)});
  return recording::kGlobalSpace + std::uint32_t(buffers_.size() - 1);
}

TraceBuilder::Memory& TraceBuilder::memoryOf(std::uint32_t space) {
  return space >= recording::kGlobalSpace ? buffers_.at(space - recording::kGlobalSpace)
                                          : shared_.at(space - recording::kSharedSpace);
}

const TraceBuilder::Memory& TraceBuilder::memoryOf(std::uint32_t space) const {
  return const_cast<TraceBuilder*>(this)->memoryOf(space);
}

void TraceBuilder::poke(std::uint32_t space, unsigned element, std::uint64_t bits) {
  Memory& memory = memoryOf(space);
  for (unsigned i = 0; i < std::min(8u, memory.array.elementBytes); ++i)
    memory.bytes.at(std::size_t(element) * memory.array.elementBytes + i) = std::uint8_t(bits >> (8 * i));
}

std::uint64_t TraceBuilder::peek(std::uint32_t space, unsigned element) const {
  const Memory& memory = memoryOf(space);
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < std::min(8u, memory.array.elementBytes); ++i)
    bits |= std::uint64_t(memory.bytes.at(std::size_t(element) * memory.array.elementBytes + i)) << (8 * i);
  return bits;
}

void TraceBuilder::logAccess(unsigned thread, std::uint32_t site, model::EventKind kind, std::uint32_t space,
                             unsigned element, std::uint64_t bits) {
  const unsigned width = memoryOf(space).array.elementBytes;
  const std::uint64_t offset = std::uint64_t(element) * width;
  logs_.at(thread).push_back({recording::eventHead(offset, site, kind, space, log2Of(width)), bits});
  if (width == 16) logs_[thread].push_back({recording::eventHead(offset + 8, site, kind, space, 4, true), 0});
  if (space < recording::kGlobalSpace) touched_[thread].push_back({space, element});
}

std::uint64_t TraceBuilder::load(unsigned thread, std::uint32_t site, std::uint32_t space, unsigned element) {
  const std::uint64_t bits = peek(space, element);
  logAccess(thread, site, model::EventKind::Load, space, element, bits);
  return bits;
}

void TraceBuilder::store(unsigned thread, std::uint32_t site, std::uint32_t space, unsigned element,
                         std::uint64_t bits) {
  poke(space, element, bits);
  logAccess(thread, site, model::EventKind::Store, space, element, bits);
}

void TraceBuilder::atomic(unsigned thread, std::uint32_t site, std::uint32_t space, unsigned element,
                          std::uint64_t operand, std::uint64_t left) {
  poke(space, element, left);
  logAccess(thread, site, model::EventKind::Atomic, space, element, operand);
}

std::uint64_t TraceBuilder::assign(unsigned thread, std::uint32_t site, std::uint64_t bits) {
  logs_[thread].push_back(makeAct(0, site, model::EventKind::Value, bits, model::bytesOf(type_)));
  return bits;
}

void TraceBuilder::branch(unsigned thread, std::uint32_t site, bool taken) {
  raw(thread, makeAct(0, site, model::EventKind::Branch, taken ? 1 : 0));
}

void TraceBuilder::blockBarrier(std::uint32_t site) {
  std::vector<unsigned> all(threads_);
  for (unsigned thread = 0; thread < threads_; ++thread) all[thread] = thread;
  blockBarrier(site, all);
}

void TraceBuilder::blockBarrier(std::uint32_t site, const std::vector<unsigned>& threads) {
  for (const unsigned thread : threads) {
    raw(thread, makeAct(0, site, model::EventKind::BlockBarrier, 0));
    touched_[thread].clear();
  }
  std::vector<std::uint8_t> copy;
  for (const Memory& memory : shared_) copy.insert(copy.end(), memory.bytes.begin(), memory.bytes.end());
  barrierCopies_.push_back(std::move(copy));
}

void TraceBuilder::warpBarrier(std::uint32_t site, unsigned warp, std::uint32_t mask) {
  for (unsigned lane = 0; lane < model::kWarpSize; ++lane) {
    const unsigned thread = warp * model::kWarpSize + lane;
    if ((mask >> lane & 1) == 0 || thread >= threads_) continue;
    raw(thread, makeAct(mask, site, model::EventKind::WarpBarrier, 0));
    const std::uint32_t ordinal = warpBarriers_[thread]++;
    for (const Touched& touched : std::exchange(touched_[thread], {})) {
      const unsigned width = memoryOf(touched.space).array.elementBytes;
      const model::Event word{recording::eventHead(std::uint64_t(touched.element) * width, site,
                                                   model::EventKind::Copied, touched.space, log2Of(width)),
                              peek(touched.space, touched.element)};
      const model::BlockTrace::CopiedWord copied{thread, ordinal, word};
      if (std::ranges::count(copied_, copied) == 0) copied_.push_back(copied);
    }
  }
}

void TraceBuilder::shuffle(std::uint32_t site, unsigned warp,
                           const std::function<unsigned(unsigned lane)>& sourceOf,
                           const std::function<std::uint64_t(unsigned lane)>& given, std::uint32_t lanes) {
  for (unsigned lane = 0; lane < model::kWarpSize; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const unsigned source = sourceOf(lane);
    const bool there = source < model::kWarpSize && (lanes >> source & 1) != 0;
    raw(warp * model::kWarpSize + lane,
        makeAct(lanes, site, model::EventKind::Give, given(lane), model::bytesOf(type_)));
    raw(warp * model::kWarpSize + lane,
        makeAct(lanes | std::uint64_t(source) << 32, site, model::EventKind::Shuffle,
                given(there ? source : lane), model::bytesOf(type_)));
  }
}

void TraceBuilder::warpReduce(std::uint32_t site, unsigned warp,
                              const std::function<std::uint64_t(unsigned lane)>& given, std::uint64_t result,
                              std::uint32_t lanes) {
  for (unsigned lane = 0; lane < model::kWarpSize; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const unsigned thread = warp * model::kWarpSize + lane;
    raw(thread, makeAct(lanes, site, model::EventKind::Give, given(lane), model::bytesOf(type_)));
    raw(thread, makeAct(lanes, site, model::EventKind::WarpReduce, result, model::bytesOf(type_)));
  }
}

void TraceBuilder::vote(std::uint32_t site, unsigned warp,
                        const std::function<bool(unsigned lane)>& predicate, std::uint32_t lanes) {
  std::uint32_t ballot = 0;
  for (unsigned lane = 0; lane < model::kWarpSize; ++lane)
    if ((lanes >> lane & 1) != 0 && predicate(lane)) ballot |= 1u << lane;
  for (unsigned lane = 0; lane < model::kWarpSize; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    raw(warp * model::kWarpSize + lane, makeAct(lanes, site, model::EventKind::Give, ballot >> lane & 1));
    raw(warp * model::kWarpSize + lane, makeAct(lanes, site, model::EventKind::Vote, ballot));
  }
}

model::Site TraceBuilder::locate(const SiteSpec& spec, int id) const {
  model::Site site{.id = id,
                   .kind = spec.kind,
                   .line = id + 1,
                   .column = 1,
                   .length = int(spec.text.size()),
                   .statement = spec.statement,
                   .loops = spec.loops,
                   .text = spec.text,
                   .handsOver = spec.handsOver,
                   .isAtomic = spec.isAtomic};
  if (kernelText_.empty()) return site;
  std::size_t at = kernelText_.find(spec.text);
  for (int i = 1; i < spec.occurrence && at != std::string::npos; ++i)
    at = kernelText_.find(spec.text, at + 1);
  if (at == std::string::npos) throw std::logic_error("the kernel's text has no " + spec.text);
  const auto before = std::string_view(kernelText_).substr(0, at);
  const std::size_t lineStart = before.find_last_of('\n');
  site.line = 1 + int(std::ranges::count(before, '\n'));
  site.column = int(lineStart == std::string_view::npos ? at + 1 : at - lineStart);
  return site;
}

model::Trace TraceBuilder::build() const {
  model::Trace trace;
  trace.experiment.variant = "hand_built";
  trace.experiment.type = type_;
  trace.experiment.threads = threads_;
  trace.kernelText = kernelText_;
  for (std::size_t id = 0; id < sites_.size(); ++id) {
    trace.sites.push_back(locate(sites_[id], int(id)));
    if (kernelText_.empty()) trace.kernelText += sites_[id].text + "\n";
  }
  trace.kernel = instrument::modelFor(trace.kernelText, trace.sites);
  if (trace.kernel.sites.empty())
    for (const model::Site& site : trace.sites)
      trace.kernel.sites.push_back({.operation = operationOf(site)});
  model::LaunchTrace& launch = trace.launches.emplace_back();
  launch.block = threads_;
  for (const Memory& memory : shared_) launch.recorded().shared.push_back(memory.array);
  for (const Memory& memory : buffers_) launch.buffers.push_back(memory.array);
  launch.recorded().first.push_back(0);
  for (const auto& log : logs_) {
    launch.recorded().events.insert(launch.recorded().events.end(), log.begin(), log.end());
    launch.recorded().first.push_back(std::uint32_t(launch.recorded().events.size()));
  }
  launch.recorded().barrierCopies = barrierCopies_;
  launch.recorded().copied = copied_;
  kernels::describeArrays(trace);
  for (model::Array& buffer : launch.buffers) {
    const model::KernelParameter* const parameter = parameterOf(buffer.name);
    if (parameter == nullptr) continue;
    buffer.role = parameter->role;
    if (!parameter->type.isElement()) buffer.type.reset();
    // No element of an input is an identity that fills it up.
    const bool input =
        parameter->role == model::ParameterRole::Input || parameter->role == model::ParameterRole::InPlace;
    if (input) launch.elements = buffer.bytes / buffer.elementBytes;
  }
  return trace;
}

}  // namespace stridescope::support
