// Services of a session that compile and run a person's own kernels as the window's do, in a folder of the
// test's.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "session/services.h"
#include "session/session.h"

namespace stridescope::support {

// Files of a test, which go with it.
class KernelFolder {
 public:
  KernelFolder();
  ~KernelFolder();
  KernelFolder(const KernelFolder&) = delete;
  KernelFolder& operator=(const KernelFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // As another program writes it: in the place of what is there. Gives its path.
  std::string write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;

  // `others` with what own kernels need, drafts among that. The folder must outlive the session.
  session::SessionServices services(session::SessionServices others) const;
  // How many runs of own kernels were begun.
  int runs() const { return *runs_; }

 private:
  std::filesystem::path folder_;
  std::shared_ptr<std::atomic<int>> runs_ = std::make_shared<std::atomic<int>>(0);
};

// Until `done`, or for ten seconds; whether it was done.
bool comesTo(session::Session& session, const std::function<bool()>& done);

// A block of 64 threads that writes twice what it reads; and its launch file.
inline constexpr const char* kDoubling = R"(__global__ void doubled(const int *in, int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = 2 * tile[threadIdx.x];
}
)";
inline constexpr const char* kDoublingLaunch = R"({"grid": [1], "block": [64], "args": [
  {"name": "in", "pattern": "ramp", "count": 64},
  {"name": "out", "fill": 0, "count": 64}]})";

}  // namespace stridescope::support
