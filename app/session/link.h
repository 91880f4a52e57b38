// A link of a lesson or a tour: what it sets, where it goes and what it rings. Lessons and tours share one
// language, and this is the one place that reads it.
//
//   banks, banks@8, banks@0, banks@last     a panel; also the first round of stride 8, the first round, the
//                                           last
//   variant/sequential                      the variant; what else was chosen stays
//   show/sequential?stride=8&ring=thread:5  'show me': the variant as it is by default, but for what follows
//   show?round=last&panel=source            the same of what is on the screen
//   try?type=int64&threads=512              'try it': sets that alone; try/sequential?... the variant, too
//   predict/active?stride=8                 a question about the round, before it is shown: active, warps,
//                                           conflict or value
//   predict/active/sequential?stride=8      the same of that variant as it is by default
//   compare/interleaved_contiguous/sequential   two variants side by side
//
// Behind the ?, joined by &:
//   type, op, threads, n, block, ...               the experiment's, as the command line has them (op: add):
//                                                  those of model/experiment_fields.h with an example
//   stride, or round (a number, first, last); launch, pass
//   panel                                          its id
//   request=load-A                                 in Banks, by its name
//   ring=thread:5, warp:0, element:80, bank:16, line:15, request:load-A
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "markdown/read.h"
#include "model/experiment_fields.h"
#include "session/experiment_choices.h"
#include "session/mode.h"
#include "teaching/score.h"

namespace stridescope::session {

enum class LinkAction : std::uint8_t { Show, Try, Predict, Compare };

// A round of the run, by its number or its stride. Neither: where the playhead stands.
struct LinkPlace {
  std::optional<unsigned> launch = {};
  std::optional<unsigned> round = {};  // beyond the last is the last
  std::optional<std::uint64_t> stride = {};
  std::optional<unsigned> pass = {};
  friend bool operator==(const LinkPlace&, const LinkPlace&) = default;
};

enum class RingKind : std::uint8_t { Thread, Warp, Element, Bank, Line, Request };
struct LinkRing {
  RingKind kind{};
  std::uint64_t index = 0;   // set for all but requests; a line counts from 1, as in the Source panel
  std::string request = {};  // "load A"
  friend bool operator==(const LinkRing&, const LinkRing&) = default;
};

struct Link {
  LinkAction action = LinkAction::Show;
  std::string variant = {};          // empty: the one that is asked for
  std::string other = {};            // the second variant of a comparison
  bool anew = false;                 // the rest of the experiment is the variant's default
  model::ChosenFields choices = {};  // fields that are not given stay as they are
  std::optional<LinkPlace> place = {};
  std::string panel = {}, request = {}, question = {};  // empty: none
  std::optional<LinkRing> ring = {};
  friend bool operator==(const Link&, const Link&) = default;
};

// `at`: the byte of the link's text that the sentence is about.
struct LinkFault {
  std::size_t at = 0;
  std::string sentence;
};

// `text`: what stands behind the #. `panels`: the ids of all that there are.
tl::expected<Link, LinkFault> parseLink(std::string_view text, std::span<const std::string> panels);

// Sets what the link chooses.
void choose(const Link& link, ExperimentChoices& choices);

// What a link asks, in the order of teaching::kTopics.
inline constexpr std::array<std::string_view, teaching::kTopics.size()> kQuestionNames{"active", "warps",
                                                                                       "conflict", "value"};
constexpr std::string_view questionOf(teaching::Topic topic) { return kQuestionNames[std::size_t(topic)]; }
// What it asks; requires a link that predicts.
teaching::Topic topicOf(const Link& link);

// The mode that it needs.
Mode modeOf(const Link& link);

// A link of a Markdown text, and where its # stands: from 1 on, columns in characters (markdown::Link says of
// which it is the place where they are not `verbatim`).
struct LinkText {
  std::string text;  // behind the #
  std::size_t line = 1, column = 1;
  bool verbatim = true;
};
std::vector<LinkText> linksIn(std::span<const markdown::Block> blocks);
std::vector<LinkText> linksIn(std::string_view markdown);  // none, if it cannot be read

// "Line 12, column 8: there is no variant 'sequentail'; did you mean sequential?" nullopt: it leads
// somewhere.
std::optional<std::string> faultOf(const LinkText& link, std::span<const std::string> panels);

}  // namespace stridescope::session
