#include "handout/html_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "narration/caption.h"
#include "narration/measured_sentences.h"
#include "narration/outcome.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "narration/threads.h"
#include "narration/wording.h"
#include "report/table.h"
#include "teaching/sheet.h"

namespace stridescope::handout {

std::string_view embeddedPage(std::string_view fileName);

namespace {

using report::escaped;

// Up to which width of the page the drawings for phones are shown, CSS pixels; page.css has the same.
constexpr const char* kNarrow = "(max-width: 600px)";

bool hasDrawing(const HtmlDocument& document, bool HtmlDrawing::*of, bool wanted) {
  for (const HtmlVariant& variant : document.variants)
    for (const HtmlStep& step : variant.steps)
      for (const HtmlPicture& picture : step.pictures)
        if (std::ranges::find(picture.drawings, wanted, of) != picture.drawings.end()) return true;
  return false;
}

// Light or dark as the reader's system is; if the pictures have only one of the two, that one.
std::string_view themeOf(const HtmlDocument& document) {
  const bool dark = hasDrawing(document, &HtmlDrawing::dark, true);
  const bool light = hasDrawing(document, &HtmlDrawing::dark, false);
  return dark == light ? "auto" : dark ? "dark" : "light";
}

std::string paragraph(std::string_view kind, std::string_view text) {
  return text.empty() ? std::string() : fmt::format("<p class=\"{}\">{}</p>\n", kind, escaped(text));
}

std::string dataOf(const HtmlDrawing& drawing) {
  return "data:image/png;base64," + report::base64(drawing.png);
}

// The first drawing that suits the screen is shown, the last without a condition.
std::string drawingsOf(const HtmlPicture& picture) {
  const auto differ = [&](bool HtmlDrawing::*of) {
    return std::ranges::any_of(
        picture.drawings, [&](const HtmlDrawing& each) { return each.*of != picture.drawings.front().*of; });
  };
  const bool themes = differ(&HtmlDrawing::dark), widths = differ(&HtmlDrawing::narrow);
  std::vector<const HtmlDrawing*> ordered;
  for (const HtmlDrawing& drawing : picture.drawings) ordered.push_back(&drawing);
  std::ranges::stable_sort(ordered, std::greater<>(), [](const HtmlDrawing* drawing) {
    return int(drawing->narrow) * 2 + int(drawing->dark);
  });
  std::string text = "<picture>";
  for (const HtmlDrawing* drawing : ordered) {
    const bool last = drawing == ordered.back();
    if (last) {
      text += fmt::format("<img alt=\"{}\" width=\"{}\" height=\"{}\" src=\"{}\">", escaped(picture.alt),
                          drawing->width, drawing->height, dataOf(*drawing));
      break;
    }
    std::string media = widths && drawing->narrow ? kNarrow : "";
    if (themes)
      media += fmt::format("{}(prefers-color-scheme: {})", media.empty() ? "" : " and ",
                           drawing->dark ? "dark" : "light");
    text += fmt::format("<source media=\"{}\" width=\"{}\" height=\"{}\" srcset=\"{}\">", media,
                        drawing->width, drawing->height, dataOf(*drawing));
  }
  return text + "</picture>";
}

std::string figuresOf(const HtmlStep& step) {
  std::string text = "<div class=\"pictures\">\n";
  for (std::size_t i = 0; i < step.pictures.size(); ++i) {
    const HtmlPicture& picture = step.pictures[i];
    text += fmt::format(
        "<figure{}><div class=\"frame\">{}</div>\n<figcaption>{} <button type=\"button\" class=\"enlarge\" "
        "aria-pressed=\"false\" hidden>Enlarge</button></figcaption></figure>\n",
        i == 0 ? " class=\"first\"" : "", drawingsOf(picture), escaped(picture.title));
  }
  return text + "</div>\n";
}

// The lines that execute are told to eyes by a mark, and to ears by a word.
std::string sourceOf(const std::string& source) {
  std::string text;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view line = std::string_view(source).substr(begin, end - begin);
    if (line.starts_with('>'))
      text +=
          fmt::format("<mark><span class=\"unseen\">executes: </span>{}</mark>", escaped(line, Lines::Many));
    else if (line.starts_with("      "))
      text += fmt::format("<span class=\"sites\">{}</span>", escaped(line, Lines::Many));
    else
      text += escaped(line, Lines::Many);
    text += '\n';
    begin = end + 1;
  }
  return text;
}

std::string details(std::string_view kind, std::string_view title, bool open, const std::string& text,
                    std::string_view below = {}) {
  return fmt::format(
      "<details class=\"{}\"{}><summary>{}</summary><pre tabindex=\"0\" role=\"region\" "
      "aria-label=\"{}\">{}</pre>{}</details>\n",
      kind, open ? " open" : "", title, title, text, below);
}

std::string questionOf(const std::optional<HtmlQuestion>& question) {
  if (!question) return {};
  std::string text = "<div class=\"question\">\n" + paragraph("ask", question->text);
  for (std::size_t i = 0; i < question->choices.size(); ++i)
    text += fmt::format(
        "<button type=\"button\" class=\"choice\" aria-pressed=\"false\"{}>{}<span class=\"verdict\"></span>"
        "</button>\n",
        i == question->right ? " data-right" : "", escaped(question->choices[i]));
  return text +
         "<button type=\"button\" class=\"reveal\">Reveal</button>\n<div class=\"before\"></div>\n</div>\n";
}

std::string stepText(const HtmlStep& step, const std::string& id) {
  std::string text = fmt::format(
      "<article class=\"step{}\" id=\"{}\" data-name=\"{}\" aria-labelledby=\"{}t\">\n<h3 id=\"{}t\">{} "
      "<small>{}</small></h3>\n",
      step.question ? " asks" : "", id, escaped(step.name), id, id, escaped(step.title), escaped(step.place));
  text += questionOf(step.question);
  text += "<div class=\"answer\">\n";
  if (step.question) text += paragraph("why", step.question->why);
  for (const std::string& sentence : step.trouble) text += paragraph("trouble", sentence);
  text += paragraph("caption", step.caption);
  text += "<div class=\"sides\">\n";
  if (!step.pictures.empty()) text += figuresOf(step);
  text += "<div class=\"texts\">\n";
  if (!step.source.empty())
    text += details("source", "Source", true, sourceOf(step.source),
                    "<p class=\"key\">Marked lines execute. r: read, w: written, a: atomic, ~: between "
                    "lanes.</p>");
  if (!step.textMap.empty())
    text += details("map", "The same as text", false, escaped(step.textMap, Lines::Many));
  return text + "</div>\n</div>\n</div>\n</article>\n";
}

std::string tableText(const report::Table& table) {
  if (table.rows.empty()) return {};
  return "<details class=\"table\"><summary>All rounds as a table</summary><div class=\"scroll\" "
         "tabindex=\"0\" "
         "role=\"region\" aria-label=\"All rounds as a table\">" +
         report::htmlOf(table) + "</div></details>\n";
}

std::string variantText(const HtmlVariant& variant, std::size_t index) {
  std::string text = fmt::format(
      "<section class=\"variant\" id=\"v{}\" aria-labelledby=\"v{}t\">\n<h2 id=\"v{}t\">{}</h2>\n", index,
      index, index, escaped(variant.title));
  text += paragraph("changed", variant.changed);
  for (std::size_t i = 0; i < variant.steps.size(); ++i)
    text += stepText(variant.steps[i], fmt::format("at-v{}s{}", index, i));
  // Told when no round is left to be asked about.
  text += "<div class=\"about\">\n<div class=\"whole\">\n" + tableText(variant.rounds) +
          paragraph("result", variant.result) + "</div>\n" + paragraph("experiment", variant.experiment) +
          paragraph("engine", variant.engine);
  return text + "</div>\n</section>\n";
}

// If there are several variants, the bar chooses which is shown, or two of them over each other.
std::string variantsBar(const HtmlDocument& document) {
  if (document.variants.size() < 2) return {};
  std::string text = "<nav class=\"variants\" aria-label=\"Variants\" hidden>\n", options;
  for (std::size_t i = 0; i < document.variants.size(); ++i) {
    const std::string title = escaped(document.variants[i].title);
    text += fmt::format("<button type=\"button\" class=\"show\" aria-pressed=\"false\">{}</button>\n", title);
    options += fmt::format("<option value=\"{}\">{}</option>", i, title);
  }
  return text +
         "<button type=\"button\" id=\"compare\" aria-pressed=\"false\">Compare two</button>\n</nav>\n" +
         fmt::format(
             "<section id=\"both\" aria-label=\"Two variants over each other\" hidden>\n"
             "<p class=\"pick\"><label>left <select id=\"left\">{}</select></label> "
             "<label>right <select id=\"right\">{}</select></label> "
             "<label>same <select id=\"same\"><option value=\"round\">round</option>"
             "<option value=\"name\">stride</option></select></label></p>\n"
             "<div class=\"slide\"><div class=\"stack\"><div class=\"under\"></div><div class=\"over\"></div>"
             "<div class=\"rule\"></div></div>\n"
             "<input type=\"range\" id=\"divider\" min=\"0\" max=\"100\" value=\"50\" aria-label=\"How much "
             "of the left picture is shown, percent\"></div>\n"
             "<div class=\"captions\"><div id=\"leftcaption\"></div><div id=\"rightcaption\"></div></div>\n"
             "</section>\n",
             options, options);
}

}  // namespace

std::string pageOf(const HtmlDocument& document) {
  const std::string_view style = embeddedPage("page.css"), script = embeddedPage("page.js");
  std::string title;
  for (const HtmlVariant& variant : document.variants)
    title += (title.empty() ? "" : " / ") + escaped(variant.title);
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\" data-theme=\"{}\"{}>\n<head>\n<meta charset=\"utf-8\">\n"
      "{}<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"{}\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<h1 class=\"unseen\">{}</h1>\n",
      themeOf(document), document.presented ? " data-presented" : "",
      report::securityPolicy({.script = script, .pictures = true}), escaped(document.madeBy), title, style,
      title);
  text += variantsBar(document) + "<main>\n";
  for (std::size_t i = 0; i < document.variants.size(); ++i) text += variantText(document.variants[i], i);
  text += "</main>\n";
  text +=
      "<nav class=\"transport\" aria-label=\"Rounds\" hidden>\n"
      "<button type=\"button\" id=\"back\">Back</button>\n"
      "<div class=\"middle\"><input type=\"range\" id=\"scrub\" min=\"0\" value=\"0\" aria-label=\"Step\">"
      "<output id=\"place\"></output></div>\n"
      "<button type=\"button\" id=\"next\">Next</button>\n</nav>\n"
      "<p id=\"live\" class=\"unseen\" aria-live=\"polite\"></p>\n";
  text += fmt::format("<footer>Made by {}. Keys: Left and Right, Home and End; or swipe.</footer>\n",
                      escaped(document.madeBy));
  return text + "<script>" + std::string(script) + "</script>\n</body>\n</html>\n";
}

namespace {

// "round 4 (0 to 9)"; if there are several launches, also which.
std::string placeOf(const lab::Run& run, const Place& place) {
  const std::string launch =
      run.trace.launches.size() > 1 ? fmt::format("launch {}, ", figure(place.launch)) : std::string();
  const std::size_t rounds = run.analysis.launches[place.launch].rounds.size();
  return rounds < 2 ? launch + "round 0"
                    : fmt::format("{}round {} (0 to {})", launch, figure(place.round), figure(rounds - 1));
}

// With what is known beside it, as the window's caption has it.
std::string captionIn(const lab::KnownRun& known, const Place& place, const narration::RoundAt& at) {
  std::string text = narration::captionOf(at).text();
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += " " + sentence;
  };
  add(narration::troubleInAnotherPass(at, known.run.stalePasses[place.launch]));
  if (narration::endsTheRun(at)) add(narration::resultSentence(at.trace));
  if (at.pass == nullptr)
    add(narration::cyclesSentence(known.cycles(place.launch), place.round, known.cyclesOrigin()));
  return text;
}

std::string mapsOf(const narration::RoundAt& at) {
  std::string text;
  for (const narration::TextMap& map : narration::textMaps())
    if (map.inStep == narration::InStep::EachRound) text += map.text(at);
  return text;
}

// "load A takes 8 wavefronts, 1 would do; store takes 1 wavefront".
std::string requestsInWords(const narration::RoundAt& at) {
  std::string text;
  for (const narration::NamedRequest& named : narration::bankRequests(at)) {
    const unsigned wavefronts = named.request->wavefronts, ideal = named.request->ideal;
    text += fmt::format("{}{} takes {}", text.empty() ? "" : "; ", named.name,
                        narration::count(wavefronts, "wavefront"));
    if (wavefronts > ideal) text += fmt::format(", {} would do", figure(ideal));
  }
  for (const narration::NamedRequest& named : narration::deviceRequests(at))
    text += fmt::format("{}{} touches {}", text.empty() ? "" : "; ", named.name,
                        narration::count(named.request->sectors, "sector"));
  return text.empty() ? "no request" : text;
}

}  // namespace

HtmlStep stepOf(const lab::KnownRun& known, const Place& place) {
  const lab::Run& run = known.run;
  HtmlStep step;
  tellOf(run, place, [&](const narration::RoundAt& at) {
    step.title = narration::titleOf(at);
    step.name = narration::tickOf(at);
    step.place = placeOf(run, place);
    step.caption = captionIn(known, place, at);
    step.trouble = narration::troubleIn(at);
    step.textMap = mapsOf(at);
    step.source = narration::wholeSourceMap(at);
  });
  return step;
}

std::string altOf(const lab::Run& run, const Place& place, std::string_view panel) {
  std::string alt;
  tellOf(run, place, [&](const narration::RoundAt& at) {
    const std::string active = fmt::format("Active: {}", narration::whoIsActive(at));
    if (panel == "banks")
      alt = fmt::format("{}: {}.", narration::titleOf(at), requestsInWords(at));
    else if (panel == "divergence")
      alt = fmt::format("{}: {} of {} active, in {} of {}.", narration::titleOf(at),
                        figure(at.round().activeLanes), narration::count(at.launch.block, "lane"),
                        figure(at.round().activeWarps), narration::count(at.warps(), "warp"));
    else if (panel == "lanes")
      alt = fmt::format("{}. {}.", narration::titleOf(at), active);
    else
      alt = narration::captionOf(at).text() + " " + active + ".";
  });
  return alt;
}

namespace {

constexpr std::uint64_t kSeed = 1;  // one page is like the other

}  // namespace

std::optional<HtmlQuestion> questionOf(const lab::Run& run, const Place& place) {
  if (run.at(place.launch, place.round).whole().passes > 1) return std::nullopt;
  const auto asked = teaching::choiceQuestionOf(run, {place.launch, place.round}, kSeed);
  if (!asked) return std::nullopt;
  HtmlQuestion question{
      .text = asked->question.text, .choices = asked->choices, .right = asked->right, .why = asked->why};
  if (!asked->question.note.empty()) question.text += fmt::format(" ({})", asked->question.note);
  if (!asked->question.meaning.empty()) question.text += " " + asked->question.meaning;
  if (const std::string before = teaching::givenInWords(asked->question, asked->given); !before.empty())
    question.text += " " + before;
  return question;
}

}  // namespace stridescope::handout
