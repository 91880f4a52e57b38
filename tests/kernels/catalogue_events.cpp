// Writes the events of the catalogue's traces, or compares two such files; compilers_agree.sh does both.
//   catalogue_events write FILE     each variant with each type, each operator and each of its block sizes
//   catalogue_events compare A B    says in how many traces they differ; exit status 1 if in any
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "model/experiment.h"

namespace stridescope {
namespace {

std::vector<model::Experiment> experiments() {
  std::vector<model::Experiment> all;
  for (const kernels::Variant& variant : kernels::catalog()) {
    const auto add = [&](model::ElementType type, model::Operator op, unsigned threads) {
      const std::uint64_t elements = variant.firstElements(threads);
      if (!variant.offers(type, op)) return;
      all.push_back({.variant = std::string(variant.id),
                     .type = type,
                     .op = op,
                     .threads = threads,
                     .elements = variant.merges() ? std::min<std::uint64_t>(elements, 16) : elements,
                     .data = model::DataPattern::Random});
    };
    for (const model::ElementType type : variant.types)
      for (const model::Operator op : variant.operators) add(type, op, variant.defaultThreads);
    for (const unsigned threads : variant.threads)
      if (threads != variant.defaultThreads) add(variant.types.front(), variant.operators.front(), threads);
  }
  return all;
}

std::string nameOf(const model::Experiment& experiment) {
  std::ostringstream name;
  name << experiment.variant << ' ' << model::nameOf(experiment.type) << ' ' << model::nameOf(experiment.op)
       << ' ' << experiment.threads << " threads";
  return name.str();
}

// A trace is a line that names it, and one a launch; below each launch one an event, with the site's text.
int write(const char* file) {
  std::ofstream out(file, std::ios::binary);
  const auto engine = engine::host::makeHostEngine();
  for (const model::Experiment& experiment : experiments()) {
    engine::JobControl job;
    const auto trace = engine->record(experiment, job);
    if (!trace) {
      std::cerr << nameOf(experiment) << ": " << trace.error().sentence << '\n';
      return 2;
    }
    out << "trace " << nameOf(experiment) << '\n';
    for (const model::LaunchTrace& launch : trace->launches) {
      out << "launch\n";
      for (std::size_t thread = 0; thread < launch.block; ++thread)
        for (std::size_t i = launch.recorded().first[thread]; i < launch.recorded().first[thread + 1]; ++i)
          out << thread << ' ' << std::hex << launch.recorded().events[i].head << ' '
              << launch.recorded().events[i].value << std::dec << ' '
              << trace->sites.at(launch.recorded().events[i].site()).text.substr(0, 40) << '\n';
    }
  }
  out.flush();
  return out ? 0 : 2;
}

int compare(const char* first, const char* second) {
  std::ifstream a(first, std::ios::binary), b(second, std::ios::binary);
  std::uint64_t traces = 0, events = 0, different = 0;
  std::string name, lineOfA, lineOfB;
  bool differs = false;
  while (true) {
    const bool moreOfA = bool(std::getline(a, lineOfA)), moreOfB = bool(std::getline(b, lineOfB));
    if (!moreOfA && !moreOfB) break;
    const bool heads = moreOfA && lineOfA.starts_with("trace ");
    if (moreOfA != moreOfB || heads != lineOfB.starts_with("trace ")) {
      std::cout << "The files are not of the same length at " << name << ".\n";
      return 1;
    }
    if (heads) {
      name = lineOfA;
      ++traces;
      differs = false;
    } else if (lineOfA != "launch") {
      ++events;
    }
    if (lineOfA == lineOfB || differs) continue;
    differs = true;
    ++different;
    std::cout << name << ": \"" << lineOfA << "\" in the one, \"" << lineOfB << "\" in the other.\n";
  }
  std::cout << traces << " traces, " << events << " events: " << different << " traces differ.\n";
  return different == 0 && traces != 0 ? 0 : 1;
}

}  // namespace
}  // namespace stridescope

int main(int count, char** arguments) {
  const std::vector<std::string_view> given(arguments, arguments + count);
  if (count == 3 && given[1] == "write") return stridescope::write(arguments[2]);
  if (count == 4 && given[1] == "compare") return stridescope::compare(arguments[2], arguments[3]);
  std::cerr << "catalogue_events write FILE | compare FILE FILE\n";
  return 2;
}
