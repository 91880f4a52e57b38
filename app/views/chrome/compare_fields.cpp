#include "views/chrome/compare_fields.h"

#include <memory>

#include "session/comparison.h"
#include "views/chrome/experiment_fields.h"

namespace stridescope::views {
namespace {

using analysis::LockedBy;
using analysis::Side;

// What the side's own window would read.
session::Parts partsOf(const ViewContext& view, Side side) {
  return {view.comparison->workspace(side),
          view.comparison->replay(side),
          view.measurements,
          view.app,
          view.exports,
          view.predict,
          view.comparison};
}

BarField variantField(ViewContext& view, Side side) {
  const ExperimentField& variant = experimentFields().front();
  return {
      .label = std::string(analysis::nameOf(side)) + " " + variant.label(),
      .width = variant.width,
      .shown = variant.shown(partsOf(view, side)),
      .entries = [&view, &variant, side] {
        session::Commands chosen;
        ViewContext own{partsOf(view, side), view.draw,  chosen,      view.linked,
                        view.trouble,        view.times, view.panels, view.explanations};
        variant.entries(own);
        for (const session::Command& command : chosen)
          view.commands.push_back(session::OnSide{side, std::make_shared<const session::Command>(command)});
      }};
}

BarField lockField(ViewContext& view) {
  const LockedBy by = view.comparison->lockedBy();
  return {
      .label = "locked by", .width = 90, .shown = std::string(analysis::nameOf(by)), .entries = [&view, by] {
        for (const LockedBy each : analysis::kLockedBy)
          if (ImGui::Selectable(std::string(analysis::nameOf(each)).c_str(), each == by))
            view.commands.push_back(session::LockSides{each});
      }};
}

BarField scopeField(ViewContext& view) {
  const session::Comparison& both = *view.comparison;
  const std::string side(analysis::nameOf(both.chosen()));
  return {.label = "set for",
          .width = 90,
          .shown = both.together() ? "both sides" : side,
          .entries = [&view, &both] {
            if (ImGui::Selectable("both sides", both.together()))
              view.commands.push_back(session::ChooseTogether{true});
            for (const Side each : analysis::kSides) {
              const bool chosen = !both.together() && both.chosen() == each;
              if (!ImGui::Selectable(std::string(analysis::nameOf(each)).c_str(), chosen)) continue;
              view.commands.push_back(session::ChooseTogether{false});
              view.commands.push_back(session::ChooseSide{each});
            }
          }};
}

// "256", "256 | 128" where the sides differ.
BarField sharedField(ViewContext& view, const ExperimentField& field) {
  const std::string left = field.shown(partsOf(view, Side::Left));
  const std::string right = field.shown(partsOf(view, Side::Right));
  return {.label = field.label(),
          .width = field.width,
          .shown = left == right ? left : left + " | " + right,
          .borrowed = field.chosen(view),
          .entries = [&view, &field] { field.entries(view); },
          .isTyped = field.isTyped};
}

}  // namespace

std::vector<BarField> comparedBarFields(ViewContext& view) {
  std::vector<BarField> fields{variantField(view, Side::Left), variantField(view, Side::Right),
                               lockField(view), scopeField(view)};
  for (const ExperimentField& field : experimentFields().subspan(1))
    fields.push_back(sharedField(view, field));
  return fields;
}

}  // namespace stridescope::views
