#include "views/chrome/compare_commands.h"

#include "session/comparison.h"

namespace stridescope::views {
namespace {

using analysis::LockedBy;

bool isComparing(const session::Parts& parts) { return parts.comparison != nullptr; }
std::string notComparing(const session::Parts&) {
  return "Two runs are compared in the Compare mode: press C.";
}

}  // namespace

std::vector<CommandEntry> compareEntries() {
  return {
      {.menu = "View",
       .name = "Compare with the one before",
       .also = "previous variant rung side by side diff",
       .keys = ImGuiMod_Shift | ImGuiKey_C,
       .make = [](const session::Parts&) -> session::Command { return session::CompareWithPrevious{}; }},
      {.menu = "Experiment",
       .name = "Choose the other side",
       .also = "compare left right",
       .keys = ImGuiKey_O,
       .make = [](const session::Parts& parts) -> session::Command {
         return session::ChooseSide{analysis::otherOf(parts.comparison->chosen())};
       },
       .enabled = isComparing,
       .why = notComparing},
      {.menu = "Experiment",
       .name = "Swap the sides",
       .also = "compare left right exchange",
       .keys = ImGuiKey_X,
       .make = [](const session::Parts&) -> session::Command { return session::SwapSides{}; },
       .enabled = isComparing,
       .why = notComparing},
      {.menu = "Experiment",
       .name = "Set both sides together",
       .also = "compare apart fields",
       .make = [](const session::Parts& parts) -> session::Command {
         return session::ChooseTogether{!parts.comparison->together()};
       },
       .enabled = isComparing,
       .why = notComparing,
       .checked =
           [](const session::Parts& parts) { return isComparing(parts) && parts.comparison->together(); }},
      {.menu = "Run",
       .name = "Lock by stride",
       .also = "compare sides side by side",
       .keys = ImGuiKey_K,
       .make = [](const session::Parts& parts) -> session::Command {
         const bool byRound = parts.comparison->lockedBy() == LockedBy::Round;
         return session::LockSides{byRound ? LockedBy::Stride : LockedBy::Round};
       },
       .enabled = isComparing,
       .why = notComparing,
       .checked =
           [](const session::Parts& parts) {
             return isComparing(parts) && parts.comparison->lockedBy() == LockedBy::Stride;
           }},
  };
}

}  // namespace stridescope::views
