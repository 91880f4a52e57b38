// The window for those who cannot see it: the shown round in words, and the commands as a list.
#pragma once

#include <span>
#include <string>

#include "measure/timing_board.h"
#include "session/session.h"
#include "views/shared/panel.h"

namespace stridescope::web {

// {"caption":"Stride 8: ...","summary":"As text: Shared memory, ...","text":"...","told":"..."}: see
// views::SpokenRound; "told" is the message, or what is said in passing.
std::string wordsAsJson(const session::Session& session, std::span<const views::Panel> panels);

// {"title":"Lesson: ...","paragraphs":[{"kind":"heading" or "text" or
// "code","pieces":[["words","link"],...]},...]}: the lesson or the stop of a tour, see views::SpokenReading.
std::string readingAsJson(const session::Session& session, const measure::TimingSnapshot& timings,
                          std::span<const views::Panel> panels);

// [{"text":"Question 1 of 4: ...","state":"not answered.","answers":[{"name":"W0","chosen":false}, ...],
// "field":"..."}, ...]: what Predict asks, see views::SpokenQuestion.
std::string questionsAsJson(const session::Session& session);

// [{"menu":"Run","name":"Step forward","keys":"Right / PgDn","enabled":true}, ...]: those of the mode, as
// they stand in `table`; "index" is the place there.
std::string commandsAsJson(const session::Session& session, std::span<const views::CommandEntry> table);

}  // namespace stridescope::web
