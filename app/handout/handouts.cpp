#include "handout/handouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "base/numbers.h"
#include "base/pending_file.h"
#include "base/plain_text.h"
#include "engine/experiment_check.h"
#include "handout/html_page.h"
#include "kernels/catalog.h"
#include "narration/outcome.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "picture/image.h"

namespace stridescope::handout {
namespace {

// The chosen steps of a run; at most so many rounds, and so many steps. Errors: none is there, there are
// more.
Result<std::vector<Place>> chosenPlaces(const Request& request, const lab::Run& run, std::size_t mostRounds,
                                        std::size_t mostSteps) {
  const Rounds rounds = request.rounds.value_or(Rounds());
  auto places = placesIn(run, rounds);
  const std::string& variant = run.trace.experiment.variant;
  const std::size_t last = analysis::mostRounds(run.analysis);
  if (last == 0) return unavailable("Nothing was recorded of " + variant + ", so there is nothing to show.");
  if (places.empty())
    return usageError(fmt::format("--rounds {} is not there: the rounds of {} are 0 to {}.", rounds.first,
                                  variant, figure(last - 1)));
  if (const std::size_t count = roundsIn(run, rounds); count > mostRounds)
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

// Requires Maker::makePainter or says that there is none.
Result<std::unique_ptr<RoundPainter>> makePainter(const Maker& maker, const PainterSetup& setup) {
  if (!maker.makePainter) return unavailable("Pictures of the window are not built in.");
  return maker.makePainter(setup);
}

Result<void> writeFile(const Request& request, std::string_view bytes, engine::JobControl& job) {
  if (job.cancel) return cancelled();
  STRIDESCOPE_TRY(writeWhole(request.file, bytes, request.overwrite, &job.cancel));
  return {};
}

// What a handout calls a run.
struct ToldNames {
  std::string title;    // "interleaved, contiguous"; the id of a variant that the catalogue no longer has
  std::string changed;  // a sentence; may be empty
  std::string experiment, engine;
};
ToldNames namesOf(const model::Trace& trace) {
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  return {.title = kernels::titleOf(trace.experiment),
          .changed = kernel == nullptr ? std::string() : kernel->changed,
          .experiment = engine::summaryOf(trace.experiment),
          .engine = "engine: " + narration::executorInWords(trace.executor)};
}

// Tables: CSV and Markdown.

std::string csvOf(const Request& request, const Runs& runs) {
  const Rounds rounds = request.rounds.value_or(Rounds());
  report::Table table = roundTable();
  std::vector<const lab::KnownRun*> all;
  for (const auto& run : runs) {
    addRounds(table, *run, rounds);
    all.push_back(run.get());
  }
  if (request.values) addValues(table, all, rounds);
  return report::csvOf(table);
}

// The values of a round as `step` lists them, where a fence of Markdown keeps them.
std::string valuesOf(const lab::Run& run, const Rounds& rounds) {
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

std::string markdownOf(const Request& request, const lab::KnownRun& known) {
  const lab::Run& run = known.run;
  const Rounds rounds = request.rounds.value_or(Rounds());
  const ToldNames names = namesOf(run.trace);
  report::Table table = roundTable();
  addRounds(table, known, rounds);
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

Result<void> writeTables(const Request& request, const Runs& runs, engine::JobControl& job) {
  constexpr std::size_t kAny = ~std::size_t{0};
  std::string text;
  for (const auto& run : runs) {
    if (const auto places = chosenPlaces(request, run->run, kAny, kAny); !places)
      return tl::unexpected(places.error());
    if (request.format == Format::Markdown) text += (text.empty() ? "" : "\n") + markdownOf(request, *run);
  }
  return writeFile(request, request.format == Format::Csv ? csvOf(request, runs) : text, job);
}

// A page: one HTML file.

constexpr std::size_t kMaxPageRounds = 64, kMaxHandoutSteps = 256;

// Pixels of the pictures for one of the page: sharp on a phone, too.
constexpr unsigned kDensity = 2;
constexpr unsigned kSheetWidth = 864, kSheetHeight = 832;
// On a page for a screen the first fills a row, and the others the next one; on a phone each has a row.
struct PagePanel {
  const char* id;
  unsigned width, height;
};
constexpr PagePanel kWidePanels[] = {
    {"shared_memory", 840, 400}, {"lanes", 268, 372}, {"divergence", 240, 372}, {"banks", 316, 372}};
constexpr PagePanel kNarrowPanels[] = {{"shared_memory", 360, 400}};

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
  PageWriter(const Request& request, RoundPainter& painter, engine::JobControl& job)
      : request_(request), painter_(painter), job_(job) {}

  Result<HtmlVariant> variantOf(const lab::KnownRun& known, const std::vector<Place>& places) {
    const lab::Run& run = known.run;
    STRIDESCOPE_TRY(painter_.show(run, request_.engine));
    const ToldNames names = namesOf(run.trace);
    report::Table rounds = roundTable();
    addRounds(rounds, known, request_.rounds.value_or(Rounds()));
    HtmlVariant variant{.title = names.title,
                        .changed = names.changed,
                        .experiment = names.experiment,
                        .engine = names.engine,
                        .result = narration::resultAndExpected(run.trace),
                        .rounds = report::forPeople(rounds)};
    for (const Place& place : places) {
      variant.steps.push_back(stepOf(known, place));
      if (request_.questions) variant.steps.back().question = questionOf(run, place);
    }
    for (const PictureTheme theme : themes()) {
      painter_.useTheme(theme);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (job_.cancel) return cancelled();
        tellProgress();
        STRIDESCOPE_TRY(drawStep(run, places[i], theme, variant.steps[i]));
      }
    }
    return variant;
  }

  std::vector<PictureTheme> themes() const {
    if (request_.theme) return {*request_.theme};
    return {PictureTheme::Light, PictureTheme::Dark};
  }
  void expect(std::size_t pictures) { all_ = pictures; }

 private:
  void tellProgress() {
    if (job_.progress)
      job_.progress(float(drawn_) / float(all_), fmt::format("Drawing {} of {}", drawn_ + 1, all_));
    ++drawn_;
  }

  Result<void> drawStep(const lab::Run& run, const Place& place, PictureTheme theme, HtmlStep& step) {
    STRIDESCOPE_TRY(drawPanels(run, place, kWidePanels, theme, false, step));
    return drawPanels(run, place, kNarrowPanels, theme, true, step);
  }

  Result<void> drawPanels(const lab::Run& run, const Place& place, std::span<const PagePanel> panels,
                          PictureTheme theme, bool narrow, HtmlStep& step) {
    auto drawn = painter_.panels(place, sizesOf(panels));
    if (!drawn) return tl::unexpected(drawn.error());
    step.pictures.resize(std::max(step.pictures.size(), drawn->size()));
    for (std::size_t i = 0; i < drawn->size(); ++i) {
      const picture::Image& image = (*drawn)[i].image;
      auto png = picture::pngOf(picture::indexed(image));
      if (!png) return tl::unexpected(png.error());
      HtmlPicture& picture = step.pictures[i];
      picture.title = (*drawn)[i].title;
      if (picture.alt.empty()) picture.alt = altOf(run, place, panels[i].id);
      picture.drawings.push_back({.png = *std::move(png),
                                  .width = unsigned(image.size.width) / kDensity,
                                  .height = unsigned(image.size.height) / kDensity,
                                  .dark = theme == PictureTheme::Dark,
                                  .narrow = narrow});
    }
    return {};
  }

  const Request& request_;
  RoundPainter& painter_;
  engine::JobControl& job_;
  std::size_t drawn_ = 0, all_ = 1;
};

Result<void> writePage(const Maker& maker, const Request& request, const Runs& runs,
                       engine::JobControl& job) {
  std::vector<std::vector<Place>> places;
  std::size_t steps = 0;
  for (const auto& run : runs) {
    auto chosen = chosenPlaces(request, run->run, kMaxPageRounds, kMaxHandoutSteps);
    if (!chosen) return tl::unexpected(chosen.error());
    steps += chosen->size();
    places.push_back(*std::move(chosen));
  }
  auto painter = makePainter(maker, {kSheetWidth * kDensity, kSheetHeight * kDensity, float(kDensity)});
  if (!painter) return tl::unexpected(painter.error());
  PageWriter writer(request, **painter, job);
  writer.expect(steps * writer.themes().size());
  HtmlDocument document{.madeBy = "Stridescope " + maker.version, .presented = request.window.presented};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto variant = writer.variantOf(*runs[i], places[i]);
    if (!variant) return tl::unexpected(variant.error());
    variant->title += distinction(runs, i);
    document.variants.push_back(*std::move(variant));
  }
  return writeFile(request, pageOf(document), job);
}

// Pictures: one PNG, a folder of them, or a GIF.

constexpr std::size_t kMaxPictureSteps = 1024;
constexpr double kHundredths = 100;    // per second
constexpr double kLastRoundLasts = 3;  // times as long as another, before the film begins again
// As the window plays: a round of many passes takes at most so many times as long as another.
constexpr double kMaxShownRoundsPerRound = 8;

struct Step {
  std::size_t run = 0;
  Place place;
};

struct Steps {
  std::vector<Step> all{};
  bool severalRuns = false;
};

Result<Steps> stepsOf(const Request& request, const Runs& runs) {
  Steps steps{.severalRuns = runs.size() > 1};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto places = chosenPlaces(request, runs[i]->run, kMaxPictureSteps, kMaxPictureSteps);
    if (!places) return tl::unexpected(places.error());
    for (const Place& place : *places) steps.all.push_back({i, place});
  }
  return steps;
}

// Calls `take(step, image)` for each step in order.
template <class Take>
Result<void> drawAll(const Maker& maker, const Request& request, const Runs& runs,
                     const std::vector<Step>& steps, engine::JobControl& job, const Take& take) {
  auto painter = makePainter(maker, request.window);
  if (!painter) return tl::unexpected(painter.error());
  (*painter)->useTheme(request.theme.value_or(PictureTheme::Dark));
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

bool isOnePicture(const Request& request) { return request.file.extension() == ".png"; }

Result<void> writeFolder(const Maker& maker, const Request& request, const Runs& runs, const Steps& steps,
                         engine::JobControl& job) {
  auto folder = PendingFolder::create(request.file, request.overwrite);
  if (!folder) return tl::unexpected(folder.error());
  const auto add = [&](std::size_t i, const picture::Image& image) -> Result<void> {
    const auto png = picture::pngOf(image);
    if (!png) return tl::unexpected(png.error());
    const Step& step = steps.all[i];
    STRIDESCOPE_TRY(folder->add(inAFolder(nameOf(steps, step, runs[step.run]->run)), *png));
    return {};
  };
  STRIDESCOPE_TRY(drawAll(maker, request, runs, steps.all, job, add));
  STRIDESCOPE_TRY(folder->publish());
  return {};
}

// How long step i is shown, in hundredths of a second.
unsigned timeOf(const Request& request, const Steps& steps, const Runs& runs, std::size_t i) {
  const Place& place = steps.all[i].place;
  const unsigned passes =
      runs[steps.all[i].run]->run.analysis.launches[place.launch].rounds[place.round].passes;
  const double share = std::min(1.0, kMaxShownRoundsPerRound / double(passes));
  const double times = i + 1 == steps.all.size() ? kLastRoundLasts : 1;
  return unsigned(std::max(2.0, std::round(kHundredths / request.speed * share * times)));
}

Result<void> writeGif(const Maker& maker, const Request& request, const Runs& runs, const Steps& steps,
                      engine::JobControl& job) {
  std::optional<picture::GifWriter> film;
  STRIDESCOPE_TRY(drawAll(maker, request, runs, steps.all, job,
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

Result<void> writePictures(const Maker& maker, const Request& request, const Runs& runs,
                           engine::JobControl& job) {
  const auto steps = stepsOf(request, runs);
  if (!steps) return tl::unexpected(steps.error());
  if (request.format == Format::Gif) return writeGif(maker, request, runs, *steps, job);
  if (!isOnePicture(request)) return writeFolder(maker, request, runs, *steps, job);
  if (steps->all.size() > 1)
    return usageError(
        fmt::format("These are {} pictures. Give a folder's name, such as -o pictures, or one round, such as "
                    "--rounds 4.",
                    figure(steps->all.size())));
  return drawAll(maker, request, runs, steps->all, job,
                 [&](std::size_t, const picture::Image& image) -> Result<void> {
                   const auto png = picture::pngOf(image);
                   if (!png) return tl::unexpected(png.error());
                   return writeFile(request, *png, job);
                 });
}

// If there are several runs, the longest says which rounds there are.
Result<void> checkRounds(const Request& request, const Runs& runs) {
  std::size_t rounds = 0;
  for (const auto& run : runs) rounds = std::max(rounds, analysis::mostRounds(run->run.analysis));
  if (!request.rounds || request.rounds->first >= rounds || request.rounds->last < rounds) return {};
  return usageError(fmt::format("--rounds {}..{} goes beyond the last round, which is {}.",
                                request.rounds->first, request.rounds->last, figure(rounds - 1)));
}

}  // namespace

Result<void> mayBeWritten(const Request& request) {
  if (request.format == Format::Png && !isOnePicture(request)) {
    STRIDESCOPE_TRY(PendingFolder::create(request.file, request.overwrite));
  } else {
    STRIDESCOPE_TRY(PendingFile::create(request.file, request.overwrite));
  }
  return {};
}

Result<void> write(const Maker& maker, const Request& request, const Runs& runs, engine::JobControl& job) {
  STRIDESCOPE_TRY(checkRounds(request, runs));
  switch (request.format) {
    case Format::Csv:
    case Format::Markdown:
      return writeTables(request, runs, job);
    case Format::Html:
      return writePage(maker, request, runs, job);
    case Format::Png:
    case Format::Gif:
      break;
  }
  return writePictures(maker, request, runs, job);
}

}  // namespace stridescope::handout
