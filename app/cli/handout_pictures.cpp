// `export` of pictures: one PNG, a folder of them, or a GIF.
#include <fmt/format.h>

#include <cmath>

#include "base/pending_folder.h"
#include "cli/handout_request.h"
#include "picture/gif.h"
#include "picture/png.h"

namespace stridescope::cli {
namespace {

constexpr std::size_t kMaxHandoutSteps = 1024;
constexpr double kHundredths = 100;    // per second
constexpr double kLastRoundLasts = 3;  // times as long as another, before the film begins again
// As the window plays: a round of many passes takes at most so many times as long as another.
constexpr double kMaxShownRoundsPerRound = 8;

struct Step {
  std::size_t run = 0;
  handout::Place place;
};

struct Steps {
  std::vector<Step> all{};
  bool severalRuns = false;
};

Result<Steps> stepsOf(const HandoutRequest& request, const Runs& runs) {
  Steps steps{.severalRuns = runs.size() > 1};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto places = chosenPlaces(request, *runs[i], kMaxHandoutSteps, kMaxHandoutSteps);
    if (!places) return tl::unexpected(places.error());
    for (const handout::Place& place : *places) steps.all.push_back({i, place});
  }
  return steps;
}

// Calls `take(step, image)` for each step in order.
template <class Take>
Result<void> drawAll(const Context& context, const HandoutRequest& request, const Runs& runs,
                     const std::vector<Step>& steps, engine::JobControl& job, const Take& take) {
  auto painter = makePainter(context, request.window);
  if (!painter) return tl::unexpected(painter.error());
  (*painter)->useTheme(request.theme.value_or(ShotTheme::Dark));
  const handout::ToldRun* shown = nullptr;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (job.cancel) return cancelled();
    if (job.progress)
      job.progress(float(i) / float(steps.size()), fmt::format("Drawing {} of {}", i + 1, steps.size()));
    const handout::ToldRun& run = *runs[steps[i].run];
    if (shown != &run) STRIDESCOPE_TRY((*painter)->show(run, request.engine));
    shown = &run;
    const auto image = (*painter)->window(steps[i].place, request.panel);
    if (!image) return tl::unexpected(image.error());
    STRIDESCOPE_TRY(take(i, *image));
  }
  return {};
}

// "round-04.png", "launch-1-round-04-pass-2.png": in the order of the steps where they are sorted by name.
std::string nameOf(const Steps& steps, const Step& step, const handout::ToldRun& run) {
  std::string name;
  if (steps.severalRuns) name += fmt::format("{}-", run.trace().experiment.variant);
  if (run.trace().launches.size() > 1) name += fmt::format("launch-{:02}-", step.place.launch);
  name += fmt::format("round-{:03}", step.place.round);
  if (run.analysis().launches[step.place.launch].rounds[step.place.round].passes > 1)
    name += fmt::format("-pass-{:03}", step.place.pass);
  return name + ".png";
}

// A variant's name comes from a recording: what leads elsewhere has no place in a file's.
std::string inAFolder(std::string name) {
  for (char& c : name)
    if (c == '/' || c == '\0') c = '_';
  return name.starts_with('.') ? "_" + name : name;
}

bool isOnePicture(const HandoutRequest& request) { return request.file.extension() == ".png"; }

Result<void> writeFolder(const Context& context, const HandoutRequest& request, const Runs& runs,
                         const Steps& steps, engine::JobControl& job) {
  auto folder = PendingFolder::create(request.file, request.overwrite);
  if (!folder) return tl::unexpected(folder.error());
  const auto add = [&](std::size_t i, const picture::Image& image) -> Result<void> {
    const auto png = picture::pngOf(image);
    if (!png) return tl::unexpected(png.error());
    const Step& step = steps.all[i];
    STRIDESCOPE_TRY(folder->add(inAFolder(nameOf(steps, step, *runs[step.run])), *png));
    return {};
  };
  STRIDESCOPE_TRY(drawAll(context, request, runs, steps.all, job, add));
  STRIDESCOPE_TRY(folder->publish());
  return {};
}

// How long step i is shown, in hundredths of a second.
unsigned timeOf(const HandoutRequest& request, const Steps& steps, const Runs& runs, std::size_t i) {
  const handout::Place& place = steps.all[i].place;
  const unsigned passes =
      runs[steps.all[i].run]->analysis().launches[place.launch].rounds[place.round].passes;
  const double share = std::min(1.0, kMaxShownRoundsPerRound / double(passes));
  const double times = i + 1 == steps.all.size() ? kLastRoundLasts : 1;
  return unsigned(std::max(2.0, std::round(kHundredths / request.speed * share * times)));
}

Result<void> writeGif(const Context& context, const HandoutRequest& request, const Runs& runs,
                      const Steps& steps, engine::JobControl& job) {
  std::optional<picture::GifWriter> film;
  STRIDESCOPE_TRY(drawAll(context, request, runs, steps.all, job,
                          [&](std::size_t i, const picture::Image& image) -> Result<void> {
                            if (!film) {
                              auto begun = picture::GifWriter::create(image.size);
                              if (!begun) return tl::unexpected(begun.error());
                              film.emplace(*std::move(begun));
                            }
                            return film->add(image, timeOf(request, steps, runs, i));
                          }));
  auto bytes = film->finish();
  if (!bytes) return tl::unexpected(bytes.error());
  return writeFile(request, *bytes, job);
}

}  // namespace

Result<void> writePictures(const Context& context, const HandoutRequest& request, const Runs& runs,
                           engine::JobControl& job) {
  const auto steps = stepsOf(request, runs);
  if (!steps) return tl::unexpected(steps.error());
  if (request.format == HandoutFormat::Gif) return writeGif(context, request, runs, *steps, job);
  if (!isOnePicture(request)) return writeFolder(context, request, runs, *steps, job);
  if (steps->all.size() > 1)
    return usageError(
        fmt::format("These are {} pictures. Give a folder's name, such as -o pictures, or one round, such as "
                    "--rounds 4.",
                    steps->all.size()));
  return drawAll(context, request, runs, steps->all, job,
                 [&](std::size_t, const picture::Image& image) -> Result<void> {
                   const auto png = picture::pngOf(image);
                   if (!png) return tl::unexpected(png.error());
                   return writeFile(request, *png, job);
                 });
}

}  // namespace stridescope::cli
