// The options that name an experiment, the engine it runs on and the rounds to show: step's, which record and
// shot take as well.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/commands.h"
#include "engine/code_trust.h"
#include "model/experiment.h"
#include "model/experiment_fields.h"

namespace stridescope::cli {

// Standard input as a file of numbers or lists: `--input -`.

inline constexpr std::string_view kStandardInput = "-";  // as an option has it in place of a file
inline constexpr const char* kStandardInputName = "standard input";

// It is read once, to its end, however many runs it is for.
class StandardInput {
 public:
  // Waits for the end. On a terminal, standard error is told first what is waited for. Errors: more bytes
  // than a file of numbers may have, a failure to read.
  const Result<std::string>& text();

 private:
  std::optional<Result<std::string>> text_;
};

class ExperimentOptions {
 public:
  std::string engine = "auto";

  void declare(Options& options);  // this outlives them
  // The same options of one side of a comparison, "--left-type", which the help does not list; they go before
  // those that stand for both.
  void declareOf(std::string_view side, Options& options);
  ExperimentOptions over(const ExperimentOptions& both) const;

  // As typed after one of the experiment's options, such as "--type"; nullopt where it was left out.
  std::optional<std::string> typed(std::string_view option) const;
  // One that was typed, other than those; empty: none was.
  std::string typedBeside(std::span<const std::string_view> options) const;
  // As if only those had been typed.
  ExperimentOptions only(std::span<const std::string_view> options) const;
  ExperimentOptions without(std::string_view option) const;  // as if that had not been typed
  // What --input and --lists read where they name "-": the same for both sides of a comparison.
  StandardInput& standardInput() const { return *standardInput_; }
  // As it was typed: "--type", "--left-type".
  std::string spelled(std::string_view option) const;

 private:
  std::map<std::string, std::optional<std::string>, std::less<>> typed_;
  std::shared_ptr<StandardInput> standardInput_ = std::make_shared<StandardInput>();
  std::optional<std::string> engineOfSide_;
  std::string side_;                                        // "left"; empty: both sides' or the only one's
  std::map<std::string, std::string, std::less<>> ofSide_;  // for over(): options typed for the side
};

// What was asked for: a full experiment, and which of its fields were given rather than filled in.
struct ExperimentRequest : model::ChosenFields {
  // Does an experiment agree in everything that was given?
  bool admits(const model::Experiment& other) const { return given.agree(experiment, other); }
  // Was nothing but perhaps the variant given?
  bool leavesTheRestOpen() const {
    return given.count() == (given.has(&model::Experiment::variant) ? 1u : 0u);
  }
};

// Reads the options; says nothing yet about whether the variant can run it. An empty variant is left open.
Result<ExperimentRequest> readExperimentRequest(const std::string& variant, const ExperimentOptions& options);

// --block-order, which verify takes, too.
inline constexpr std::string_view kBlockOrderOption = "--block-order";
std::string_view blockOrderHelp();
struct BlockOrderRequest {
  model::BlockOrder order{};
  std::uint64_t seed = 1;
};
Result<BlockOrderRequest> parseBlockOrderOption(const std::string& text);
// Why it does not go with --engine `engineName`, if it does not. `option`: as it was typed.
std::optional<Error> whyNoBlockOrder(std::string_view option, const std::string& engineName);

// What was typed may be compiled.
void allowTypedCode(const ExperimentRequest& experimentRequest, engine::CodeTrust& trust);

// Checked against the catalogue; the launch and the block exist.
Result<model::Experiment> completed(const ExperimentRequest& experimentRequest);

// Experiments of commands that take --size beside -n.

// The experiment of the options, with `size` as its number of elements unless that is empty; code that was
// typed may be compiled. Its errors have kind Usage.
Result<model::Experiment> sizedExperiment(const Context& context, const std::string& variant,
                                          const std::string& size, const ExperimentOptions& options);

}  // namespace stridescope::cli
