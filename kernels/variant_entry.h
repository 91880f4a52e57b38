// How an entry of the catalogue is written, and what becomes of it. variants.cpp and common_bugs.cpp have the
// entries.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/catalog.h"
#include "kernels/run_plan.h"

namespace stridescope::kernels {

// Block sizes, from the first to the last. Requires from > 0.
std::vector<unsigned> powersOfTwo(unsigned from, unsigned to);

// A line of the catalogue. What it leaves open: every type and operator, and block sizes of all powers of two
// from 2 on.
struct Entry {
  std::string_view id{};      // the kernel file's stem
  std::string_view kernel{};  // the name of its function where that is not the id
  std::string_view title{};
  std::string_view previous{};
  bool sideBranch = false;
  std::string_view changed{}, source{};
  std::vector<model::ElementType> types{};
  std::vector<model::Operator> operators{};
  model::HardwareForm hardwareForm = model::HardwareForm::None;
  std::string_view onlyThese{};
  std::vector<unsigned> threads{};
  std::string_view onlyTheseSizes{};
  unsigned defaultThreads = model::kDefaultThreads;
  model::GridRule grid = model::GridRule::WholeLoads;
  unsigned elementsPerThread = 1;
  unsigned sharedElementsPerThread = 1;
  unsigned paddingPerWarp = 0;
  model::FirstSize firstSize = model::FirstSize::OneLoad;
  std::vector<model::KernelParameter> parameters{kInput, kOutput};
  bool finishedOnCpu = false;
  bool keepsOrder = false;
  std::string_view onlyOnCpu{};
  unsigned leastCapability = 0;
  bool needsCudaHeaders = false;
  model::ExpectedReport report{};
};

std::vector<Entry> commonBugs();  // in teaching order

// Appends a family's variants, in teaching order.
void append(std::vector<Variant>& all, Family family, std::vector<Entry> entries);

}  // namespace stridescope::kernels
