#include "measure/gpu/nccl.h"

#include <fmt/format.h>

#include <optional>

#include "engine/gpu/shared_library.h"
#include "engine/library_call.h"

namespace stridescope::measure::gpu {
namespace {

// The types and numbers of nccl.h 2: ncclComm_t, ncclResult_t, ncclDataType_t, ncclRedOp_t. They are the same
// in every release from 2.0 on.
using Communicator = void*;
using Stream = void*;
using GetVersion = int (*)(int* version);
using GetErrorText = const char* (*)(int code);
using InitAll = int (*)(Communicator* communicators, int count, const int* gpus);
using End = int (*)(Communicator communicator);
using Group = int (*)();
using Reduce = int (*)(const void* from, void* to, std::size_t count, int type, int op, int root,
                       Communicator communicator, Stream stream);
using AllReduce = int (*)(const void* from, void* to, std::size_t count, int type, int op,
                          Communicator communicator, Stream stream);
constexpr int kNcclSuccess = 0, kRoot = 0;

std::optional<int> numberOf(model::ElementType type) {
  switch (type) {
    case model::ElementType::Int:
      return 2;
    case model::ElementType::Unsigned:
      return 3;
    case model::ElementType::Int64:
      return 4;
    case model::ElementType::Float:
      return 7;
    case model::ElementType::Double:
      return 8;
  }
  return std::nullopt;
}

std::optional<int> numberOf(model::Operator op) {
  switch (op) {
    case model::Operator::Add:
      return 0;
    case model::Operator::Multiply:
      return 1;
    case model::Operator::Max:
      return 2;
    case model::Operator::Min:
      return 3;
    default:
      return std::nullopt;
  }
}

// 22803 for 2.28.3; before 2.9 it was 2804 for 2.8.4.
std::string versionText(int version) {
  constexpr int kFirstOfFiveDigits = 10000;
  if (version < kFirstOfFiveDigits)
    return fmt::format("{}.{}.{}", version / 1000, version / 100 % 10, version % 100);
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

void* pointerTo(std::uint64_t address) { return reinterpret_cast<void*>(std::uintptr_t(address)); }

}  // namespace

struct Nccl::Library {
  std::shared_ptr<engine::gpu::SharedLibrary> file;
  std::string version;
  engine::LibraryFunction<GetErrorText> errorText{"ncclGetErrorString"};
  engine::LibraryFunction<InitAll> initAll{"ncclCommInitAll"};
  engine::LibraryFunction<End> destroy{"ncclCommDestroy"}, abort{"ncclCommAbort"};
  engine::LibraryFunction<Group> groupStart{"ncclGroupStart"}, groupEnd{"ncclGroupEnd"};
  engine::LibraryFunction<Reduce> reduce{"ncclReduce"};
  engine::LibraryFunction<AllReduce> allReduce{"ncclAllReduce"};

  static Result<std::unique_ptr<Library>> open() {
    auto file = engine::gpu::SharedLibrary::open(engine::gpu::ncclCandidates());
    if (!file)
      return unavailable(
          "No NCCL was found (libnccl.so.2), so that its reductions are not timed. Install it (Debian's "
          "libnccl2, or pip install nvidia-nccl-cu13), or name the file in STRIDESCOPE_LIBNCCL.",
          file.error().details);
    auto library = std::make_unique<Library>();
    library->file = *file;
    std::string missing;
    const auto find = [&](auto& function, const char* name) {
      function = library->file->function<typename std::remove_reference_t<decltype(function)>::Pointer>(name);
      if (function == nullptr) missing += std::string(missing.empty() ? "" : ", ") + name;
    };
    engine::LibraryFunction<GetVersion> getVersion{"ncclGetVersion"};
    find(getVersion, "ncclGetVersion");
    find(library->errorText, "ncclGetErrorString");
    find(library->initAll, "ncclCommInitAll");
    find(library->destroy, "ncclCommDestroy");
    find(library->abort, "ncclCommAbort");
    find(library->groupStart, "ncclGroupStart");
    find(library->groupEnd, "ncclGroupEnd");
    find(library->reduce, "ncclReduce");
    find(library->allReduce, "ncclAllReduce");
    if (!missing.empty())
      return unavailable(
          "The NCCL that was found is too old, so that its reductions are not timed. Install "
          "a newer one, or name its file in STRIDESCOPE_LIBNCCL.",
          library->file->path() + " has no " + missing);
    int version = 0;
    if (getVersion(&version) != kNcclSuccess) version = 0;
    library->version = versionText(version);
    return library;
  }
};

Nccl::Nccl(std::unique_ptr<Library> library) : library_(std::move(library)) {}

Result<std::unique_ptr<Nccl>> Nccl::open(unsigned gpus) {
  auto library = Library::open();
  if (!library) return tl::unexpected(library.error());
  std::unique_ptr<Nccl> nccl(new Nccl(*std::move(library)));
  std::vector<int> numbers;
  for (unsigned gpu = 0; gpu < gpus; ++gpu) numbers.push_back(int(gpu));
  std::vector<Communicator> made(gpus, nullptr);
  {
    // Its kernels are loaded, and its processes' helpers started.
    const engine::LibraryCall starting("ncclCommInitAll", engine::kLongCall);
    STRIDESCOPE_TRY(
        nccl->check(nccl->library_->initAll(made.data(), int(gpus), numbers.data()), "ncclCommInitAll"));
  }
  nccl->communicators_ = std::move(made);
  return nccl;
}

Result<Nccl::File> Nccl::find() {
  auto library = Library::open();
  if (!library) return tl::unexpected(library.error());
  return File{(*library)->file->path(), (*library)->version};
}

Nccl::~Nccl() {
  const engine::LibraryCall ending("ncclCommDestroy", engine::kLongCall);
  for (const Communicator communicator : communicators_)
    failed_ ? library_->abort(communicator) : library_->destroy(communicator);
}

const std::string& Nccl::version() const { return library_->version; }
const std::string& Nccl::path() const { return library_->file->path(); }

std::string Nccl::whyNot(model::ElementType type, model::Operator op) {
  if (!numberOf(op))
    return "NCCL has no operator " + std::string(model::nameOf(op)) + ": it reduces by +, *, min and max.";
  if (!numberOf(type)) return "NCCL has no elements of type " + std::string(model::nameOf(type)) + ".";
  return {};
}

Result<void> Nccl::check(int code, std::string_view call) {
  if (code == kNcclSuccess) return {};
  failed_ = true;
  const char* const text = library_->errorText(code);
  return unavailable(
      fmt::format("NCCL {} failed: {}. NCCL_DEBUG=INFO in the environment makes it say more.",
                  library_->version, text != nullptr ? text : "an error that it has no text for"),
      fmt::format("{}: {}, {}", call, code, library_->file->path()));
}

Result<void> Nccl::reduce(std::span<const std::uint64_t> from, std::uint64_t to, std::uint64_t count,
                          model::ElementType type, model::Operator op, std::span<void* const> streams) {
  // At its first call it connects the GPUs and loads its kernels.
  const engine::LibraryCall running("ncclReduce", engine::kLongCall);
  STRIDESCOPE_TRY(check(library_->groupStart(), "ncclGroupStart"));
  int code = kNcclSuccess;
  for (std::size_t gpu = 0; gpu < communicators_.size() && code == kNcclSuccess; ++gpu)
    code = library_->reduce(pointerTo(from[gpu]), pointerTo(to), count, *numberOf(type), *numberOf(op), kRoot,
                            communicators_[gpu], streams[gpu]);
  const int ended = library_->groupEnd();
  STRIDESCOPE_TRY(check(code, "ncclReduce"));
  return check(ended, "ncclGroupEnd");
}

Result<void> Nccl::allReduce(std::span<const std::uint64_t> from, std::span<const std::uint64_t> to,
                             std::uint64_t count, model::ElementType type, model::Operator op,
                             std::span<void* const> streams) {
  const engine::LibraryCall running("ncclAllReduce", engine::kLongCall);
  STRIDESCOPE_TRY(check(library_->groupStart(), "ncclGroupStart"));
  int code = kNcclSuccess;
  for (std::size_t gpu = 0; gpu < communicators_.size() && code == kNcclSuccess; ++gpu)
    code = library_->allReduce(pointerTo(from[gpu]), pointerTo(to[gpu]), count, *numberOf(type),
                               *numberOf(op), communicators_[gpu], streams[gpu]);
  const int ended = library_->groupEnd();
  STRIDESCOPE_TRY(check(code, "ncclAllReduce"));
  return check(ended, "ncclGroupEnd");
}

}  // namespace stridescope::measure::gpu
