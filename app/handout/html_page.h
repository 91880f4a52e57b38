// A page of rounds as one HTML file that stands alone: its pictures, style and script are in it, and it asks
// nothing of a network. A browser without scripts shows all rounds one below the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "handout/rounds.h"
#include "lab/measured.h"
#include "report/table.h"

namespace stridescope::handout {

// What a page of rounds is made of: plain values, so that whoever fills them in decides what it shows. All
// texts are as people read them; the page escapes them.

// Asked before a round is revealed.
struct HtmlQuestion {
  std::string text = {};
  std::vector<std::string> choices = {};  // empty: it is thought over, then revealed
  std::size_t right = 0;                  // which of them
  std::string why = {};                   // a sentence, told with the answer; may be empty
};

// One picture as it is drawn for one kind of screen.
struct HtmlDrawing {
  std::string png;
  unsigned width = 0, height = 0;  // as it is shown, CSS pixels; the PNG may have more
  bool dark = false;               // for a dark page, where there is a light one, too
  bool narrow = false;             // for a phone, where there is a wide one, too
};

struct HtmlPicture {
  std::string title;                  // the panel's
  std::string alt;                    // what it shows, for who does not see it
  std::vector<HtmlDrawing> drawings;  // at least one
};

// A round, or a pass of one.
struct HtmlStep {
  std::string title;                      // "Stride 8"
  std::string name;                       // what steps of other variants are like it by: "8", "load"
  std::string place;                      // "round 4 (0 to 9)"
  std::string caption;                    // sentences
  std::vector<std::string> trouble = {};  // what went wrong, in place of the caption's first place
  std::vector<HtmlPicture> pictures = {};
  std::string textMap = {};  // lines
  std::string source = {};   // the kernel's text as narration::wholeSourceMap has it
  std::optional<HtmlQuestion> question = {};
};

struct HtmlVariant {
  std::string title;       // "interleaved, contiguous"
  std::string changed;     // a sentence: what it does otherwise than the one before; may be empty
  std::string experiment;  // "int +, 256 threads, ..."
  std::string engine;      // who ran it
  std::string result;      // a sentence
  std::vector<HtmlStep> steps = {};
  report::Table rounds = {};  // for people
};

struct HtmlDocument {
  std::string madeBy;  // "Stridescope 0.1.0"
  std::vector<HtmlVariant> variants = {};
  bool presented = false;  // in letters for a projector
};

// Requires a variant, and of each a step.
std::string pageOf(const HtmlDocument& document);

// A step of a run in words: what a page says beside its pictures.

// The step without its pictures and its question.
HtmlStep stepOf(const lab::KnownRun& known, const Place& place);

// Who is active, and what the panel of this id shows in the step: instead of its picture.
std::string altOf(const lab::Run& run, const Place& place, std::string_view panel);

// What a page asks before it reveals a round.

// With answers to choose from, and why (teaching/sheet.h). nullopt: the round determines none, or
// the step is one of its passes, where most questions would have another answer than in the round.
std::optional<HtmlQuestion> questionOf(const lab::Run& run, const Place& place);

}  // namespace stridescope::handout
