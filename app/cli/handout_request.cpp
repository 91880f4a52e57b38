#include "cli/handout_request.h"

#include <fmt/format.h>

#include "base/pending_file.h"

namespace stridescope::cli {

Result<std::vector<handout::Place>> chosenPlaces(const HandoutRequest& request, const handout::ToldRun& run,
                                                 std::size_t mostRounds, std::size_t mostSteps) {
  const handout::Rounds rounds = request.rounds.value_or(handout::Rounds());
  auto places = run.placesIn(rounds);
  const std::string& variant = run.trace().experiment.variant;
  const std::size_t last = analysis::mostRounds(run.analysis());
  if (last == 0) return unavailable("Nothing was recorded of " + variant + ", so there is nothing to show.");
  if (places.empty())
    return usageError(fmt::format("--rounds {} is not there: the rounds of {} are 0 to {}.", rounds.first,
                                  variant, last - 1));
  if (const std::size_t count = run.roundsIn(rounds); count > mostRounds)
    return usageError(
        fmt::format("{} has {} rounds, and a file takes {}. Choose some of them, such as --rounds {}..{}.",
                    variant, count, mostRounds, rounds.first, std::min(rounds.first + mostRounds, last) - 1));
  if (places.size() > mostSteps)
    return usageError(
        fmt::format("These rounds of {} have {} passes, and a file takes {}. Choose fewer rounds with "
                    "--rounds, or fewer elements with -n.",
                    variant, places.size(), mostSteps));
  return places;
}

Result<std::unique_ptr<RoundPainter>> makePainter(const Context& context, const PainterSetup& setup) {
  if (!context.services.makePainter) return unavailable("Pictures of the window are not built in.");
  return context.services.makePainter(setup);
}

Result<void> writeFile(const HandoutRequest& request, std::string_view bytes, engine::JobControl& job) {
  if (job.cancel) return cancelled();
  STRIDESCOPE_TRY(writeWhole(request.file, bytes, request.overwrite, &job.cancel));
  return {};
}

}  // namespace stridescope::cli
