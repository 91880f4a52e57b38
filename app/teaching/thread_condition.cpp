#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/event_groups.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "instrument/instrument.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

using Number = std::optional<std::uint32_t>;

}  // namespace

class RoundConditions::Reader {
 public:
  explicit Reader(const narration::RoundAt& at) : at_(at) { choose(); }

  std::optional<ThreadCondition> of(unsigned thread) const {
    const auto own = std::ranges::find(meetings_, thread, &Meeting::thread);
    if (site_ == nullptr || own == meetings_.end()) return std::nullopt;
    ThreadCondition condition{.line = site_->line,
                              .text = inOneLine(site_->text),
                              .holds = own->holds,
                              .worked = {},
                              .variable = {}};
    if (!known_) return condition;
    std::string worked = printedFor(*condition_, *own);
    if (worked != condition.text) condition.worked = std::move(worked);
    condition.variable = computed(*condition_, *own);
    return condition;
  }

  std::string rule() const {
    if (site_ == nullptr) return {};
    const std::string asks = fmt::format("line {} asks ", site_->line);
    if (!known_) return asks + inOneLine(site_->text);
    const std::string variable = computedByAll(*condition_);
    return (variable.empty() ? "" : variable + ", and ") + asks + printedForAll(*condition_);
  }

  std::optional<int> line() const { return site_ == nullptr ? std::nullopt : std::optional(site_->line); }

 private:
  static constexpr unsigned kMaxDepth = 6;  // of names that stand for others

  // One thread that meets the condition: which of its events that is.
  struct Meeting {
    unsigned thread = 0;
    std::uint32_t event = 0;
    bool holds = false;
  };

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
    text_ = instrument::readExpressions(
        at_.trace.kernelText, at_.trace.sites,
        model::leavesArrays(at_.trace) ? instrument::Preamble::None : instrument::Preamble::Variant);
    if (text_.conditions.empty()) return;
    condition_ = &text_.conditions[std::size_t(site_ - at_.trace.sites.data())];
    known_ = std::ranges::all_of(meetings_, [&](const Meeting& meeting) {
      const Number value = valueOf(*condition_, meeting, 0);
      return value && (*value != 0) == meeting.holds;
    });
  }

  Number valueOf(const model::Expression& expression, const Meeting& meeting, unsigned depth) const {
    if (depth > kMaxDepth) return std::nullopt;
    return model::valueOf(
        expression, [&](const model::ExpressionWord& word) { return valueOf(word, meeting, depth + 1); });
  }

  // What the name stands for when the thread meets the condition.
  Number valueOf(const model::ExpressionWord& word, const Meeting& meeting, unsigned depth) const {
    if (const Number own = builtIn(word.text, meeting.thread)) return own;
    const model::NamedNumber* const name = nameOf(word);
    if (name == nullptr || name->reassigned) return std::nullopt;
    switch (name->kind) {
      case model::NameKind::Stepped:
        return ofLoop(*name, meeting, depth);
      case model::NameKind::Parameter:
        return ofParameter(*name, meeting, depth);
      default:
        return valueOf(name->value, meeting, depth);
    }
  }

  // nullptr: it is none whose value the text tells.
  const model::NamedNumber* nameOf(const model::ExpressionWord& word) const {
    return word.name < 0 ? nullptr : &text_.names[std::size_t(word.name)];
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
  Number ofLoop(const model::NamedNumber& name, const Meeting& meeting, unsigned depth) const {
    const auto trips = tripsOf(name, meeting);
    Number value = valueOf(name.value, meeting, depth);
    for (unsigned trip = 1; value && trips && trip < *trips; ++trip)
      value = model::valueOf(name.next, [&](const model::ExpressionWord& word) {
        return nameOf(word) == &name ? value : valueOf(word, meeting, depth + 1);
      });
    return trips && *trips > 0 ? value : std::nullopt;
  }

  // How often the thread has found the loop's condition true since it came to the loop.
  std::optional<unsigned> tripsOf(const model::NamedNumber& name, const Meeting& meeting) const {
    if (name.loop < 0) return std::nullopt;
    unsigned trips = 0;
    for (std::uint32_t i = at_.launch.recorded().first[meeting.thread]; i < meeting.event; ++i) {
      const model::Event& event = at_.launch.recorded().events[i];
      if (event.site() != std::uint32_t(name.loop) || event.kind() != model::EventKind::Branch) continue;
      trips = event.value != 0 ? trips + 1 : 0;
    }
    return trips;
  }

  // What every call of the function passes for it; the kernel's parameter is the number of elements.
  Number ofParameter(const model::NamedNumber& name, const Meeting& meeting, unsigned depth) const {
    if (name.ofKernel) return std::uint32_t(at_.launch.elements);
    Number value;
    for (const model::Expression& argument : name.arguments) {
      const Number own = valueOf(argument, meeting, depth);
      if (!own || (value && *value != *own)) return std::nullopt;
      value = own;
    }
    return value;
  }

  // A name that only stands for another: tid for threadIdx.x.
  static bool isAlias(const model::NamedNumber& name) {
    return name.value.words.size() == 1 && name.value.words.front().isName;
  }

  static std::string figureOf(std::uint32_t value, bool isBool) {
    return isBool ? (value != 0 ? "true" : "false") : figure(value);
  }

  std::string printedFor(const model::Expression& expression, const Meeting& meeting) const {
    return model::printed(expression, [&](const model::ExpressionWord& word) -> std::optional<std::string> {
      const Number value = valueOf(word, meeting, 0);
      if (!value) return std::nullopt;
      const model::NamedNumber* const name = nameOf(word);
      return figureOf(*value, name != nullptr && name->isBool);
    });
  }

  // The last of the names that is computed by the thread.
  const model::NamedNumber* computedName(const model::Expression& expression) const {
    const model::NamedNumber* found = nullptr;
    for (const model::ExpressionWord& word : expression.words) {
      const model::NamedNumber* const name = nameOf(word);
      if (name != nullptr && name->kind == model::NameKind::Declared && !isAlias(*name)) found = name;
    }
    return found;
  }

  std::string computed(const model::Expression& expression, const Meeting& meeting) const {
    const model::NamedNumber* const name = computedName(expression);
    if (name == nullptr) return {};
    const Number value = valueOf(name->value, meeting, 0);
    if (!value) return {};
    return fmt::format("{} = {} = {}", name->name, printedFor(name->value, meeting),
                       figureOf(*value, name->isBool));
  }

  // With the names alone replaced that stand for one number in all threads.
  std::string printedForAll(const model::Expression& expression) const {
    return model::printed(expression, [&](const model::ExpressionWord& word) -> std::optional<std::string> {
      const Number first = valueOf(word, meetings_.front(), 0);
      const bool common = first && std::ranges::all_of(meetings_, [&](const Meeting& meeting) {
                            return valueOf(word, meeting, 0) == first;
                          });
      return common && meetings_.size() > 1 ? std::optional(figure(*first)) : std::nullopt;
    });
  }

  std::string computedByAll(const model::Expression& expression) const {
    const model::NamedNumber* const name = computedName(expression);
    return name == nullptr ? std::string() : fmt::format("{} = {}", name->name, printedForAll(name->value));
  }

  const narration::RoundAt at_;
  model::KernelExpressions text_;      // read where there is a condition
  const model::Site* site_ = nullptr;  // the condition's
  std::vector<Meeting> meetings_;      // by thread
  const model::Expression* condition_ = nullptr;
  bool known_ = false;  // the condition's value can be worked out, so that there is one
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
