// The commands on a person's own kernel.
#include "session/own_kernel.h"
#include "views/shared/panel.h"
#include "views/source/kernel_marks.h"

namespace stridescope::views {
namespace {

bool isOpen(const session::Parts& parts) { return parts.kernel.isOpen(); }
std::string notOpen(const session::Parts&) {
  return "No kernel of your own is shown. Open a .cu file, or make a copy of a variant.";
}
bool mayCopy(const session::Parts& parts) { return hasRun(parts) && !parts.kernel.isOpen(); }

}  // namespace

std::vector<CommandEntry> kernelEntries() {
  return {{.menu = "File",
           .group = 3,
           .name = "Edit a copy of this variant...",
           .also = "own kernel cuda .cu file write change",
           .make = opens(session::Overlay::CopyVariant),
           .enabled = mayCopy,
           .why = says("This kernel is your own already: change it in Source.")},
          {.menu = "File",
           .group = 3,
           .name = "Take the text of the file",
           .also = "revert discard own kernel draft",
           .make = gives(session::TakeFileText{}),
           .enabled = [](const session::Parts& parts) { return isOpen(parts) && !parts.kernel.isSaved(); },
           .why =
               [](const session::Parts& parts) {
                 return isOpen(parts) ? "The text is that of the file." : notOpen(parts);
               }},
          {.menu = "Run",
           .group = 5,
           .name = "Run the kernel's text",
           .also = "own compile again source editor",
           .keys = ImGuiMod_Ctrl | ImGuiKey_Enter,
           .otherKeys = ImGuiMod_Ctrl | ImGuiKey_KeypadEnter,
           .make = gives(session::RunKernel{}),
           .enabled = isOpen,
           .why = notOpen},
          {.menu = "Run",
           .group = 5,
           .name = "Run after a pause in typing",
           .also = "own kernel live automatic",
           .make = [](const session::Parts& parts) -> session::Command {
             session::Settings settings = parts.app.settings();
             settings.runsWhileTyping = !settings.runsWhileTyping;
             return session::ChangeSettings{settings};
           },
           .checked = [](const session::Parts& parts) { return parts.app.settings().runsWhileTyping; }},
          {.menu = "Run",
           .group = 5,
           .name = "Launch of the kernel...",
           .also = "own grid block shared arguments",
           .make = opens(session::Overlay::Launches),
           .enabled = isOpen,
           .why = notOpen},
          {.menu = "Run",
           .group = 5,
           .name = "Compare with before",
           .also = "own kernel last run version change",
           .make = gives(session::CompareWithBefore{}),
           .enabled = [](const session::Parts& parts) { return isOpen(parts) && parts.kernel.hasBefore(); },
           .why =
               [](const session::Parts& parts) {
                 return isOpen(parts) ? "The kernel has run in one version only." : notOpen(parts);
               }}};
}

}  // namespace stridescope::views
