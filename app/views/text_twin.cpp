#include "views/text_twin.h"

#include "twin/caption.h"
#include "twin/result_words.h"
#include "twin/text_maps.h"
#include "twin/trouble.h"
#include "twin/wrapped.h"
#include "views/map_bytes.h"

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
