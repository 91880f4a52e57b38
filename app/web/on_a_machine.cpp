#include "on_a_machine.h"

#include <emscripten/emscripten.h>

#include <cstdlib>
#include <utility>

// The caller frees it.
EM_JS(char*, pageOfProgram, (), { return stringToNewUTF8(new URL('package.html', location.href).href); });

namespace stridescope::web {
namespace {

constexpr const char* kLead = "The program for a machine: ";

}  // namespace

tl::unexpected<Error> onAMachine(std::string sentence) {
  char* const address = pageOfProgram();
  std::string details = kLead;
  details += address;
  std::free(address);
  return unavailable(std::move(sentence), std::move(details));
}

bool leadToProgram(const std::string& details) { return details.starts_with(kLead); }

}  // namespace stridescope::web
