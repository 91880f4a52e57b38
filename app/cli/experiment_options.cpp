#include "cli/experiment_options.h"

#include <fmt/format.h>

#include <limits>

#include "engine/custom_operator.h"
#include "engine/experiment_check.h"
#include "engine/own_data.h"
#include "kernels/run_plan.h"

namespace stridescope::cli {
namespace {

constexpr auto kAnyNumber = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxElements = 1ull << 37;  // of 8 bytes: what an event's 40 bits of offset reach

template <class Enum, std::size_t N>
std::vector<std::string> namesOf(const std::array<Enum, N>& values) {
  std::vector<std::string> names;
  for (Enum value : values) names.emplace_back(model::nameOf(value));
  return names;
}

const std::string kCustomName(model::nameOf(model::Operator::Custom));

std::vector<std::string> operatorNames() {
  std::vector<std::string> names = namesOf(model::kOperators);
  names.push_back(kCustomName);
  return names;
}

// Reads one option into `target` if it was given; `given` says whether it was.
template <class T>
std::optional<Error> readNumber(std::string_view option, const std::optional<std::string>& text,
                                std::uint64_t most, T& target, bool& given, std::uint64_t least = 0) {
  if (!text) return std::nullopt;
  const auto number = parseNumberWithin(option, *text, least, most);
  if (!number) return number.error();
  target = T(*number);
  given = true;
  return std::nullopt;
}

template <class T, class Parse>
std::optional<Error> readName(std::string_view option, const std::optional<std::string>& text, Parse parse,
                              const std::vector<std::string>& valid, T& target, bool& given) {
  if (!text) return std::nullopt;
  const auto value = parse(*text);
  if (!value) return notOneOf(option, *text, valid);
  target = *value;
  given = true;
  return std::nullopt;
}

}  // namespace

void ExperimentOptions::declare(Options& options) {
  options.value("--type", type, "int (default), unsigned, int64, float or double", "TYPE");
  options.value("--op", op,
                "+ (default, where it is offered) * min max & | ^, or add mul and or xor; custom: --combine",
                "OPERATOR");
  options.value("--combine", combine,
                "your own operator: an expression of a and b, elements of the type T, in CUDA C++, or "
                "statements that return one",
                "EXPRESSION");
  options.value("--identity", identity, "of --combine: e with combine(e, a) = a", "NUMBER");
  options.value("--threads", threads, "of a block: the variant's default size, 256 for most, unless given",
                "THREADS");
  options.value("-n,--elements", elements, "1000, 2^24, ...; one block's load unless given", "N");
  options.value(
      "--data", data,
      "digits (0 to 9; default, but ones with * and &, and random in a merge), random (0 to 100), ramp, ones "
      "or alternating",
      "PATTERN");
  options.value("--seed", seed, "of digits and random: 1 unless given", "SEED");
  options.value("--launch", launch, "which launch's block is inspected, from 0", "LAUNCH");
  options.value("--block", block, "which block of it, from 0", "BLOCK");
  options.value("--schedule", schedule,
                "of the CPU executor: lanes (one lane after another; default), warps, lockstep or random",
                "SCHEDULE");
  options.value("--schedule-seed", scheduleSeed, "of the random schedule: 1 unless given", "SEED");
  options.value("--input", input, "input data: numbers, one per line, in place of --data", "FILE");
  options.value("--lists", lists,
                "of a merge: how many lists (one per thread, at most 128, unless given), or your own in a "
                "JSON file: "
                "[[1, 4], [], [2, 3]]",
                "K|FILE.json");
  options.value("--engine", engine, "auto (default), gpu, gpu:N, host or a recording's file", "ENGINE");
}

bool ExperimentRequest::admits(const model::Experiment& other) const {
  const auto agrees = [](bool given, const auto& requested, const auto& there) {
    return !given || requested == there;
  };
  return agrees(variantGiven, experiment.variant, other.variant) &&
         agrees(typeGiven, experiment.type, other.type) && agrees(opGiven, experiment.op, other.op) &&
         agrees(threadsGiven, experiment.threads, other.threads) &&
         agrees(elementsGiven, experiment.elements, other.elements) &&
         agrees(dataGiven, experiment.data, other.data) && agrees(seedGiven, experiment.seed, other.seed) &&
         agrees(launchGiven, experiment.launch, other.launch) &&
         agrees(blockGiven, experiment.block, other.block) &&
         agrees(scheduleGiven, experiment.schedule, other.schedule) &&
         agrees(scheduleSeedGiven, experiment.scheduleSeed, other.scheduleSeed) &&
         agrees(listsGiven, experiment.lists, other.lists) &&
         agrees(customGiven, experiment.custom, other.custom) &&
         agrees(experiment.data == model::DataPattern::Given, experiment.given, other.given);
}

bool ExperimentRequest::leavesTheRestOpen() const {
  return !(typeGiven || opGiven || threadsGiven || elementsGiven || dataGiven || seedGiven || launchGiven ||
           blockGiven || scheduleGiven || scheduleSeedGiven || listsGiven || customGiven);
}

namespace {

// --lists with a number; with a file, see readOwnData().
bool isNumber(const std::string& text) { return text.find_first_not_of("0123456789^") == std::string::npos; }

void give(model::GivenData data, ExperimentRequest& experimentRequest) {
  model::Experiment& experiment = experimentRequest.experiment;
  experiment.elements = data.values.size();
  if (!data.listLengths.empty()) {
    experiment.lists = unsigned(data.listLengths.size());
    experimentRequest.listsGiven = true;
    if (!experimentRequest.threadsGiven)
      experiment.threads = engine::threadsForLists(data.listLengths.size());
    experimentRequest.threadsGiven = true;
  }
  experiment.data = model::DataPattern::Given;
  experiment.given = model::SharedData(std::move(data));
  experimentRequest.elementsGiven = experimentRequest.dataGiven = true;
}

// --input and --lists. The files hold what --data and --elements would say.
std::optional<Error> readOwnData(const ExperimentOptions& options, ExperimentRequest& experimentRequest) {
  if (options.lists && isNumber(*options.lists)) {
    if (auto wrong = readNumber("--lists", options.lists, engine::kMaxLists,
                                experimentRequest.experiment.lists, experimentRequest.listsGiven, 1))
      return wrong;
    if (!options.input) return std::nullopt;
  }
  const bool listFile = options.lists && !isNumber(*options.lists);
  if (!listFile && !options.input) return std::nullopt;
  const std::string option = listFile ? "--lists" : "--input";
  if (options.lists && options.input)
    return Error{ErrorKind::Usage, "--input and --lists both give numbers. Give one of them."};
  if (options.elements || options.data)
    return Error{ErrorKind::Usage,
                 option + " gives the numbers and how many there are. Leave out --elements and --data.",
                 {}};
  auto data = listFile ? engine::readLists(*options.lists, experimentRequest.experiment.type)
                       : engine::readNumbers(*options.input, experimentRequest.experiment.type);
  if (!data) return data.error();
  give(*std::move(data), experimentRequest);
  return std::nullopt;
}

// --op custom, --combine and --identity; the type is known.
std::optional<Error> readCustom(const ExperimentOptions& options, ExperimentRequest& experimentRequest) {
  const bool named = options.op == kCustomName;
  if (!options.combine) {
    if (named)
      return Error{ErrorKind::Usage,
                   "--op custom needs --combine and --identity, as in --combine 'a > b ? a : b' "
                   "--identity=-2147483648.",
                   {}};
    if (!options.identity) return std::nullopt;
    return Error{ErrorKind::Usage, "--identity belongs to --combine; the other operators have theirs."};
  }
  if (options.op && !named)
    return Error{ErrorKind::Usage,
                 fmt::format("--combine is an operator of its own: leave out --op {}.", *options.op),
                 {}};
  auto custom = engine::readCustomOperator(*options.combine, options.identity.value_or(""),
                                           experimentRequest.experiment.type);
  if (!custom) return custom.error();
  experimentRequest.experiment.op = model::Operator::Custom;
  experimentRequest.experiment.custom = *std::move(custom);
  experimentRequest.opGiven = experimentRequest.customGiven = true;
  return std::nullopt;
}

std::vector<std::string> scheduleNames() { return {"lanes", "warps", "lockstep", "random"}; }

}  // namespace

Result<ExperimentRequest> readExperimentRequest(const std::string& variant,
                                                const ExperimentOptions& options) {
  ExperimentRequest experimentRequest;
  model::Experiment& experiment = experimentRequest.experiment;
  experiment.variant = variant;
  experimentRequest.variantGiven = !variant.empty();
  std::optional<Error> wrong =
      readName("--type", options.type, model::parseElementType, namesOf(model::kElementTypes),
               experiment.type, experimentRequest.typeGiven);
  if (!wrong && options.op != kCustomName)
    wrong = readName("--op", options.op, model::parseOperator, operatorNames(), experiment.op,
                     experimentRequest.opGiven);
  if (!wrong) wrong = readCustom(options, experimentRequest);
  if (!wrong)
    wrong = readName("--data", options.data, model::parseDataPattern, namesOf(model::kDataPatterns),
                     experiment.data, experimentRequest.dataGiven);
  if (!wrong)
    wrong = readNumber("--threads", options.threads, std::numeric_limits<unsigned>::max(), experiment.threads,
                       experimentRequest.threadsGiven, 1);
  if (!wrong)
    wrong = readNumber("--elements", options.elements, kMaxElements, experiment.elements,
                       experimentRequest.elementsGiven);
  if (!wrong)
    wrong = readNumber("--seed", options.seed, kAnyNumber, experiment.seed, experimentRequest.seedGiven);
  if (!wrong)
    wrong = readNumber("--launch", options.launch, std::numeric_limits<unsigned>::max(), experiment.launch,
                       experimentRequest.launchGiven);
  if (!wrong)
    wrong = readNumber("--block", options.block, kAnyNumber, experiment.block, experimentRequest.blockGiven);
  if (!wrong)
    wrong = readName("--schedule", options.schedule, model::parseSchedule, scheduleNames(),
                     experiment.schedule, experimentRequest.scheduleGiven);
  if (!wrong)
    wrong = readNumber("--schedule-seed", options.scheduleSeed, kAnyNumber, experiment.scheduleSeed,
                       experimentRequest.scheduleSeedGiven);
  if (!wrong) wrong = readOwnData(options, experimentRequest);
  if (wrong) return tl::unexpected(*wrong);
  return experimentRequest;
}

void allowTypedCode(const ExperimentRequest& experimentRequest, engine::CodeTrust& trust) {
  if (experimentRequest.customGiven) trust.allow(experimentRequest.experiment.custom.combine);
}

Result<model::Experiment> completed(const ExperimentRequest& experimentRequest) {
  model::Experiment requested = experimentRequest.experiment;
  if (!experimentRequest.threadsGiven) requested.threads = 0;  // the variant's default size
  const kernels::Variant* const variant = kernels::findVariant(requested.variant);
  if (variant != nullptr && !experimentRequest.opGiven && !variant->offers(requested.type, requested.op))
    requested.op = variant->operators.front();
  if (!experimentRequest.dataGiven) requested.data = kernels::defaultData(requested.variant, requested.op);
  return engine::checkedExperiment(requested, experimentRequest.elementsGiven)
      .and_then([](const model::Experiment& experiment) -> Result<model::Experiment> {
        const auto launches =
            kernels::planRun(*kernels::findVariant(experiment.variant), experiment).launches;
        if (experiment.launch >= launches.size())
          return usageError(fmt::format("--launch {} is not there: the launches are 0 to {}.",
                                        experiment.launch, launches.size() - 1));
        const std::uint64_t grid = launches[experiment.launch].grid.count();
        if (experiment.block >= grid)
          return usageError(fmt::format("--block {} is not there: launch {} has the blocks 0 to {}.",
                                        experiment.block, experiment.launch, grid - 1));
        return experiment;
      });
}

}  // namespace stridescope::cli
