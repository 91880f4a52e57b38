// How NCCL is found, called, and given up: by a library that stands in for it.
#include "measure/gpu/nccl.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/gpu/shared_library.h"
#include "measure/gpu/group_timing_device.h"
#include "measure/timing_data.h"
#include "stand_in_group.h"

namespace stridescope::measure::gpu {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// A variable of the environment, set back at the end.
class Environment {
 public:
  Environment(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Environment() { before_ ? ::setenv(name_.c_str(), before_->c_str(), 1) : ::unsetenv(name_.c_str()); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

constexpr const char* kFile = "STRIDESCOPE_LIBNCCL";

struct NcclBinding : testing::Test {
  Environment file{kFile, STRIDESCOPE_STAND_IN_NCCL_FILE};
  std::vector<std::uint32_t> one{1, 2, 3}, two{10, 20, 30}, left{0, 0, 0}, right{0, 0, 0};
  std::vector<void*> streams{nullptr, nullptr};

  static std::uint64_t address(const std::vector<std::uint32_t>& words) {
    return reinterpret_cast<std::uintptr_t>(words.data());
  }
  Result<void> allReduce(Nccl& nccl, model::Operator op = model::Operator::Add) {
    return nccl.allReduce(std::vector{address(one), address(two)}, std::vector{address(left), address(right)},
                          3, model::ElementType::Int, op, streams);
  }
  static int told(const char* function) {
    const auto library = engine::gpu::SharedLibrary::open({STRIDESCOPE_STAND_IN_NCCL_FILE});
    return (*library)->function<int (*)()>(function)();
  }
};

TEST_F(NcclBinding, ReducesAndTellsItsVersion) {
  auto nccl = Nccl::open(2);
  ASSERT_TRUE(nccl) << nccl.error().sentence;
  EXPECT_EQ((*nccl)->version(), "2.28.3");
  EXPECT_EQ(fs::canonical((*nccl)->path()), fs::canonical(STRIDESCOPE_STAND_IN_NCCL_FILE));
  ASSERT_TRUE(allReduce(**nccl));
  EXPECT_THAT(left, ElementsAre(11, 22, 33));
  EXPECT_EQ(left, right);
  left.assign(3, 0), right.assign(3, 0);
  ASSERT_TRUE((*nccl)->reduce(std::vector{address(one), address(two)}, address(left), 1,
                              model::ElementType::Int, model::Operator::Add, streams));
  EXPECT_THAT(left, ElementsAre(11, 0, 0));
  EXPECT_EQ(told("standInLiving"), 2);
  nccl->reset();
  EXPECT_EQ(told("standInLiving"), 0);
}

TEST_F(NcclBinding, WhatFailsIsASentenceAndEndsAbruptly) {
  const int before = told("standInAborted");
  {
    auto nccl = Nccl::open(2);
    ASSERT_TRUE(nccl);
    const Environment fails("STRIDESCOPE_STAND_IN_NCCL", "ends wrongly");
    const auto reduced = allReduce(**nccl);
    ASSERT_FALSE(reduced);
    EXPECT_THAT(reduced.error().sentence, HasSubstr("NCCL 2.28.3 failed: unhandled system error."));
    EXPECT_THAT(reduced.error().details, HasSubstr("ncclGroupEnd: 2"));
  }
  EXPECT_EQ(told("standInAborted"), before + 2);
  const Environment fails("STRIDESCOPE_STAND_IN_NCCL", "fails to start");
  const auto nccl = Nccl::open(2);
  ASSERT_FALSE(nccl);
  EXPECT_THAT(nccl.error().details, HasSubstr("ncclCommInitAll"));
}

TEST_F(NcclBinding, SaysWhatItDoesNotReduce) {
  EXPECT_EQ(Nccl::whyNot(model::ElementType::Double, model::Operator::Max), "");
  EXPECT_THAT(Nccl::whyNot(model::ElementType::Int, model::Operator::Xor), HasSubstr("no operator ^"));
}

TEST_F(NcclBinding, ThatIsMissingOrTooOldIsASentence) {
  {
    const Environment none(kFile, "/nowhere/libnccl.so.2");
    const auto nccl = Nccl::open(2);
    ASSERT_FALSE(nccl);
    EXPECT_EQ(nccl.error().kind, ErrorKind::Unavailable);
    EXPECT_THAT(nccl.error().sentence, HasSubstr("STRIDESCOPE_LIBNCCL"));
  }
  const Environment older(kFile, STRIDESCOPE_OLDER_NCCL_FILE);
  const auto nccl = Nccl::open(2);
  ASSERT_FALSE(nccl);
  EXPECT_THAT(nccl.error().sentence, HasSubstr("too old"));
  EXPECT_THAT(nccl.error().details, HasSubstr("ncclCommAbort"));
}

// The stand-in's results come out of the device as any other's.
TEST_F(NcclBinding, IsTimedBesideTheVariants) {
  const auto state = std::make_shared<StandInGroup>();
  auto nccl = Nccl::open(2);
  ASSERT_TRUE(nccl);
  const auto device = groupTimingDeviceOn(*standInGpus(state, 2), {}, std::move(nccl));
  const std::vector<model::TimingSubject> subjects{{model::SubjectKind::SeveralGpus, "nccl_reduce"},
                                                   {model::SubjectKind::SeveralGpus, "nccl_all_reduce"}};
  engine::JobControl job;
  for (const std::uint64_t n : {1ull, 7ull, 5000ull}) {
    const auto prepared = device->prepare({.elements = n}, subjects, job);
    ASSERT_TRUE(prepared) << prepared.error().sentence;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      ASSERT_EQ((*prepared)[i].unavailable, "");
      const auto timed = device->sample(i, job);
      ASSERT_TRUE(timed);
      EXPECT_EQ(timed->resultBits, expectedResult(model::ElementType::Int, model::Operator::Add, n));
      EXPECT_EQ(timed->wrong, "");
    }
  }
  const auto prepared = device->prepare({.op = model::Operator::Xor, .elements = 8}, subjects, job);
  ASSERT_TRUE(prepared);
  EXPECT_THAT((*prepared)[0].unavailable, HasSubstr("NCCL has no operator ^"));
}

TEST(NcclFiles, TheOneThatIsNamedStandsAlone) {
  const Environment named(kFile, "/opt/mine/libnccl.so.2");
  EXPECT_THAT(engine::gpu::ncclCandidates(), ElementsAre("/opt/mine/libnccl.so.2"));
}

TEST(NcclFiles, TheLoadersComeBeforeThoseOfPythons) {
  std::string pattern = (fs::temp_directory_path() / "stridescope-test-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const fs::path root = pattern;
  const fs::path wheel = root / "env/lib/python3.12/site-packages/nvidia/nccl/lib",
                 torch = root / "usr/lib/python3/dist-packages/torch/lib", bin = root / "usr/bin";
  for (const fs::path& folder : {wheel, torch, bin}) fs::create_directories(folder);
  std::ofstream(wheel / "libnccl.so.2") << "x";
  std::ofstream(torch / "libnccl.so.2") << "x";
  std::ofstream(bin / "python3") << "x";
  ::unsetenv(kFile);
  {
    const Environment env("VIRTUAL_ENV", root / "env"), conda("CONDA_PREFIX", ""), home("HOME", ""),
        path("PATH", (bin.string() + ":/nowhere"));
    EXPECT_THAT(engine::gpu::ncclCandidates(),
                ElementsAre("libnccl.so.2", "libnccl.so", (wheel / "libnccl.so.2").string(),
                            (torch / "libnccl.so.2").string()));
  }
  fs::remove_all(root);
}

}  // namespace
}  // namespace stridescope::measure::gpu
