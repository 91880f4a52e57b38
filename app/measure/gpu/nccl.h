// NCCL, NVIDIA's library for reductions over several GPUs, opened at run time. Its few functions are declared
// here, so that the program is built without it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/kernel.h"

namespace stridescope::measure::gpu {

// One communicator per GPU, all of this process. Use it on one thread at a time. It ends its communicators
// with it: abruptly once a call has failed, because NCCL would wait for the others then.
class Nccl {
 public:
  // Its communicators are those of the GPUs from 0 to `gpus` - 1 in the driver's numbering, which were opened
  // before. Unavailable where no NCCL is found (engine/gpu/shared_library.h says where it is looked for), or
  // where it does not start.
  static Result<std::unique_ptr<Nccl>> open(unsigned gpus);
  ~Nccl();
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  // Leaves its communicators to the end of the process: after a GPU has failed, ending them would wait for
  // it.
  void leave() { communicators_.clear(); }

  struct File {
    std::string path, version;
  };
  // Which NCCL open() takes, without a communicator. Unavailable like open().
  static Result<File> find();

  const std::string& version() const;  // "2.28.3"
  const std::string& path() const;     // the file

  // Empty: it has the pair. Else a sentence.
  static std::string whyNot(model::ElementType type, model::Operator op);

  // Enqueues the reduction of `count` elements of each GPU: to GPU 0 alone, or to all of them. One address
  // and one stream (a CUstream) for each GPU.
  Result<void> reduce(std::span<const std::uint64_t> from, std::uint64_t to, std::uint64_t count,
                      model::ElementType type, model::Operator op, std::span<void* const> streams);
  Result<void> allReduce(std::span<const std::uint64_t> from, std::span<const std::uint64_t> to,
                         std::uint64_t count, model::ElementType type, model::Operator op,
                         std::span<void* const> streams);

 private:
  struct Library;
  explicit Nccl(std::unique_ptr<Library> library);
  Result<void> check(int code, std::string_view call);

  std::unique_ptr<Library> library_;
  std::vector<void*> communicators_;
  bool failed_ = false;
};

}  // namespace stridescope::measure::gpu
