#include "views/chrome/text_twin.h"

#include "narration/caption.h"
#include "narration/result_words.h"
#include "narration/text_maps.h"
#include "narration/trouble.h"
#include "narration/wrapped.h"
#include "views/maps/map_bytes.h"

namespace stridescope::views {

std::string textTwinOf(const narration::RoundAt& at) {
  std::string text = narration::wrapped(narration::captionOf(at).text(), narration::kTextColumns) + "\n";
  for (const std::string& sentence : narration::troubleOf(at))
    text += narration::wrapped(sentence, narration::kTextColumns) + "\n";
  if (narration::endsTheRun(at))
    text += narration::wrapped(narration::resultSentence(at.trace), narration::kTextColumns) + "\n";
  const auto section = [&](const char* title, const std::string& map) {
    if (!map.empty()) text += std::string("\n") + title + "\n" + map;
  };
  section("Shared memory", narration::valuesMap(at));
  section("Lanes", narration::laneMap(at));
  section("Divergence", narration::divergenceMap(at));
  section("Banks", narration::bankMaps(at));
  section("Sectors", narration::sectorRows(at));
  if (analysis::usesShared(at.analysis))
    section("Banks by round", narration::banksByRound(at));
  else
    section("Sectors by round", narration::sectorsByRound(at));
  section("Source", narration::sourceMap(at));
  return text;
}

}  // namespace stridescope::views
