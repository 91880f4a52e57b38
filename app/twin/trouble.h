// What went wrong in a launch, as sentences: races, problems, a trace that was cut.
#pragma once

#include <string>
#include <vector>

#include "twin/round_at.h"

namespace stridescope {

// "Race in stride 8: thread 8 reads data[16] (line 9), which thread 16 wrote in stride 16 (line 9), and no
// barrier stands between. The value may be the old or the new one." Then what mends it. `at` names the
// launch; its index is not looked at.
std::string raceSentence(const RoundAt& at, const Race& race);

// "This trace was cut at 64 MB after stride 4. The rounds after it were not recorded." Of a merge: in which
// element, and how to see more. Empty if it was not.
std::string cutSentence(const RoundAt& at);

// All of it for one launch: races (the first six; the rest are counted), then problems with their line, then
// the cut.
std::vector<std::string> troubleOf(const RoundAt& at);

}  // namespace stridescope
