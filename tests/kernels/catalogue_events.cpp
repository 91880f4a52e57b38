// Writes the events of the catalogue's traces, or compares two such files: compilers_agree.sh does it with
// those of two compilers, and ./dev test --web with those of the browser edition's executor.
//   catalogue_events write FILE           each variant with each type, operator, block size, schedule and
//                                         order of blocks
//   catalogue_events ask FOLDER           the same experiments as messages to the browser edition's executor:
//                                         0.question, 1.question, ...
//   catalogue_events answers FOLDER FILE  writes what it answered, 0.answer, 1.answer, ..., as `write` does
//   catalogue_events compare A B          says in how many traces they differ; exit status 1 if in any
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/host/host_engine.h"
#include "engine/worker/byte_archive.h"
#include "engine/worker/trace_answer.h"
#include "kernels/catalog.h"
#include "model/experiment.h"

namespace stridescope {
namespace {

// These are run with a grid of so many blocks, too.
constexpr std::string_view kOfManyBlocks[] = {"sequential", "warp_shuffle"};
constexpr std::uint64_t kManyBlocks = 4096;

std::vector<model::Experiment> experiments() {
  std::vector<model::Experiment> all;
  for (const kernels::Variant& variant : kernels::catalog()) {
    const auto add = [&](model::ElementType type, model::Operator op, unsigned threads,
                         model::Schedule schedule = {}, model::BlockOrder order = {}) {
      const std::uint64_t elements = variant.firstElements(threads);
      if (!variant.offers(type, op)) return;
      all.push_back({.variant = std::string(variant.id),
                     .type = type,
                     .op = op,
                     .threads = threads,
                     .elements = variant.merges() ? std::min<std::uint64_t>(elements, 16) : elements,
                     .data = model::DataPattern::Random,
                     .schedule = schedule,
                     .blockOrder = order});
    };
    const auto addUsual = [&](model::Schedule schedule, model::BlockOrder order) {
      add(variant.types.front(), variant.operators.front(), variant.defaultThreads, schedule, order);
    };
    for (const model::Schedule schedule : model::kSchedules)
      if (schedule != model::Schedule()) addUsual(schedule, {});
    for (const model::BlockOrder order : model::kBlockOrders)
      if (order != model::BlockOrder()) addUsual({}, order);
    if (std::ranges::find(kOfManyBlocks, variant.id) != std::end(kOfManyBlocks)) {
      addUsual({}, {});
      all.back().elements *= kManyBlocks;
    }
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
       << ' ' << experiment.elements << " elements, " << experiment.threads << " threads, "
       << model::nameOf(experiment.schedule) << ", blocks " << model::nameOf(experiment.blockOrder);
  return name.str();
}

// A trace is a line that names it with its result, and one a launch with its blocks; below each launch one an
// event, with the site's text.
void writeEvents(const model::Experiment& experiment, const model::Trace& trace, std::ostream& out) {
  out << "trace " << nameOf(experiment) << ": " << trace.result << (trace.ok ? ", right" : "") << '\n';
  for (const model::LaunchTrace& launch : trace.launches) {
    out << "launch " << launch.grid << '\n';
    for (std::size_t thread = 0; thread < launch.block; ++thread)
      for (std::size_t i = launch.recorded().first[thread]; i < launch.recorded().first[thread + 1]; ++i)
        out << thread << ' ' << std::hex << launch.recorded().events[i].head << ' '
            << launch.recorded().events[i].value << std::dec << ' '
            << trace.sites.at(launch.recorded().events[i].site()).text.substr(0, 40) << '\n';
  }
}

int writeTo(const char* file,
            const std::function<Result<model::Trace>(std::size_t, const model::Experiment&)>& traceOf) {
  std::ofstream out(file, std::ios::binary);
  const auto all = experiments();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto trace = traceOf(i, all[i]);
    if (!trace) {
      std::cerr << nameOf(all[i]) << ": " << trace.error().sentence << '\n';
      return 2;
    }
    writeEvents(all[i], *trace, out);
  }
  out.flush();
  return out ? 0 : 2;
}

int write(const char* file) {
  const auto engine = engine::host::makeHostEngine();
  return writeTo(file, [&](std::size_t, const model::Experiment& experiment) {
    engine::JobControl job;
    return engine->record(experiment, job);
  });
}

std::string fileOf(const std::string& folder, std::size_t number, const char* kind) {
  return folder + "/" + std::to_string(number) + kind;
}

int ask(const std::string& folder) {
  const auto all = experiments();
  for (std::size_t i = 0; i < all.size(); ++i) {
    engine::worker::ByteWriter question;
    question(all[i]);
    std::ofstream out(fileOf(folder, i, ".question"), std::ios::binary);
    out.write(reinterpret_cast<const char*>(question.bytes().data()),
              std::streamsize(question.bytes().size()));
    if (!out.flush()) return 2;
  }
  return 0;
}

Result<model::Trace> answerIn(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return engine::worker::readTraceAnswer(std::as_bytes(std::span(bytes)), (file + " is no answer.").c_str());
}

int answers(const std::string& folder, const char* file) {
  return writeTo(file, [&](std::size_t number, const model::Experiment&) {
    return answerIn(fileOf(folder, number, ".answer"));
  });
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
    } else if (!lineOfA.starts_with("launch ")) {
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
  if (count == 3 && given[1] == "ask") return stridescope::ask(arguments[2]);
  if (count == 4 && given[1] == "answers") return stridescope::answers(arguments[2], arguments[3]);
  if (count == 4 && given[1] == "compare") return stridescope::compare(arguments[2], arguments[3]);
  std::cerr << "catalogue_events write FILE | ask FOLDER | answers FOLDER FILE | compare FILE FILE\n";
  return 2;
}
