// What the steps of the text pass have found so far: sites, and the edits that record them.
#pragma once

#include <vector>

#include "instrument/edits.h"
#include "instrument/sites.h"

namespace stridescope::instrument {

struct Findings {
  std::vector<FoundSite> sites;
  Edits edits;

  int add(FoundSite site) {
    sites.push_back(site);
    return static_cast<int>(sites.size()) - 1;
  }
};

}  // namespace stridescope::instrument
