#include "cli/handouts.h"

#include <fmt/format.h>

#include <cmath>

#include "base/numbers.h"
#include "base/pending_file.h"
#include "base/plain_text.h"
#include "engine/experiment_check.h"
#include "handout/html_page.h"
#include "handout/rounds.h"
#include "kernels/catalog.h"
#include "narration/outcome.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "picture/image.h"

namespace stridescope::cli {

Result<std::vector<handout::Place>> chosenPlaces(const HandoutRequest& request, const lab::Run& run,
                                                 std::size_t mostRounds, std::size_t mostSteps) {
  const handout::Rounds rounds = request.rounds.value_or(handout::Rounds());
  auto places = handout::placesIn(run, rounds);
  const std::string& variant = run.trace.experiment.variant;
  const std::size_t last = analysis::mostRounds(run.analysis);
  if (last == 0) return unavailable("Nothing was recorded of " + variant + ", so there is nothing to show.");
  if (places.empty())
    return usageError(fmt::format("--rounds {} is not there: the rounds of {} are 0 to {}.", rounds.first,
                                  variant, figure(last - 1)));
  if (const std::size_t count = handout::roundsIn(run, rounds); count > mostRounds)
    return usageError(fmt::format(
        "{} has {} rounds, and a file takes {}. Choose some of them, such as --rounds {}..{}.", variant,
        figure(count), figure(mostRounds), rounds.first, std::min(rounds.first + mostRounds, last) - 1));
  if (places.size() > mostSteps)
    return usageError(
        fmt::format("These rounds of {} have {} passes, and a file takes {}. Choose fewer rounds with "
                    "--rounds, or fewer elements with -n.",
                    variant, figure(places.size()), figure(mostSteps)));
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

ToldNames namesOf(const model::Trace& trace) {
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  return {.title = kernels::titleOf(trace.experiment),
          .changed = kernel == nullptr ? std::string() : kernel->changed,
          .experiment = engine::summaryOf(trace.experiment),
          .engine = "engine: " + narration::executorInWords(trace.executor)};
}

// `export` of tables: CSV and Markdown.

namespace {

std::string csvOf(const HandoutRequest& request, const Runs& runs) {
  const handout::Rounds rounds = request.rounds.value_or(handout::Rounds());
  report::Table table = handout::roundTable();
  std::vector<const lab::KnownRun*> all;
  for (const auto& run : runs) {
    handout::addRounds(table, *run, rounds);
    all.push_back(run.get());
  }
  if (request.values) handout::addValues(table, all, rounds);
  return report::csvOf(table);
}

// The values of a round as `step` lists them, where a fence of Markdown keeps them.
std::string valuesOf(const lab::Run& run, const handout::Rounds& rounds) {
  std::string text;
  for (unsigned launch = 0; launch < run.trace.launches.size(); ++launch)
    for (std::size_t round = 0; round < run.analysis.launches[launch].rounds.size(); ++round) {
      if (!rounds.contains(round)) continue;
      const narration::RoundAt at = run.at(launch, round);
      text += fmt::format("\n### {}\n\n```\n{}```\n", report::inMarkdown(narration::titleOf(at)),
                          narration::valuesMap(at));
    }
  return text;
}

std::string markdownOf(const HandoutRequest& request, const lab::KnownRun& known) {
  const lab::Run& run = known.run;
  const handout::Rounds rounds = request.rounds.value_or(handout::Rounds());
  const ToldNames names = namesOf(run.trace);
  report::Table table = handout::roundTable();
  handout::addRounds(table, known, rounds);
  std::string text = fmt::format("## {}\n\n{}\n\n{}\n\n{}", report::inMarkdown(names.title),
                                 report::inMarkdown(names.experiment), report::inMarkdown(names.engine),
                                 report::markdownOf(report::forPeople(table)));
  if (!known.cyclesOrigin().empty() && text.find("cycles") != std::string::npos)
    text += fmt::format("\nCycles: {}.\n", report::inMarkdown(known.cyclesOrigin()));
  for (unsigned launch = 0; launch < run.trace.launches.size(); ++launch)
    if (!run.analysis.launches[launch].rounds.empty())
      for (const std::string& sentence : narration::troubleOf(run.at(launch, 0)))
        text += "\n" + report::inMarkdown(sentence) + "\n";
  text += "\n" + report::inMarkdown(narration::resultAndExpected(run.trace)) + "\n";
  if (request.values) text += valuesOf(run, rounds);
  return text;
}

}  // namespace

Result<void> writeTables(const Context&, const HandoutRequest& request, const Runs& runs,
                         engine::JobControl& job) {
  constexpr std::size_t kAny = ~std::size_t{0};
  std::string text;
  for (const auto& run : runs) {
    if (const auto places = chosenPlaces(request, run->run, kAny, kAny); !places)
      return tl::unexpected(places.error());
    if (request.format == HandoutFormat::Markdown)
      text += (text.empty() ? "" : "\n") + markdownOf(request, *run);
  }
  return writeFile(request, request.format == HandoutFormat::Csv ? csvOf(request, runs) : text, job);
}

// `export` of a page: one HTML file.

namespace {

constexpr std::size_t kMaxPageRounds = 64, kMaxHandoutSteps = 256;

// Pixels of the pictures for one of the page: sharp on a phone, too.
constexpr unsigned kDensity = 2;
constexpr unsigned kSheetWidth = 864, kSheetHeight = 832;
// On a page for a screen the first fills a row, and the others the next one; on a phone each has a row.
struct PagePanel {
  const char* id;
  unsigned width, height;
};
constexpr PagePanel kWide[] = {
    {"shared_memory", 840, 400}, {"lanes", 268, 372}, {"divergence", 240, 372}, {"banks", 316, 372}};
constexpr PagePanel kNarrow[] = {{"shared_memory", 360, 400}};

std::vector<PanelSize> sizesOf(std::span<const PagePanel> panels) {
  std::vector<PanelSize> sizes;
  for (const PagePanel& panel : panels) sizes.push_back({panel.id, panel.width, panel.height});
  return sizes;
}

// What tells the run from others of its variant: " · 128 threads", " · float", " · CPU executor", " · run 2".
std::string distinction(const Runs& runs, std::size_t place) {
  const model::Trace& own = runs[place]->run.trace;
  std::vector<const model::Trace*> others;
  for (const auto& run : runs)
    if (&run->run.trace != &own && run->run.trace.experiment.variant == own.experiment.variant)
      others.push_back(&run->run.trace);
  if (others.empty()) return {};
  const auto differs = [&](const auto& of) {
    return std::ranges::all_of(others, [&](const model::Trace* other) { return of(*other) != of(own); });
  };
  const model::Experiment& experiment = own.experiment;
  if (differs([](const model::Trace& trace) { return trace.experiment.threads; }))
    return fmt::format(" · {} threads", experiment.threads);
  if (differs([](const model::Trace& trace) { return trace.experiment.type; }))
    return fmt::format(" · {}", model::nameOf(experiment.type));
  if (differs([](const model::Trace& trace) { return trace.executor.device; }))
    return " · " + own.executor.device;
  return fmt::format(" · run {}", place + 1);
}

class PageWriter {
 public:
  PageWriter(const HandoutRequest& request, RoundPainter& painter, engine::JobControl& job)
      : request_(request), painter_(painter), job_(job) {}

  Result<handout::HtmlVariant> variantOf(const lab::KnownRun& known,
                                         const std::vector<handout::Place>& places) {
    const lab::Run& run = known.run;
    STRIDESCOPE_TRY(painter_.show(run, request_.engine));
    const ToldNames names = namesOf(run.trace);
    report::Table rounds = handout::roundTable();
    handout::addRounds(rounds, known, request_.rounds.value_or(handout::Rounds()));
    handout::HtmlVariant variant{.title = names.title,
                                 .changed = names.changed,
                                 .experiment = names.experiment,
                                 .engine = names.engine,
                                 .result = narration::resultAndExpected(run.trace),
                                 .rounds = report::forPeople(rounds)};
    for (const handout::Place& place : places) {
      variant.steps.push_back(handout::stepOf(known, place));
      if (request_.questions) variant.steps.back().question = handout::questionOf(run, place);
    }
    for (const ShotTheme theme : themes()) {
      painter_.useTheme(theme);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (job_.cancel) return cancelled();
        tellProgress();
        STRIDESCOPE_TRY(drawStep(run, places[i], theme, variant.steps[i]));
      }
    }
    return variant;
  }

  std::vector<ShotTheme> themes() const {
    if (request_.theme) return {*request_.theme};
    return {ShotTheme::Light, ShotTheme::Dark};
  }
  void expect(std::size_t pictures) { all_ = pictures; }

 private:
  void tellProgress() {
    if (job_.progress)
      job_.progress(float(drawn_) / float(all_), fmt::format("Drawing {} of {}", drawn_ + 1, all_));
    ++drawn_;
  }

  Result<void> drawStep(const lab::Run& run, const handout::Place& place, ShotTheme theme,
                        handout::HtmlStep& step) {
    STRIDESCOPE_TRY(drawPanels(run, place, kWide, theme, false, step));
    return drawPanels(run, place, kNarrow, theme, true, step);
  }

  Result<void> drawPanels(const lab::Run& run, const handout::Place& place, std::span<const PagePanel> panels,
                          ShotTheme theme, bool narrow, handout::HtmlStep& step) {
    auto drawn = painter_.panels(place, sizesOf(panels));
    if (!drawn) return tl::unexpected(drawn.error());
    step.pictures.resize(std::max(step.pictures.size(), drawn->size()));
    for (std::size_t i = 0; i < drawn->size(); ++i) {
      const picture::Image& image = (*drawn)[i].image;
      auto png = picture::pngOf(picture::indexed(image));
      if (!png) return tl::unexpected(png.error());
      handout::HtmlPicture& picture = step.pictures[i];
      picture.title = (*drawn)[i].title;
      if (picture.alt.empty()) picture.alt = handout::altOf(run, place, panels[i].id);
      picture.drawings.push_back({.png = *std::move(png),
                                  .width = unsigned(image.size.width) / kDensity,
                                  .height = unsigned(image.size.height) / kDensity,
                                  .dark = theme == ShotTheme::Dark,
                                  .narrow = narrow});
    }
    return {};
  }

  const HandoutRequest& request_;
  RoundPainter& painter_;
  engine::JobControl& job_;
  std::size_t drawn_ = 0, all_ = 1;
};

}  // namespace

Result<void> writePage(const Context& context, const HandoutRequest& request, const Runs& runs,
                       engine::JobControl& job) {
  std::vector<std::vector<handout::Place>> places;
  std::size_t steps = 0;
  for (const auto& run : runs) {
    auto chosen = chosenPlaces(request, run->run, kMaxPageRounds, kMaxHandoutSteps);
    if (!chosen) return tl::unexpected(chosen.error());
    steps += chosen->size();
    places.push_back(*std::move(chosen));
  }
  auto painter = makePainter(context, {kSheetWidth * kDensity, kSheetHeight * kDensity, float(kDensity)});
  if (!painter) return tl::unexpected(painter.error());
  PageWriter writer(request, **painter, job);
  writer.expect(steps * writer.themes().size());
  handout::HtmlDocument document{.madeBy = "Stridescope " + context.services.version,
                                 .presented = request.window.presented};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto variant = writer.variantOf(*runs[i], places[i]);
    if (!variant) return tl::unexpected(variant.error());
    variant->title += distinction(runs, i);
    document.variants.push_back(*std::move(variant));
  }
  return writeFile(request, handout::pageOf(document), job);
}

// `export` of pictures: one PNG, a folder of them, or a GIF.

namespace {

constexpr std::size_t kMaxPictureSteps = 1024;
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
    const auto places = chosenPlaces(request, runs[i]->run, kMaxPictureSteps, kMaxPictureSteps);
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
  const lab::Run* shown = nullptr;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (job.cancel) return cancelled();
    if (job.progress)
      job.progress(float(i) / float(steps.size()), fmt::format("Drawing {} of {}", i + 1, steps.size()));
    const lab::Run& run = runs[steps[i].run]->run;
    if (shown != &run) STRIDESCOPE_TRY((*painter)->show(run, request.engine));
    shown = &run;
    const auto image = (*painter)->window(steps[i].place, request.panel);
    if (!image) return tl::unexpected(image.error());
    STRIDESCOPE_TRY(take(i, *image));
  }
  return {};
}

// "round-04.png", "launch-1-round-04-pass-2.png": in the order of the steps where they are sorted by name.
std::string nameOf(const Steps& steps, const Step& step, const lab::Run& run) {
  std::string name;
  if (steps.severalRuns) name += fmt::format("{}-", run.trace.experiment.variant);
  if (run.trace.launches.size() > 1) name += fmt::format("launch-{:02}-", step.place.launch);
  name += fmt::format("round-{:03}", step.place.round);
  if (run.analysis.launches[step.place.launch].rounds[step.place.round].passes > 1)
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
    STRIDESCOPE_TRY(folder->add(inAFolder(nameOf(steps, step, runs[step.run]->run)), *png));
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
      runs[steps.all[i].run]->run.analysis.launches[place.launch].rounds[place.round].passes;
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
                    figure(steps->all.size())));
  return drawAll(context, request, runs, steps->all, job,
                 [&](std::size_t, const picture::Image& image) -> Result<void> {
                   const auto png = picture::pngOf(image);
                   if (!png) return tl::unexpected(png.error());
                   return writeFile(request, *png, job);
                 });
}

}  // namespace stridescope::cli
