#include "kernel_trace.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "text_piece.h"

namespace stridescope::engine::access {
namespace {

// The loops of a text that were reached, outermost first: where they begin.
class ReachedLoops {
 public:
  ReachedLoops(const CompiledKernels& compiled, const std::map<std::size_t, int>& siteOf)
      : compiled_(compiled) {
    for (const auto& [number, site] : siteOf)
      all_.emplace_back(compiled.branches[number].begin, number, site);
    std::ranges::sort(all_);
  }

  // The sites of those around a place of the text.
  std::vector<int> around(BranchCondition::Place place) const {
    std::vector<int> loops;
    for (const auto& [begin, number, site] : all_)
      if (begin <= place && place <= compiled_.branches[number].end) loops.push_back(site);
    return loops;
  }

 private:
  const CompiledKernels& compiled_;
  std::vector<std::tuple<BranchCondition::Place, std::size_t, int>> all_;
};

// A site of a file that the text includes stands at the directive, and tells where it is in that file. One of
// a file that another one includes stands at the first line.
void standAtInclude(const KernelText& text, const std::string& file, model::Site& site) {
  site.text = file + ":" + std::to_string(site.line);
  site.line = site.column = 1;
  site.length = 0;
  for (const KernelText::IncludedFile& include : text.includes)
    if (std::filesystem::path(include.name).filename() == file) site.line = include.line;
}

// Where each site stands in the person's text, what it says there, and which loops are around it.
ReachedLoops describeSites(const KernelFile& file, const CompiledKernels& compiled,
                           const AccessRecord& record, std::vector<model::Site>& sites) {
  const std::vector<int>& branches = record.branches;
  std::map<std::size_t, int> siteOf;  // by the number of a loop's condition
  for (std::size_t s = 0; s < sites.size(); ++s) {
    model::Site& site = sites[s];
    if (s < record.files.size() && !record.files[s].empty()) {
      standAtInclude(compiled.text, record.files[s], site);
      continue;
    }
    const auto number = s < branches.size() && branches[s] >= 0 ? std::size_t(branches[s]) : ~std::size_t{0};
    if (number < compiled.branches.size() && !compiled.branches[number].text.empty()) {
      const BranchCondition& condition = compiled.branches[number];
      std::tie(site.line, site.column) = condition.place;
      site.length = condition.length;
      site.text = condition.text;
      if (condition.isLoop) siteOf.try_emplace(number, site.id);
      continue;
    }
    site.column = compiled.text.edits.columnBefore(site.line, site.column);
    const TextPiece piece = pieceAt(file.text, site.line, site.column);
    site.column = piece.column;
    site.length = piece.length;
    site.text = piece.text;
  }
  ReachedLoops loops(compiled, siteOf);
  for (model::Site& site : sites) {
    site.loops = loops.around({site.line, site.column});
    if (site.kind != model::SiteKind::Loop) continue;
    std::erase(site.loops, site.id);  // it is the innermost
    site.loops.push_back(site.id);
  }
  return loops;
}

model::Operation operationOf(model::SiteKind kind) {
  switch (kind) {
    case model::SiteKind::Load:
      return model::Operation::Load;
    case model::SiteKind::Store:
      return model::Operation::Store;
    case model::SiteKind::Update:
      return model::Operation::Update;
    case model::SiteKind::Branch:
      return model::Operation::Branch;
    case model::SiteKind::Loop:
      return model::Operation::Loop;
    case model::SiteKind::BlockBarrier:
      return model::Operation::SyncThreads;
    case model::SiteKind::WarpOperation:
      return model::Operation::WarpOperation;
    case model::SiteKind::Atomic:
      return model::Operation::Atomic;
    case model::SiteKind::Assign:
      return model::Operation::Assign;
  }
  return model::Operation::Load;
}

// What is known of the text without reading it: its functions, and who calls whom.
model::KernelModel modelOf(const AccessRecord& record, const CompiledKernels& compiled,
                           const ReachedLoops& loops, const std::vector<model::Site>& sites) {
  model::KernelModel model{.functions = record.functions};
  for (const AccessCall& each : record.calls) {
    model.calls.push_back(each.call);
    if (each.line < 1) continue;
    const int column = compiled.text.edits.columnBefore(each.line, std::max(1, each.column));
    if (const auto around = loops.around({each.line, column}); !around.empty())
      model.calls.back().loop = around.back();
  }
  for (std::size_t s = 0; s < sites.size(); ++s)
    model.sites.push_back({.operation = operationOf(sites[s].kind), .function = record.functionOfSite[s]});
  return model;
}

// A function that is called within a loop has sites in no loop. Where it is not known which function calls
// which, lanes that call it would seem to begin the loop anew, so their accesses would not be lined up with
// those of the others. Without loops, accesses are lined up by how often each site was reached.
void leaveLoopsOut(std::vector<model::Site>& sites) {
  for (model::Site& site : sites) {
    site.loops.clear();
    if (site.kind == model::SiteKind::Loop) site.kind = model::SiteKind::Branch;
  }
}

// The text's own sites, and behind them those that problems name beside them.
void takeRecorded(const KernelFile& file, const RecordedText& recorded, AccessRecord& record,
                  model::Trace& trace) {
  trace.sites = recorded.pass.sites;
  for (const auto& [sites, mark] : {std::pair(&record.handingOver, &model::Site::handsOver),
                                    std::pair(&record.atomic, &model::Site::isAtomic)})
    for (const int site : *sites)
      if (site >= 0 && std::size_t(site) < trace.sites.size()) trace.sites[std::size_t(site)].*mark = true;
  trace.kernel = recorded.pass.model;
  if (recorded.pass.elementType) trace.experiment.type = *recorded.pass.elementType;
  for (model::Site& site : record.sites) {
    const TextPiece piece = pieceAt(file.text, site.line, site.column);
    site.column = piece.column;
    site.length = piece.length;
    site.text = piece.text;
    trace.sites.push_back(std::move(site));
    trace.kernel.sites.emplace_back();
  }
}

// What was recorded tells only from where in the compiled text it came.
void takePlaces(const KernelFile& file, const CompiledKernels& compiled, AccessRecord& record,
                model::Trace& trace) {
  trace.sites = std::move(record.sites);
  const ReachedLoops loops = describeSites(file, compiled, record, trace.sites);
  // The place of a crash is a site like that of an assignment, but to no variable.
  const bool hasCrash = std::ranges::count(trace.sites, model::SiteKind::Assign, &model::Site::kind) != 0;
  if (hasCrash || record.functionOfSite.size() != trace.sites.size())
    leaveLoopsOut(trace.sites);
  else if (compiled.knowsBranches)
    trace.kernel = modelOf(record, compiled, loops, trace.sites);
}

}  // namespace

model::Trace traceOf(const KernelFile& file, const CompiledKernels& compiled, const NamedKernel& kernel,
                     AccessRecord record, const Arrays& arrays) {
  model::Trace trace;
  const LaunchRequest& first = file.launches.launches.front();
  model::Kernel own{
      .id = file.name, .title = file.name, .text = file.text, .function = kernel.declaration.name};
  own.launch.fixed = model::FixedLaunch{first.grid, first.block, first.sharedBytes};
  trace.experiment.variant = file.name;
  trace.experiment.threads = unsigned(first.block.count());
  trace.experiment.kernel = Shared<model::Kernel>(std::move(own));
  trace.kernelText = file.text;
  trace.executor = {.kind = model::EngineKind::Host, .device = "CPU executor", .compiler = "C++"};
  trace.recorderReason = compiled.whyNotRecorded;
  if (compiled.recorded)
    takeRecorded(file, *compiled.recorded, record, trace);
  else
    takePlaces(file, compiled, record, trace);
  trace.launches = std::move(record.launches);
  for (model::LaunchTrace& launch : trace.launches)
    for (model::Array& buffer : launch.buffers) {
      const auto known = std::ranges::find(arrays.names, buffer.name);
      if (known == arrays.names.end()) continue;
      describeElements(arrays.types[std::size_t(known - arrays.names.begin())], buffer);
    }
  return trace;
}

}  // namespace stridescope::engine::access
