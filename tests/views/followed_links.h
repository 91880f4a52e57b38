// Follows links of lessons and tours in the real window, and looks whether it shows what they say.
#pragma once

#include "session/link.h"
#include "workbench_ui.h"

namespace stridescope::views::test {

// Fails the running test, with the link's line, where the experiment, the round, the panel in front or what
// is ringed is another, or where the window says that something of it is not there. What the link says is
// read anew here, from its text.
void expectToLand(WorkbenchUi& w, const session::LinkText& link);
// Expects what a link shows that somebody else followed.
void expectShown(WorkbenchUi& w, const session::LinkText& link);

}  // namespace stridescope::views::test
