#include "base/result.h"

#include <exception>
#include <new>

using namespace stridescope;

namespace {

Error refused(std::string_view doing, std::string details) {
  return {ErrorKind::Unavailable,
          "The system refused something that is needed for " + std::string(doing) +
              ". Close other programs and try again.",
          std::move(details)};
}

Error errorOfWhatIsThrown(std::string_view doing) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return outOfMemory(doing);
  } catch (const std::exception& failure) {
    return refused(doing, failure.what());
  } catch (...) {
    return refused(doing, {});
  }
}

}  // namespace

Error stridescope::outOfMemory(std::string_view doing) {
  return {ErrorKind::Limit,
          "Out of memory while " + std::string(doing) + ". Take fewer elements, or close other programs.",
          {}};
}

Error stridescope::errorOfException(std::string_view doing) noexcept {
  try {
    return errorOfWhatIsThrown(doing);
  } catch (...) {  // not even for the sentence; so short a one needs no memory
    return {ErrorKind::Limit, "Out of memory."};
  }
}
