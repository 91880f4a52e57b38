// Traces made by hand and at random, and a folder that goes away: what the tests of recordings share.
#pragma once

#include <filesystem>
#include <random>
#include <string>

#include "model/trace.h"

namespace stridescope::sample {

// Two launches that use every field: all kinds of events, every space, both halves of a 16-byte access,
// 64-bit values with the top bit set, threads without events, empty copies, problems with and without a site.
Trace everyField();

// The smallest trace that holds together: no sites, no launches.
Trace empty();

// Legal, otherwise anything: in its labels line breaks, too. Its executor is Recorded.
Trace random(std::mt19937_64& generator);

// As a block of 1024 threads of a ladder variant makes them.
Trace withEvents(unsigned threads, unsigned eventsPerThread);

// As it comes back from a recording: by a recorded executor, with labels that are printable.
Trace recorded(Trace trace);

class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  std::size_t fileCount() const;

 private:
  std::filesystem::path path_;
};

std::string contentsOf(const std::filesystem::path& file);
void writeContents(const std::filesystem::path& file, std::string_view contents);

}  // namespace stridescope::sample
