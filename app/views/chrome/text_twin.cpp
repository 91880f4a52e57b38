#include "views/chrome/text_twin.h"

#include "narration/caption.h"
#include "narration/result_words.h"
#include "narration/text_maps.h"
#include "narration/trouble.h"
#include "narration/wrapped.h"
#include "views/maps/map_bytes.h"

namespace stridescope {

std::string textTwinOf(const RoundAt& at) {
  std::string text = wrapped(captionOf(at).text(), kTextColumns) + "\n";
  for (const std::string& sentence : troubleOf(at)) text += wrapped(sentence, kTextColumns) + "\n";
  if (endsTheRun(at)) text += wrapped(resultSentence(at.trace), kTextColumns) + "\n";
  const auto section = [&](const char* title, const std::string& map) {
    if (!map.empty()) text += std::string("\n") + title + "\n" + map;
  };
  section("Shared memory", valuesMap(at));
  section("Lanes", laneMap(at));
  section("Divergence", divergenceMap(at));
  section("Banks", bankMaps(at));
  section("Sectors", sectorRows(at));
  if (usesShared(at.analysis))
    section("Banks by round", banksByRound(at));
  else
    section("Sectors by round", sectorsByRound(at));
  section("Source", sourceMap(at));
  return text;
}

}  // namespace stridescope
