#include "engine/custom/combine_worker.h"

int main(int argc, char** argv) {
  const auto arguments = stridescope::combineWorkerArguments(argc, argv);
  return arguments ? stridescope::serveCombine(*arguments) : 2;
}
