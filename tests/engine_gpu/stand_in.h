// The stand-in driver in a test: loaded, reset, and given to the engine in place of the real one.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/gpu/gpu_engine.h"
#include "engine/gpu/shared_library.h"
#include "stand_in_driver.h"

namespace stridescope::engine::gpu {

// A folder of its own for each test, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "stridescope-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

class StandInTest : public testing::Test {
 protected:
  void SetUp() override {
    auto library = SharedLibrary::open({STRIDESCOPE_STAND_IN_DRIVER});
    ASSERT_TRUE(library) << library.error().details;
    library_ = *library;
    state = library_->function<decltype(&standInState)>("standInState")();
    fail = library_->function<decltype(&standInFail)>("standInFail");
    library_->function<decltype(&standInReset)>("standInReset")();
    places.driver = STRIDESCOPE_STAND_IN_DRIVER;
    places.cacheFolder = cache_.path();
  }

  StandInState* state = nullptr;
  decltype(&standInFail) fail = nullptr;
  GpuPlaces places;

 private:
  TemporaryFolder cache_;
  std::shared_ptr<SharedLibrary> library_;  // keeps the state while engines come and go
};

}  // namespace stridescope::engine::gpu
