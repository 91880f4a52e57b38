// What a run came to, set against a plain loop.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// The run was stopped by a problem of this launch: what its last round has left nobody knows.
bool wasStopped(const RoundAt& at);

// "equal", "equal within the bound", "the order decides" (a value that is not finite), "DIFFERENT", "compared
// with nothing", or "no result". Where the verdict is a recording's, and this program could not compute it:
// "the recording says: equal", and so on; the sentences below say so, too.
std::string verdictOf(const model::Trace& trace);

// Whether the round is the last one of the last launch, which leaves the result.
bool endsTheRun(const RoundAt& at);

// "result 32640, expected 32640: equal". In a long merge the first 64 values stand for all.
std::string resultAndExpected(const model::Trace& trace);

// The check's note as it is shown; empty if there is none. One that a file has is told as the recording's.
std::string noteOf(const model::Trace& trace);

// "The result is 32640, the same as a plain loop gives." Then the check's note, where floating rounding
// shows.
std::string resultSentence(const model::Trace& trace);

}  // namespace stridescope::narration
