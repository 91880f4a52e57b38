// `export` of a page: one HTML file.
#include <fmt/format.h>

#include "cli/handout_request.h"
#include "cli/told_names.h"
#include "handout/html_page.h"
#include "handout/html_step.h"
#include "handout/round_question.h"
#include "handout/round_table.h"
#include "narration/result_words.h"
#include "picture/png.h"

namespace stridescope::cli {
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
  const model::Trace& own = runs[place]->trace();
  std::vector<const model::Trace*> others;
  for (const auto& run : runs)
    if (&run->trace() != &own && run->trace().experiment.variant == own.experiment.variant)
      others.push_back(&run->trace());
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

  Result<handout::HtmlVariant> variantOf(const handout::ToldRun& run,
                                         const std::vector<handout::Place>& places) {
    STRIDESCOPE_TRY(painter_.show(run, request_.engine));
    const ToldNames names = namesOf(run.trace());
    report::Table rounds = handout::roundTable();
    handout::addRounds(rounds, run, request_.rounds.value_or(handout::Rounds()));
    handout::HtmlVariant variant{.title = names.title,
                                 .changed = names.changed,
                                 .experiment = names.experiment,
                                 .engine = names.engine,
                                 .result = narration::resultAndExpected(run.trace()),
                                 .rounds = report::forPeople(rounds)};
    for (const handout::Place& place : places) {
      variant.steps.push_back(handout::stepOf(run, place));
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

  Result<void> drawStep(const handout::ToldRun& run, const handout::Place& place, ShotTheme theme,
                        handout::HtmlStep& step) {
    STRIDESCOPE_TRY(drawPanels(run, place, kWide, theme, false, step));
    return drawPanels(run, place, kNarrow, theme, true, step);
  }

  Result<void> drawPanels(const handout::ToldRun& run, const handout::Place& place,
                          std::span<const PagePanel> panels, ShotTheme theme, bool narrow,
                          handout::HtmlStep& step) {
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
    auto chosen = chosenPlaces(request, *run, kMaxPageRounds, kMaxHandoutSteps);
    if (!chosen) return tl::unexpected(chosen.error());
    steps += chosen->size();
    places.push_back(*std::move(chosen));
  }
  auto painter = makePainter(context, {kSheetWidth * kDensity, kSheetHeight * kDensity, float(kDensity)});
  if (!painter) return tl::unexpected(painter.error());
  PageWriter writer(request, **painter, job);
  writer.expect(steps * writer.themes().size());
  handout::HtmlDocument document{.madeBy = "Stridescope " + context.services.version};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto variant = writer.variantOf(*runs[i], places[i]);
    if (!variant) return tl::unexpected(variant.error());
    variant->title += distinction(runs, i);
    document.variants.push_back(*std::move(variant));
  }
  return writeFile(request, handout::pageOf(document), job);
}

}  // namespace stridescope::cli
