// The options that name an experiment, the engine it runs on and the rounds to show: step's, which record and
// shot take as well.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "cli/parse.h"
#include "engine/code_trust.h"
#include "model/experiment.h"

namespace stridescope::cli {

// As typed; nullopt where an option was left out.
struct ExperimentOptions {
  std::optional<std::string> type, op, threads, elements, data, seed, launch, block, schedule, scheduleSeed,
      input, lists, combine, identity;
  std::string engine = "auto";

  void declare(Options& options);
};

// What was asked for: a full experiment, and which of its members were given rather than filled in.
struct ExperimentRequest {
  model::Experiment experiment;
  bool variantGiven = false, typeGiven = false, opGiven = false, threadsGiven = false, elementsGiven = false,
       dataGiven = false, seedGiven = false, launchGiven = false, blockGiven = false, scheduleGiven = false,
       scheduleSeedGiven = false, listsGiven = false, customGiven = false;

  // Does an experiment agree in everything that was given?
  bool admits(const model::Experiment& other) const;
  // Was nothing but perhaps the variant given?
  bool leavesTheRestOpen() const;
};

// Reads the options; says nothing yet about whether the variant can run it. An empty variant is left open.
Result<ExperimentRequest> readExperimentRequest(const std::string& variant, const ExperimentOptions& options);

// What was typed may be compiled.
void allowTypedCode(const ExperimentRequest& experimentRequest, engine::CodeTrust& trust);

// Checked against the catalogue; the launch and the block exist.
Result<model::Experiment> completed(const ExperimentRequest& experimentRequest);

}  // namespace stridescope::cli
