#include "teaching/thread_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/event_groups.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "teaching/whole_expression.h"

namespace stridescope::teaching {
namespace {

using Number = std::optional<std::uint32_t>;

// One thread that meets the condition: which of its events that is.
struct Meeting {
  unsigned thread = 0;
  std::uint32_t event = 0;
  bool holds = false;
};

}  // namespace

class RoundConditions::Reader {
 public:
  explicit Reader(const narration::RoundAt& at) : at_(at), text_(at.trace.kernelText) { choose(); }

  std::optional<ThreadCondition> of(unsigned thread) const {
    const auto own = std::ranges::find(meetings_, thread, &Meeting::thread);
    if (site_ == nullptr || own == meetings_.end()) return std::nullopt;
    ThreadCondition condition{.line = site_->line,
                              .text = inOneLine(site_->text),
                              .holds = own->holds,
                              .worked = {},
                              .variable = {}};
    if (!known_) return condition;
    std::string worked = printed(words_, *own);
    if (worked != condition.text) condition.worked = std::move(worked);
    condition.variable = computed(words_, *own);
    return condition;
  }

  std::string rule() const {
    if (site_ == nullptr) return {};
    const std::string asks = fmt::format("line {} asks ", site_->line);
    if (!known_) return asks + inOneLine(site_->text);
    const std::string variable = computedByAll(words_);
    return (variable.empty() ? "" : variable + ", and ") + asks + printedForAll(words_);
  }

  std::optional<int> line() const { return site_ == nullptr ? std::nullopt : std::optional(site_->line); }

 private:
  static constexpr unsigned kMaxCalls = 6;

  bool isActive(unsigned thread) const { return at_.round().lanes[thread] == analysis::LaneState::Active; }

  // Chooses the last condition in the round whose outcome tells, for every thread that met it, whether the
  // thread is active. Each thread's first meeting counts; an active thread's first that held.
  void choose() {
    std::map<std::uint32_t, std::map<unsigned, Meeting>> met;  // by site
    for (const analysis::WarpOperation& operation : at_.whole().operations) {
      if (operation.kind != model::EventKind::Branch) continue;
      if (at_.trace.sites[operation.site].kind != model::SiteKind::Branch) continue;
      analysis::forEachLane(operation.mask, [&](unsigned lane) {
        const unsigned thread = operation.warp * model::kWarpSize + lane;
        const bool holds = analysis::contains(operation.taken, lane);
        auto [place, isNew] = met[operation.site].try_emplace(thread);
        if (isNew || (holds && !place->second.holds)) place->second = {thread, operation.event[lane], holds};
      });
    }
    for (const auto& [site, threads] : met) {
      const bool tells = std::ranges::all_of(
          threads, [&](const auto& each) { return each.second.holds == isActive(each.first); });
      const bool both = std::ranges::any_of(threads, [](const auto& each) { return each.second.holds; }) &&
                        std::ranges::any_of(threads, [](const auto& each) { return !each.second.holds; });
      if (!tells || !both) continue;
      site_ = &at_.trace.sites[site];
      meetings_.clear();
      for (const auto& [thread, meeting] : threads) meetings_.push_back(meeting);
    }
    if (site_ == nullptr) return;
    words_ = text_.wordsAt(site_->line, site_->column, site_->length);
    known_ = std::ranges::all_of(meetings_, [&](const Meeting& meeting) {
      const Number value = valueOf(words_, meeting, 0);
      return value && (*value != 0) == meeting.holds;
    });
  }

  Number valueOf(Words words, const Meeting& meeting, unsigned calls) const {
    if (calls > kMaxCalls) return std::nullopt;
    return evaluate(text_, words, [&](std::size_t word) { return valueOf(word, meeting, calls + 1); });
  }

  // What the name at this word stands for when the thread meets the condition.
  Number valueOf(std::size_t word, const Meeting& meeting, unsigned calls) const {
    const std::string name = text_.nameAt(word);
    if (const Number own = builtIn(name, meeting.thread)) return own;
    if (const auto* const declaration = text_.declarationOf(name, word)) {
      if (text_.isChanged(*declaration)) return std::nullopt;
      if (declaration->loop != nullptr) return ofLoop(*declaration, meeting, calls);
      return valueOf(declaration->value, meeting, calls);
    }
    return ofParameter(name, word, meeting, calls);
  }

  Number builtIn(const std::string& name, unsigned thread) const {
    const model::LaunchTrace& launch = at_.launch;
    if (launch.blockShape().y != 1 || launch.blockShape().z != 1) return std::nullopt;
    if (name == "threadIdx.x") return thread;
    if (name == "blockDim.x" || name == "blockSize") return launch.block;
    if (name == "blockIdx.x") return std::uint32_t(launch.recorded().block);
    if (name == "gridDim.x") return std::uint32_t(launch.grid);
    if (name == "warpSize") return model::kWarpSize;
    if (name == "true") return 1;
    if (name == "false") return 0;
    return std::nullopt;
  }

  // The variable of a for loop: as often stepped on as the thread has gone round.
  Number ofLoop(const KernelText::Declaration& declaration, const Meeting& meeting, unsigned calls) const {
    const auto trips = tripsOf(*declaration.loop, meeting);
    Number value = valueOf(declaration.value, meeting, calls);
    for (unsigned trip = 1; value && trips && trip < *trips; ++trip)
      value = steppedOn(declaration, *value, meeting, calls);
    return trips && *trips > 0 ? value : std::nullopt;
  }

  // s *= 2, s /= 2, s >>= 1, ++s, s += step
  Number steppedOn(const KernelText::Declaration& declaration, std::uint32_t value, const Meeting& meeting,
                   unsigned calls) const {
    const Words step = declaration.loop->step;
    const auto is = [&](std::size_t word) { return text_.at(word) == declaration.name; };
    if (step.last - step.first == 2) {
      const std::string_view other = text_.at(is(step.first) ? step.first + 1 : step.first);
      return other == "++" ? Number(value + 1) : other == "--" ? Number(value - 1) : Number();
    }
    if (!is(step.first) || step.last - step.first < 3) return std::nullopt;
    const Number by = valueOf({step.first + 2, step.last}, meeting, calls);
    if (!by) return std::nullopt;
    const std::string_view assigned = text_.at(step.first + 1);
    if (assigned == "=") return *by;
    if (assigned == "*=") return value * *by;
    if (assigned == "/=" && *by != 0) return value / *by;
    if (assigned == "+=") return value + *by;
    if (assigned == "-=") return value - *by;
    if (assigned == ">>=" && *by < 32) return value >> *by;
    if (assigned == "<<=" && *by < 32) return value << *by;
    return std::nullopt;
  }

  // How often the thread has found the loop's condition true since it came to the loop.
  std::optional<unsigned> tripsOf(const KernelText::ForLoop& loop, const Meeting& meeting) const {
    const auto site = std::ranges::find_if(at_.trace.sites, [&](const model::Site& each) {
      if (each.kind != model::SiteKind::Loop) return false;
      const Words words = text_.wordsAt(each.line, each.column, each.length);
      return !words.empty() && words.first >= loop.body.first && words.last <= loop.step.last + 1;
    });
    if (site == at_.trace.sites.end()) return std::nullopt;
    const auto id = std::uint32_t(site - at_.trace.sites.begin());
    unsigned trips = 0;
    for (std::uint32_t i = at_.launch.recorded().first[meeting.thread]; i < meeting.event; ++i) {
      const model::Event& event = at_.launch.recorded().events[i];
      if (event.site() != id || event.kind() != model::EventKind::Branch) continue;
      trips = event.value != 0 ? trips + 1 : 0;
    }
    return trips;
  }

  // What every call of the function gives for it; the kernel's parameter is the number of elements.
  Number ofParameter(const std::string& name, std::size_t word, const Meeting& meeting,
                     unsigned calls) const {
    const KernelText::Function* const function = text_.functionOf(word);
    if (function == nullptr) return std::nullopt;
    const auto parameter = std::ranges::find(function->parameters, name);
    if (parameter == function->parameters.end()) return std::nullopt;
    const std::vector<KernelText::Call> all = text_.callsOf(function->name);
    if (all.empty()) return std::uint32_t(at_.launch.elements);
    const auto index = std::size_t(parameter - function->parameters.begin());
    Number value;
    for (const KernelText::Call& call : all) {
      const Number own =
          index < call.arguments.size() ? valueOf(call.arguments[index], meeting, calls) : std::nullopt;
      if (!own || (value && *value != *own)) return std::nullopt;
      value = own;
    }
    return value;
  }

  // A name that only stands for another: tid for threadIdx.x.
  bool isAlias(const KernelText::Declaration& declaration) const {
    return text_.isName(declaration.value.first) &&
           declaration.value.last - declaration.value.first == text_.lengthAt(declaration.value.first);
  }

  std::string printed(Words words, const Meeting& meeting) const {
    return text_.print(words, [&](std::size_t word, const std::string&) -> std::optional<std::string> {
      const Number value = valueOf(word, meeting, 0);
      if (!value) return std::nullopt;
      const auto* const declaration = text_.declarationOf(text_.nameAt(word), word);
      if (declaration != nullptr && declaration->type == "bool") return *value != 0 ? "true" : "false";
      return figure(*value);
    });
  }

  // The last of the names that is computed by the thread.
  const KernelText::Declaration* computedName(Words words) const {
    const KernelText::Declaration* found = nullptr;
    for (std::size_t i = words.first; i < words.last; ++i) {
      if (!text_.isName(i)) continue;
      const auto* const declaration = text_.declarationOf(text_.nameAt(i), i);
      if (declaration != nullptr && declaration->loop == nullptr && !isAlias(*declaration))
        found = declaration;
    }
    return found;
  }

  std::string computed(Words words, const Meeting& meeting) const {
    const KernelText::Declaration* const name = computedName(words);
    if (name == nullptr) return {};
    const Number value = valueOf(name->value, meeting, 0);
    if (!value) return {};
    const std::string result = name->type == "bool" ? (*value != 0 ? "true" : "false") : figure(*value);
    return fmt::format("{} = {} = {}", name->name, printed(name->value, meeting), result);
  }

  // With the names alone replaced that stand for one number in all threads.
  std::string printedForAll(Words words) const {
    return text_.print(words, [&](std::size_t word, const std::string&) -> std::optional<std::string> {
      const Number first = valueOf(word, meetings_.front(), 0);
      const bool common = first && std::ranges::all_of(meetings_, [&](const Meeting& meeting) {
                            return valueOf(word, meeting, 0) == first;
                          });
      return common && meetings_.size() > 1 ? std::optional(figure(*first)) : std::nullopt;
    });
  }

  std::string computedByAll(Words words) const {
    const KernelText::Declaration* const name = computedName(words);
    return name == nullptr ? std::string() : fmt::format("{} = {}", name->name, printedForAll(name->value));
  }

  const narration::RoundAt at_;
  const KernelText text_;
  const model::Site* site_ = nullptr;  // the condition's
  std::vector<Meeting> meetings_;      // by thread
  Words words_;
  bool known_ = false;  // what it comes to can be worked out
};

RoundConditions::RoundConditions(const narration::RoundAt& at) : reader_(std::make_unique<Reader>(at)) {}
RoundConditions::~RoundConditions() = default;

std::optional<ThreadCondition> RoundConditions::of(unsigned thread) const { return reader_->of(thread); }
std::string RoundConditions::rule() const { return reader_->rule(); }
std::optional<int> RoundConditions::line() const { return reader_->line(); }

std::string sentenceOf(unsigned thread, const ThreadCondition& condition) {
  const std::string_view comes = condition.holds ? "true" : "false";
  if (condition.worked.empty())
    return fmt::format("Line {} asks {}, which is {} for thread {}.", condition.line, condition.text, comes,
                       figure(thread));
  if (condition.variable.empty())
    return fmt::format("Line {} asks {}: for thread {} that is {}, which is {}.", condition.line,
                       condition.text, figure(thread), condition.worked, comes);
  return fmt::format("Thread {} has {}. Line {} asks {}, and {} is {}.", figure(thread), condition.variable,
                     condition.line, condition.text, condition.worked, comes);
}

}  // namespace stridescope::teaching
