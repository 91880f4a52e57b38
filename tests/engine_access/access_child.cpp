// The process that runs a person's kernel, in place of stridescope.
#include "engine/access/access_worker.h"

int main(int argc, char** argv) {
  const auto library = stridescope::engine::access::accessWorkerLibrary(argc, argv);
  return library ? stridescope::engine::access::serveAccesses(*library) : 2;
}
