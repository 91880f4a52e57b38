#include "cli/experiment_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "base/numbers.h"
#include "base/regular_file.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "engine/engine.h"
#include "engine/experiment_check.h"
#include "engine/own_data.h"
#include "kernels/run_plan.h"
#include "model/experiment_fields.h"

namespace stridescope::cli {
namespace {

using model::Experiment;

constexpr std::string_view kCustomName = "custom";  // --op's

// Gives the request what was typed after `option`.
std::optional<Error> readNumber(const model::ExperimentField& field, std::string_view option,
                                const std::string& text, ExperimentRequest& experimentRequest) {
  const auto value = parseNumberWithin(option, text, field.least, field.most);
  if (!value) return value.error();
  field.giveNumber(*value, experimentRequest);
  return std::nullopt;
}

std::optional<Error> readName(const model::ExperimentField& field, std::string_view option,
                              const std::string& text, ExperimentRequest& experimentRequest) {
  if (field.readName(text, experimentRequest)) return std::nullopt;
  return notOneOf(option, text, field.names,
                  field.aliases ? aliasNames(*field.aliases) : std::vector<std::string>());
}

// "random:7"
std::optional<Error> readBlockOrder(std::string_view option, const std::string& text,
                                    ExperimentRequest& experimentRequest) {
  const model::ExperimentField& field = model::experimentField("block-order");
  const std::size_t colon = text.find(':');
  const bool hasSeed = colon != std::string::npos;
  ExperimentRequest read;
  const bool isRead = field.readName(text.substr(0, colon), read);
  if (!isRead || (hasSeed && read.experiment.blockOrder != model::BlockOrder::Random))
    return notOneOf(option, text, field.names);
  experimentRequest.give(&Experiment::blockOrder, read.experiment.blockOrder);
  if (!hasSeed) return std::nullopt;
  return readNumber(model::experimentField("block-order-seed"), std::string(option) + " random:SEED",
                    text.substr(colon + 1), experimentRequest);
}

std::optional<Error> readField(const model::ExperimentField& field, std::string_view option,
                               const std::string& text, ExperimentRequest& experimentRequest) {
  if (field.optionName() == kBlockOrderOption) return readBlockOrder(option, text, experimentRequest);
  if (field.readName == nullptr) return readNumber(field, option, text, experimentRequest);
  if (field.option == "--op" && text == kCustomName) return std::nullopt;  // readCustom() gives it
  return readName(field, option, text, experimentRequest);
}

struct ExperimentOption {
  std::string_view names, description, valueName;
  // null: readCustom() and readOwnData() read those that depend on each other
  const model::ExperimentField* field = nullptr;

  // The option's name as messages have it.
  std::string_view name() const { return names.substr(names.find("--")); }
};

// In the order in which the help has them and in which they are read: readers of data need the type. Fields
// that are read together are no rows of the table of fields.
std::vector<ExperimentOption> makeOptions() {
  std::vector<ExperimentOption> options;
  for (const model::ExperimentField& field : model::experimentFields()) {
    if (field.option.empty()) continue;
    options.push_back({field.option, field.help, field.valueName, &field});
    if (field.option != "--op") continue;
    options.push_back({"--combine",
                       "your own operator: an expression of a and b, elements of the type T, in CUDA C++, or "
                       "statements that return one",
                       "EXPRESSION"});
    options.push_back({"--identity", "of --combine: e with combine(e, a) = a", "NUMBER"});
  }
  options.push_back(
      {"--input",
       "input data, in place of --data: numbers, one per line or between commas, semicolons or blanks; - is "
       "standard input",
       "FILE"});
  options.push_back(
      {"--lists",
       "of a merge: how many lists (one per thread, at most 128, unless given), or your own in a JSON file: "
       "[[1, 4], [], [2, 3]]",
       "K|FILE.json"});
  return options;
}
const std::vector<ExperimentOption>& experimentOptions() {
  static const std::vector<ExperimentOption> options = makeOptions();
  return options;
}

// --lists with a number; with a file, see readOwnData(). One that is too large is a number, too.
bool isNumber(const std::string& text) {
  return typedNumber(text) || text.find_first_not_of("0123456789^") == std::string::npos;
}

void giveData(model::GivenData data, ExperimentRequest& experimentRequest) {
  if (const std::size_t lists = data.listLengths.size(); lists > 0) {
    experimentRequest.give(&Experiment::lists, unsigned(lists));
    if (!experimentRequest.given.has(&Experiment::threads))
      experimentRequest.give(&Experiment::threads, engine::threadsForLists(lists));
  }
  experimentRequest.give(&Experiment::elements, data.values.size());
  experimentRequest.give(&Experiment::data, model::DataPattern::Given);
  experimentRequest.give(&Experiment::given, model::SharedData(std::move(data)));
}

// `file` may be standard input.
Result<model::GivenData> readData(const ExperimentOptions& options, const std::string& file, bool lists,
                                  model::ElementType type) {
  if (file != kStandardInput) return lists ? engine::readLists(file, type) : engine::readNumbers(file, type);
  const Result<std::string>& text = options.standardInput().text();
  if (!text) return tl::unexpected(text.error());
  return lists ? engine::listsOf(*text, kStandardInputName, type)
               : engine::numbersOf(*text, kStandardInputName, type);
}

// --input and --lists. The files hold what --data and --elements would say.
std::optional<Error> readOwnData(const ExperimentOptions& options, ExperimentRequest& experimentRequest) {
  const auto lists = options.typed("--lists"), input = options.typed("--input");
  const bool listFile = lists && !isNumber(*lists);
  if (lists && !listFile) {
    const auto count = parseNumberWithin("--lists", *lists, 1, engine::kMaxLists);
    if (!count) return count.error();
    experimentRequest.give(&Experiment::lists, unsigned(*count));
  }
  if (!listFile && !input) return std::nullopt;
  const std::string option = listFile ? "--lists" : "--input";
  if (lists && input)
    return Error{ErrorKind::Usage, "--input and --lists both give numbers. Give one of them."};
  if (options.typed("--elements") || options.typed("--data"))
    return Error{ErrorKind::Usage,
                 option + " gives the numbers and how many there are. Leave out --elements and --data.",
                 {}};
  auto data = readData(options, listFile ? *lists : *input, listFile, experimentRequest.experiment.type);
  if (!data) return data.error();
  giveData(*std::move(data), experimentRequest);
  return std::nullopt;
}

// --op custom, --combine and --identity; the type is known.
std::optional<Error> readCustom(const ExperimentOptions& options, ExperimentRequest& experimentRequest) {
  const auto op = options.typed("--op"), combine = options.typed("--combine"),
             identity = options.typed("--identity");
  const bool named = op == kCustomName;
  if (!combine) {
    if (named)
      return Error{ErrorKind::Usage,
                   "--op custom needs --combine and --identity, as in --combine 'a > b ? a : b' "
                   "--identity=-2147483648.",
                   {}};
    if (!identity) return std::nullopt;
    return Error{ErrorKind::Usage, "--identity belongs to --combine; the other operators have theirs."};
  }
  if (op && !named)
    return Error{
        ErrorKind::Usage, fmt::format("--combine is an operator of its own: leave out --op {}.", *op), {}};
  auto custom =
      engine::readCustomOperator(*combine, identity.value_or(""), experimentRequest.experiment.type);
  if (!custom) return custom.error();
  experimentRequest.give(&Experiment::op, model::Operator::Custom);
  experimentRequest.give(&Experiment::custom, *std::move(custom));
  return std::nullopt;
}

}  // namespace

void ExperimentOptions::declare(Options& options) {
  for (const ExperimentOption& option : experimentOptions())
    options.value(std::string(option.names), typed_[std::string(option.name())],
                  std::string(option.description), std::string(option.valueName));
  options.value("--engine", engine, "auto (default), gpu, gpu:N, host or a recording's file", "ENGINE");
}

void ExperimentOptions::declareOf(std::string_view side, Options& options) {
  side_ = side;
  const auto add = [&](std::string_view name, std::optional<std::string>& target) {
    options.options.push_back(
        {.names = fmt::format("--{}-{}", side, name.substr(2)), .target = &target, .hidden = true});
  };
  for (const ExperimentOption& option : experimentOptions())
    add(option.name(), typed_[std::string(option.name())]);
  add("--engine", engineOfSide_);
}

ExperimentOptions ExperimentOptions::over(const ExperimentOptions& both) const {
  ExperimentOptions merged = both;
  if (engineOfSide_) merged.engine = *engineOfSide_;
  for (const auto& [option, text] : typed_) {
    if (!text) continue;
    merged.typed_[option] = text;
    merged.ofSide_[option] = fmt::format("--{}-{}", side_, option.substr(2));
  }
  return merged;
}

std::string ExperimentOptions::spelled(std::string_view option) const {
  const auto found = ofSide_.find(option);
  return found == ofSide_.end() ? std::string(option) : found->second;
}

std::optional<std::string> ExperimentOptions::typed(std::string_view option) const {
  const auto found = typed_.find(option);
  return found == typed_.end() ? std::nullopt : found->second;
}

std::string ExperimentOptions::typedBeside(std::span<const std::string_view> options) const {
  const auto found = std::ranges::find_if(typed_, [&](const auto& one) {
    return one.second && std::ranges::find(options, std::string_view(one.first)) == options.end();
  });
  return found == typed_.end() ? std::string() : found->first;
}

ExperimentOptions ExperimentOptions::without(std::string_view option) const {
  ExperimentOptions others = *this;
  if (const auto found = others.typed_.find(option); found != others.typed_.end()) found->second.reset();
  return others;
}

ExperimentOptions ExperimentOptions::only(std::span<const std::string_view> options) const {
  ExperimentOptions kept = *this;
  for (auto& [option, text] : kept.typed_)
    if (std::ranges::find(options, std::string_view(option)) == options.end()) text.reset();
  return kept;
}

Result<ExperimentRequest> readExperimentRequest(const std::string& variant,
                                                const ExperimentOptions& options) {
  ExperimentRequest experimentRequest;
  if (!variant.empty()) experimentRequest.give(&Experiment::variant, variantNamed(variant));
  for (const ExperimentOption& option : experimentOptions())
    if (const auto text = options.typed(option.name()); text && option.field != nullptr)
      if (auto wrong = readField(*option.field, options.spelled(option.name()), *text, experimentRequest))
        return tl::unexpected(*wrong);
  if (experimentRequest.given.has(&Experiment::blockOrder))
    if (auto wrong = whyNoBlockOrder(options.spelled(kBlockOrderOption), options.engine))
      return tl::unexpected(*wrong);
  if (auto wrong = readCustom(options, experimentRequest)) return tl::unexpected(*wrong);
  if (auto wrong = readOwnData(options, experimentRequest)) return tl::unexpected(*wrong);
  return experimentRequest;
}

std::optional<Error> whyNoBlockOrder(std::string_view option, const std::string& engineName) {
  const auto engine = engine::parseEngineName(engineName);
  const bool isGpu = engine && engine->kind == engine::EngineNameKind::Gpu;
  if (!isGpu && !isRecordingName(engineName)) return std::nullopt;
  return Error{ErrorKind::Usage,
               fmt::format("{} belongs to the CPU executor: {}. Leave it out, or take --engine host.", option,
                           isGpu ? "a GPU chooses the order of its blocks itself"
                                 : "a recording keeps the order that it was made in")};
}

std::string_view blockOrderHelp() { return model::experimentField("block-order").help; }

Result<BlockOrderRequest> parseBlockOrderOption(const std::string& text) {
  ExperimentRequest request;
  if (auto wrong = readBlockOrder(kBlockOrderOption, text, request)) return tl::unexpected(*wrong);
  return BlockOrderRequest{request.experiment.blockOrder, request.experiment.blockOrderSeed};
}

void allowTypedCode(const ExperimentRequest& experimentRequest, engine::CodeTrust& trust) {
  if (experimentRequest.given.has(&Experiment::custom))
    trust.allow(experimentRequest.experiment.custom.combine);
}

Result<model::Experiment> completed(const ExperimentRequest& experimentRequest) {
  model::Experiment requested = experimentRequest.experiment;
  if (!experimentRequest.given.has(&Experiment::threads))
    requested.threads = 0;  // the variant's default size
  const model::Kernel* const kernel = kernels::kernelOf(requested);
  if (kernel != nullptr && !experimentRequest.given.has(&Experiment::op) &&
      !kernel->offers(requested.type, requested.op))
    requested.op = kernel->operators.front();
  if (!experimentRequest.given.has(&Experiment::data)) requested.data = kernels::defaultData(requested);
  return engine::checkedExperiment(requested, experimentRequest.given.has(&Experiment::elements))
      .and_then([](const model::Experiment& experiment) -> Result<model::Experiment> {
        const kernels::RunPlan plan = kernels::planRun(experiment);
        const auto& launches = plan.launches;
        if (experiment.launch >= launches.size())
          return usageError(fmt::format("--launch {} is not there: the launches are 0 to {}.",
                                        experiment.launch, figure(launches.size() - 1)));
        const std::uint64_t grid = launches[experiment.launch].grid.count() * plan.devices;
        if (experiment.block >= grid)
          return usageError(fmt::format("--block {} is not there: launch {} has the blocks 0 to {}.",
                                        experiment.block, figure(experiment.launch), figure(grid - 1)));
        return experiment;
      });
}

const Result<std::string>& StandardInput::text() {
  if (text_) return *text_;
  if (::isatty(STDIN_FILENO) == 1)
    std::cerr << "Reading numbers from the terminal: one per line, then Ctrl+D.\n" << std::flush;
  text_ = readToEnd(STDIN_FILENO, kStandardInputName, engine::kMaxDataBytes);
  return *text_;
}

Result<model::Experiment> sizedExperiment(const Context& context, const std::string& variant,
                                          const std::string& size, const ExperimentOptions& options) {
  auto request = readExperimentRequest(variant, options);
  if (!request) return tl::unexpected(request.error());
  if (!size.empty()) {
    if (request->given.has(&model::Experiment::elements))
      return usageError("--size and -n mean the same; give one of them.");
    const auto elements = parseNumberWithin("--size", size, 0, engine::kMaxElements);
    if (!elements) return tl::unexpected(elements.error());
    request->give(&model::Experiment::elements, *elements);
  }
  allowTypedCode(*request, *context.services.trust);
  return completed(*request);
}

}  // namespace stridescope::cli
