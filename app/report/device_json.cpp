#include "device_json.h"

#include <vector>

#include "analysis/device_traffic.h"

namespace stridescope::report {

void writeTraffic(JsonWriter& json, const model::LaunchTrace& launch,
                  const analysis::LaunchAnalysis& analysis) {
  json.member("devices", launch.devices);
  json.objects("traffic", analysis.traffic.rounds, [&](const analysis::DeviceRound& round) {
    json.objects("transfers", round.transfers, [&](const analysis::DeviceTransfer& transfer) {
      json.member("from", transfer.from);
      json.member("to", transfer.to);
      json.member("by", transfer.by);
      json.member("array", launch.buffers[transfer.buffer].name);
      json.member("first", transfer.runs.front().first);
      json.member("last", transfer.runs.back().end - 1);
      json.member("elements", transfer.elements());
      json.member("bytes", transfer.bytes);
      json.member("message", transfer.isMessage);
    });
    json.objects("waits", round.waits, [&](const analysis::DeviceWait& wait) {
      json.member("device", wait.device);
      json.member("of", wait.of);
      json.member("thread", wait.thread);
    });
  });
  const analysis::DeviceLinks links = analysis.before + analysis::linksOf(launch, analysis.traffic);
  struct Link {
    unsigned from = 0, to = 0;
  };
  std::vector<Link> used;
  for (unsigned from = 0; from < launch.devices && !links.bytes.empty(); ++from)
    for (unsigned to = 0; to < launch.devices; ++to)
      if (links.at(from, to) > 0) used.push_back({from, to});
  json.objects("links", used, [&](const Link& link) {
    json.member("from", link.from);
    json.member("to", link.to);
    json.member("bytes", links.at(link.from, link.to));
  });
  json.objects("device_races", analysis.traffic.races, [&](const analysis::DeviceRace& race) {
    json.member("array", launch.buffers[race.buffer].name);
    json.member("device", race.device);
    json.member("element", race.element);
    json.member("first", race.first);
    json.member("second", race.second);
  });
}

}  // namespace stridescope::report
