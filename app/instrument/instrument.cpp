#include "instrument/instrument.h"

#include <algorithm>

#include "instrument/accesses.h"
#include "instrument/assignments.h"
#include "instrument/clock_marks.h"
#include "instrument/evaluation_order.h"
#include "instrument/expressions.h"
#include "instrument/findings.h"
#include "instrument/groups.h"
#include "instrument/model_builder.h"
#include "instrument/operations.h"
#include "instrument/own_arrays.h"
#include "instrument/reading.h"
#include "instrument/shared_declarations.h"
#include "instrument/sites.h"
#include "instrument/variables.h"
#include "recording/event.h"

namespace stridescope::instrument {

tl::expected<Instrumented, Refusal> instrument(std::string_view kernelText) {
  auto reading = readText(kernelText);
  if (!reading) return tl::unexpected(reading.error());
  auto& [source, directives, types, declarations, groups, statements, signature] = *reading;
  auto shared = readSharedArrays(source, declarations, statements);
  if (!shared) return tl::unexpected(shared.error());

  const Expressions expressions(source, declarations, statements);
  Findings findings;
  const Variables variables(source, types, declarations, statements, expressions);
  const OwnArrays ownArrays(source, declarations, statements);
  if (auto found = findAccesses(source, declarations, expressions, ownArrays, *shared, findings); !found)
    return tl::unexpected(found.error());
  findOperations(source, expressions, findings);
  findGroupOperations(source, groups, findings);
  findAssignments(source, declarations, expressions, variables, findings);
  const auto lateTargets = fixOrder(source, declarations, expressions, variables, findings);
  if (!lateTargets) return tl::unexpected(lateTargets.error());
  // Last: a condition's wrap goes round an access's.
  findBranches(source, statements, findings);
  if (findings.sites.size() > recording::kMaxSites)
    return refuse(source.tokens[static_cast<std::size_t>(findings.sites[recording::kMaxSites].first)],
                  "Only " + std::to_string(recording::kMaxSites) +
                      " accesses and branches can be recorded. Use loops.");
  for (Replacement& replacement : shared->replacements)
    findings.edits.replacements.push_back(std::move(replacement));

  NumberedSites table = numberSites(source, statements, *lateTargets, findings.sites);
  model::KernelModel model =
      buildModel(source, declarations, statements, expressions, variables, findings, *lateTargets, table);
  const int close = source.partnerOf(signature.open);
  ClockedText clocked{
      .marked = applyEdits(source, findClockMarks(source, statements, variables, findings.sites), table.idOf),
      .plain = applyEdits(source, asDeviceFunction(source), table.idOf),
      .parameters = std::string(source.slice(signature.open + 1, close - 1))};
  return Instrumented{.text = applyEdits(source, std::move(findings.edits), table.idOf),
                      .clocked = std::move(clocked),
                      .sites = std::move(table.sites),
                      .model = std::move(model),
                      .shared = std::move(shared->declarations),
                      .kernel = std::move(signature.kernel),
                      .parameters = std::move(signature.parameters),
                      .includes = std::move(directives.includes)};
}

model::KernelModel modelFor(std::string_view kernelText, const std::vector<recording::Site>& sites) {
  const auto now = instrument(kernelText);
  if (!now) return {};
  constexpr int kMissing = -1;
  std::vector<int> idOf(now->sites.size(), kMissing);  // by site of the text pass: its id in `sites`
  std::size_t next = 0;
  for (const recording::Site& site : now->sites) {
    if (next == sites.size()) break;
    const recording::Site& wanted = sites[next];
    if (site.kind == wanted.kind && site.line == wanted.line && site.column == wanted.column &&
        site.length == wanted.length)
      idOf[static_cast<std::size_t>(site.id)] = static_cast<int>(next++);
  }
  if (next != sites.size()) return {};
  const auto given = [&](int id) { return id < 0 ? kMissing : idOf[static_cast<std::size_t>(id)]; };

  model::KernelModel model = now->model;
  model.sites.clear();
  for (std::size_t id = 0; id < idOf.size(); ++id)
    if (idOf[id] != kMissing) model.sites.push_back(now->model.sites[id]);
  for (model::KernelCall& call : model.calls) {
    const auto end = idOf.begin() + call.sitesBefore;
    call.sitesBefore = static_cast<int>(std::count_if(idOf.begin(), end, [](int id) { return id >= 0; }));
    call.loop = given(call.loop);
  }
  std::erase_if(model.operands, [&](const model::SiteOperand& operand) {
    return given(operand.site) == kMissing || (operand.source >= 0 && given(operand.source) == kMissing);
  });
  for (model::SiteOperand& operand : model.operands) {
    operand.site = given(operand.site);
    operand.source = given(operand.source);
  }
  return model;
}

}  // namespace stridescope::instrument
