// A person's own kernel in the session: it is edited, run again, saved, taken up from a draft, and compared
// with the run before. The kernels are compiled and run.
#include "session/own_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <thread>

#include "engine/sandbox/confinement.h"
#include "support/fake_engine.h"
#include "support/own_kernel_services.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::kDoubling;
using support::kDoublingLaunch;

// `text` with the first `what` replaced.
std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return text.replace(at, what.size(), by);
}

class OwnKernels : public testing::Test {
 protected:
  void SetUp() override {
    if (!engine::sandbox::sandboxSupport().isComplete())
      GTEST_SKIP() << engine::sandbox::sandboxSupport().sentence();
    file_ = folder_.write("k.cu", kDoubling);
    folder_.write("k.launch.json", kDoublingLaunch);
  }

  std::unique_ptr<Session> start() {
    auto session = std::make_unique<Session>(
        folder_.services(engines_.services()), settings_,
        Start{.experiment = support::ladderExperiment("sequential"), .round = 1, .engine = "host"});
    session->waitForJobs();
    return session;
  }
  std::unique_ptr<Session> opened() {
    auto session = start();
    session->apply(OpenRecording{file_});
    session->waitForJobs();
    return session;
  }
  static std::string textOf(const Session& session) {
    return session.replay().run() ? session.replay().run()->trace.kernelText : std::string();
  }
  static std::string messageIn(const Session& session) {
    return session.app().message() ? session.app().message()->sentence : std::string();
  }

  support::KernelFolder folder_;
  FakeEngines engines_;
  Settings settings_;
  std::string file_;
};

// The engine that was chosen runs it, and another that is chosen runs it again.
TEST_F(OwnKernels, TheEngineThatIsChosenRunsIt) {
  std::vector<std::string> engines;
  SessionServices services = folder_.services(engines_.services());
  services.recordKernel = [&, record = services.recordKernel](const KernelOrder& order,
                                                              engine::JobControl& job) {
    engines.push_back(order.engine);
    KernelOrder here = order;
    here.engine = "host";
    return record(here, job);
  };
  Session session(services, settings_,
                  Start{.experiment = support::ladderExperiment("sequential"), .round = 1, .engine = "host"});
  session.waitForJobs();
  session.apply(OpenRecording{file_});
  session.waitForJobs();
  ASSERT_EQ(engines, std::vector<std::string>{"host"});
  session.apply(ChooseEngine{"gpu:1"});
  session.waitForJobs();
  EXPECT_EQ(engines, (std::vector<std::string>{"host", "gpu:1"}));
  ASSERT_TRUE(session.kernel().isOpen());
  session.apply(RunKernel{});
  session.waitForJobs();
  EXPECT_EQ(engines.back(), "gpu:1");
}

TEST_F(OwnKernels, OpenedOneIsShownWithItsTextAndItsLaunches) {
  const auto session = opened();
  EXPECT_EQ(messageIn(*session), "");
  const OwnKernel& kernel = session->kernel();
  ASSERT_TRUE(kernel.isOpen());
  EXPECT_EQ(kernel.text(), kDoubling);
  EXPECT_EQ(textOf(*session), kDoubling);
  EXPECT_TRUE(kernel.isSaved());
  ASSERT_TRUE(kernel.launches());
  EXPECT_EQ(kernel.launches()->launches.front().block, model::Dim3(64));
  ASSERT_EQ(kernel.kernels().size(), 1u);
  std::vector<std::string> names;
  for (const auto& parameter : kernel.kernels().front().parameters) names.push_back(parameter.name);
  EXPECT_EQ(names, (std::vector<std::string>{"in", "out"}));
  EXPECT_EQ(session->app().settings().recent.front(), file_);
  EXPECT_EQ(session->replay().playhead().round, 1u) << "the round stays";
}

TEST_F(OwnKernels, EditedTextRunsAndIsNotSaved) {
  const auto session = opened();
  const std::string text = replaced(kDoubling, "2 *", "3 *");
  session->apply(EditKernel{text});
  EXPECT_EQ(textOf(*session), kDoubling) << "the maps stay until it has run";
  session->apply(RunKernel{});
  EXPECT_EQ(textOf(*session), kDoubling);
  session->waitForJobs();
  EXPECT_EQ(textOf(*session), text);
  EXPECT_EQ(session->replay().playhead().round, 1u);
  EXPECT_FALSE(session->kernel().isSaved());
  EXPECT_EQ(folder_.read("k.cu"), kDoubling);
}

TEST_F(OwnKernels, ErrorOfTheCompilerIsAtItsLineAndTheMapsStay) {
  const auto session = opened();
  session->apply(EditKernel{replaced(kDoubling, "2 * tile", "2 * tiles")});
  session->apply(RunKernel{});
  session->waitForJobs();
  EXPECT_EQ(textOf(*session), kDoubling);
  ASSERT_FALSE(session->kernel().faults().empty());
  const TextFault& fault = session->kernel().faults().front();
  EXPECT_EQ(fault.line, 6);
  EXPECT_EQ(fault.column, 28);
  EXPECT_NE(fault.what.find("tiles"), fault.what.npos) << fault.what;
  EXPECT_TRUE(session->kernel().isOpen());
  session->apply(EditKernel{kDoubling});
  session->apply(RunKernel{});
  session->waitForJobs();
  EXPECT_TRUE(session->kernel().faults().empty());
}

TEST_F(OwnKernels, TextThatNeverCompiledIsOpenToo) {
  folder_.write("k.cu", "__global__ void doubled(const int *in, int *out) { out[0] = nothing; }\n");
  const auto session = opened();
  EXPECT_TRUE(session->kernel().isOpen());
  ASSERT_FALSE(session->kernel().faults().empty());
  EXPECT_EQ(session->kernel().faults().front().line, 1);
  EXPECT_EQ(session->workspace().experiment().variant, "sequential");
  session->apply(EditKernel{kDoubling});
  session->apply(RunKernel{});
  session->waitForJobs();
  EXPECT_EQ(textOf(*session), kDoubling);
}

TEST_F(OwnKernels, AnotherVariantHasSourceForItself) {
  const auto session = opened();
  EXPECT_EQ(session->workspace().whyNotRecorded("interleaved_modulo"), "");
  session->apply(Choose(&model::Experiment::variant, std::string("interleaved_modulo")));
  session->waitForJobs();
  EXPECT_EQ(messageIn(*session), "");
  EXPECT_EQ(session->replay().run()->trace.experiment.variant, "interleaved_modulo");
  EXPECT_FALSE(session->kernel().isOpen());
  session->apply(GoBack{});
  session->waitForJobs();
  EXPECT_TRUE(session->kernel().isOpen()) << "back at its recording";
  EXPECT_EQ(session->app().settings().recent, std::vector{file_}) << "which goes with the session";
}

TEST_F(OwnKernels, SavingWritesTheFileAndRunsIt) {
  using std::filesystem::perms;
  std::filesystem::permissions(file_, perms::owner_read | perms::owner_write);
  const auto session = opened();
  const std::string text = replaced(kDoubling, "2 *", "5 *");
  session->apply(EditKernel{text});
  session->apply(SaveKernel{});
  ASSERT_TRUE(support::comesTo(*session, [&] { return textOf(*session) == text; }));
  EXPECT_EQ(folder_.read("k.cu"), text);
  EXPECT_EQ(std::filesystem::status(file_).permissions(), perms::owner_read | perms::owner_write);
  EXPECT_TRUE(session->kernel().isSaved());
  EXPECT_EQ(messageIn(*session), "");
}

TEST_F(OwnKernels, LineEndsOfTheFileStay) {
  std::string text = kDoubling;
  for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at + 2)) text.insert(at, "\r");
  folder_.write("k.cu", text);
  const auto session = opened();
  EXPECT_EQ(session->kernel().text(), kDoubling);
  session->apply(EditKernel{replaced(kDoubling, "2 *", "5 *")});
  session->apply(SaveKernel{});
  ASSERT_TRUE(support::comesTo(*session, [&] { return session->kernel().isSaved(); }));
  EXPECT_EQ(folder_.read("k.cu"), replaced(text, "2 *", "5 *"));
}

TEST_F(OwnKernels, FileThatAnotherProgramChangesRunsAgain) {
  const auto session = opened();
  const std::string text = replaced(kDoubling, "2 *", "7 *");
  folder_.write("k.cu", text);
  ASSERT_TRUE(support::comesTo(*session, [&] { return textOf(*session) == text; }));
  EXPECT_EQ(session->kernel().text(), text);
  EXPECT_TRUE(session->kernel().isSaved());
  const int runs = folder_.runs();
  folder_.write("k.launch.json", replaced(kDoublingLaunch, "\"ramp\"", "\"ones\""));
  EXPECT_TRUE(support::comesTo(*session, [&] {
    return folder_.runs() > runs && !session->workspace().job();
  })) << "the launch file counts, too";
}

TEST_F(OwnKernels, FileThatChangesUnderUnsavedTextCostsNeither) {
  const auto session = opened();
  const std::string mine = replaced(kDoubling, "2 *", "3 *"), theirs = replaced(kDoubling, "2 *", "4 *");
  session->apply(EditKernel{mine});
  folder_.write("k.cu", theirs);
  ASSERT_TRUE(support::comesTo(*session, [&] { return session->app().message().has_value(); }));
  EXPECT_EQ(messageIn(*session),
            "Another program has changed k.cu. Its text in the window is not saved, and stays.");
  EXPECT_EQ(session->kernel().text(), mine);
  session->apply(SaveKernel{});
  session->waitForJobs();
  EXPECT_EQ(folder_.read("k.cu"), theirs) << "it asks before";
  ASSERT_TRUE(session->app().message()->action);
  session->apply(*session->app().message()->action);
  ASSERT_TRUE(support::comesTo(*session, [&] { return session->kernel().isSaved(); }));
  EXPECT_EQ(folder_.read("k.cu"), mine);
}

TEST_F(OwnKernels, TextOfTheFileCanBeTakenInstead) {
  const auto session = opened();
  session->apply(EditKernel{replaced(kDoubling, "2 *", "3 *")});
  const unsigned loads = session->kernel().loads();
  session->apply(TakeFileText{});
  EXPECT_EQ(session->kernel().text(), kDoubling);
  EXPECT_GT(session->kernel().loads(), loads);
}

TEST_F(OwnKernels, UnsavedTextSurvives) {
  const std::string text = replaced(kDoubling, "2 *", "9 *");
  {
    const auto session = opened();
    session->apply(EditKernel{text});
    session->update(1);
    session->waitForJobs();
  }
  {
    const auto session = start();
    EXPECT_EQ(messageIn(*session), "Text of k.cu that was typed and not saved has been kept.");
    ASSERT_TRUE(session->app().message()->action);
    session->apply(*session->app().message()->action);
    ASSERT_TRUE(support::comesTo(*session, [&] { return session->kernel().text() == text; }))
        << messageIn(*session);
    EXPECT_FALSE(session->kernel().isSaved());
  }
  const auto session = opened();
  EXPECT_EQ(session->kernel().text(), kDoubling) << "it is offered, not taken";
  EXPECT_EQ(messageIn(*session), "Text of k.cu that was typed and not saved has been kept.");
  session->apply(RestoreDraft{file_});
  session->waitForJobs();
  EXPECT_EQ(session->kernel().text(), text);
  session->apply(SaveKernel{});
  ASSERT_TRUE(support::comesTo(*session, [&] { return session->kernel().isSaved(); }));
  session->waitForJobs();
  EXPECT_EQ(messageIn(*opened()), "") << "what is saved needs no draft";
}

TEST_F(OwnKernels, DraftThatWasNotTakenUpIsNotOverwritten) {
  {
    const auto session = opened();
    session->apply(EditKernel{replaced(kDoubling, "2 *", "9 *")});
  }
  {
    const auto session = opened();
    session->apply(EditKernel{replaced(kDoubling, "2 *", "8 *")});
  }
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(folder_.path("drafts")))
    ++files;
  EXPECT_EQ(files, 2u);
}

TEST_F(OwnKernels, RunsAfterAPauseInTypingIfAsked) {
  settings_.runsWhileTyping = true;
  const auto session = opened();
  const std::string text = replaced(kDoubling, "2 *", "6 *");
  session->apply(EditKernel{text});
  session->update(0.3);
  EXPECT_FALSE(session->workspace().job());
  EXPECT_TRUE(session->wantsFrameSoon());
  session->update(0.5);
  EXPECT_TRUE(session->workspace().job());
  session->waitForJobs();
  EXPECT_EQ(textOf(*session), text);
  EXPECT_FALSE(session->wantsFrameSoon()) << "nothing is due";
}

TEST_F(OwnKernels, RunBeforeStandsBesideTheNewOne) {
  const auto session = opened();
  EXPECT_FALSE(session->kernel().hasBefore());
  session->apply(RunKernel{});
  session->waitForJobs();
  EXPECT_FALSE(session->kernel().hasBefore()) << "the same text is no other version";
  const std::string text = replaced(kDoubling, "tile[threadIdx.x] = in", "tile[63 - threadIdx.x] = in");
  session->apply(EditKernel{text});
  session->apply(RunKernel{});
  session->waitForJobs();
  ASSERT_TRUE(session->kernel().hasBefore());
  session->apply(CompareWithBefore{});
  session->waitForJobs();
  ASSERT_NE(session->comparison(), nullptr);
  ASSERT_TRUE(session->comparison()->hasRuns());
  const auto kernelText = [&](analysis::Side side) {
    return session->comparison()->replay(side).run()->trace.kernelText;
  };
  EXPECT_EQ(kernelText(analysis::Side::Left), kDoubling);
  EXPECT_EQ(kernelText(analysis::Side::Right), text);
  // It goes on with the next version.
  const std::string next = replaced(text, "2 *", "4 *");
  folder_.write("k.cu", next);
  session->apply(TakeFileText{});
  ASSERT_TRUE(support::comesTo(*session, [&] { return kernelText(analysis::Side::Right) == next; }));
  ASSERT_TRUE(support::comesTo(*session, [&] { return kernelText(analysis::Side::Left) == text; }));
}

TEST_F(OwnKernels, LaunchesAreWrittenAndRun) {
  const auto session = opened();
  engine::access::LaunchFile file = *session->kernel().launches();
  file.launches.front().block = model::Dim3(32);
  session->apply(SetLaunches{engine::access::printLaunchFile(file)});
  ASSERT_TRUE(support::comesTo(*session, [&] { return session->replay().launch().block == 32; }))
      << messageIn(*session);
  EXPECT_NE(folder_.read("k.launch.json").find("\"block\": [32]"), std::string::npos);
  file.launches.front().block = model::Dim3(2048);
  session->apply(SetLaunches{engine::access::printLaunchFile(file)});
  ASSERT_TRUE(support::comesTo(*session, [&] { return !messageIn(*session).empty(); }));
  EXPECT_EQ(
      messageIn(*session),
      "k.cu cannot be launched with a block of 2048 threads, where CUDA has 1 to 1024 x 1024 x 64, and no "
      "more than 1024 in all. Choose another shape.");
  EXPECT_EQ(session->replay().launch().block, 32u);
}

// The default launch of a text with an input and an output: 512 elements in blocks of 256.
TEST_F(OwnKernels, LaunchThatNoFileSaysIsGuessedAndShown) {
  std::filesystem::remove(folder_.path("k.launch.json"));
  const std::string text = replaced(kDoubling, "tile[64]", "tile[256]");
  folder_.write("k.cu", text);
  const auto session = opened();
  const OwnKernel& kernel = session->kernel();
  ASSERT_TRUE(session->replay().run());
  EXPECT_EQ(textOf(*session), text);
  EXPECT_TRUE(kernel.isGuessed());
  EXPECT_FALSE(kernel.hasLaunchFile());
  ASSERT_TRUE(kernel.launches());
  const auto& launch = kernel.launches()->launches.front();
  EXPECT_EQ(launch.grid, model::Dim3(2));
  EXPECT_EQ(launch.block, model::Dim3(256));
  ASSERT_EQ(launch.arguments.size(), 2u);
  EXPECT_EQ(engine::access::whatOf(launch.arguments[0]), "digits:512");
  EXPECT_EQ(engine::access::whatOf(launch.arguments[1]), "zero:512");
  EXPECT_EQ(messageIn(*session), "");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("k.launch.json"))) << "nobody asked for one";
  // A parameter that is typed is guessed, too, when the text runs again.
  session->apply(EditKernel{replaced(text, "int *out)", "int *out, int n)")});
  session->apply(RunKernel{});
  session->waitForJobs();
  ASSERT_EQ(kernel.launches()->launches.front().arguments.size(), 3u);
  EXPECT_EQ(engine::access::whatOf(kernel.launches()->launches.front().arguments[2]), "512");
  EXPECT_EQ(kernel.trouble(), "");
  // What is kept is guessed no more.
  session->apply(SetLaunches{engine::access::printLaunchFile(*kernel.launches())});
  session->waitForJobs();
  EXPECT_FALSE(kernel.isGuessed());
  EXPECT_NE(folder_.read("k.launch.json").find("digits"), std::string::npos);
}

TEST_F(OwnKernels, KernelThatIsChosenOfSeveralHasItsLaunchGuessed) {
  std::filesystem::remove(folder_.path("k.launch.json"));
  folder_.write("k.cu", std::string(kDoubling) + "__global__ void other(int count) {}\n");
  const auto session = opened();
  const OwnKernel& kernel = session->kernel();
  EXPECT_FALSE(kernel.isGuessed());
  engine::access::LaunchFile chosen{.launches = {{}}};
  chosen.launches.front().kernel = "other";
  const auto guessed = kernel.guessed(chosen);
  ASSERT_EQ(guessed.launches.front().arguments.size(), 1u);
  EXPECT_EQ(engine::access::whatOf(guessed.launches.front().arguments[0]), "512");
}

TEST_F(OwnKernels, WhatTheRunPrintedIsKeptWithIt) {
  const std::string printing =
      replaced(kDoubling, "{\n", "{\n  if (threadIdx.x < 2) printf(\"lane %u\\n\", threadIdx.x);\n");
  folder_.write("k.cu", printing + "int main() { return 0; }\n");
  const auto session = opened();
  ASSERT_NE(session->kernel().shown(), nullptr);
  EXPECT_EQ(session->kernel().shown()->printed, "lane 0\nlane 1\n");
  ASSERT_FALSE(session->kernel().shown()->notes.empty());
  EXPECT_NE(session->kernel().shown()->notes.front().find("main"), std::string::npos)
      << session->kernel().shown()->notes.front();
  session->apply(EditKernel{kDoubling});
  EXPECT_EQ(session->kernel().shown()->printed, "lane 0\nlane 1\n") << "what is shown has not run yet";
  session->apply(RunKernel{});
  session->waitForJobs();
  EXPECT_EQ(session->kernel().shown()->printed, "");
}

TEST_F(OwnKernels, AnotherBlockIsRecordedWhenItIsAskedFor) {
  folder_.write("k.launch.json", replaced(kDoublingLaunch, "[1]", "[3]"));
  const auto session = opened();
  EXPECT_EQ(session->replay().launch().recorded().block, 0u);
  session->apply(Choose::block(0, 2));
  session->waitForJobs();
  EXPECT_EQ(session->replay().launch().recorded().block, 2u);
}

TEST_F(OwnKernels, DISABLED_TimeFromSaveToNewMaps) {
  const char* text = R"(__global__ void reduce(const int *in, int *out, int n)
{
    __shared__ int data[256];
    int tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) data[tid] += data[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
)";
  folder_.write("k.cu", text);
  folder_.write("k.launch.json", R"({"grid": [1], "block": [256], "args": [
  {"name": "in", "pattern": "ramp", "count": 256}, {"name": "out", "fill": 0, "count": 1},
  {"name": "n", "value": 256}]})");
  const auto session = opened();
  std::string now = text;
  std::vector<double> all;
  for (int i = 0; i < 21; ++i) {
    now = now + "// " + std::to_string(i) + "\n";
    folder_.write("k.cu", now);
    const auto begin = std::chrono::steady_clock::now();
    while (textOf(*session) != now) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      session->update(0.001);
    }
    all.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(all);
  std::cout << "median " << all[10] << " ms, least " << all.front() << ", most " << all.back() << "\n";
}

TEST_F(OwnKernels, CopyOfAVariantDoesNotReplaceAFileUnasked) {
  const auto session = start();
  session->apply(ShowOverlay{Overlay::CopyVariant});
  session->apply(CopyVariant{file_});
  ASSERT_TRUE(support::comesTo(*session, [&] { return session->app().message().has_value(); }));
  EXPECT_EQ(messageIn(*session),
            "The file " + file_ + " exists already. Overwrite it, or save under another name.");
  EXPECT_TRUE(session->app().isToldInForm());
  EXPECT_EQ(folder_.read("k.cu"), kDoubling);
  EXPECT_EQ(folder_.read("k.launch.json"), kDoublingLaunch);
  session->apply(Command(*session->app().message()->action));
  ASSERT_TRUE(support::comesTo(*session, [&] { return session->kernel().path() == file_; }));
  EXPECT_EQ(session->app().overlay(), Overlay::None);
  EXPECT_NE(folder_.read("k.cu").find("using T = int;"), std::string::npos);
}

TEST_F(OwnKernels, FileThatIsMissingOrTooLargeIsASentence) {
  std::ofstream(folder_.path("large.cu")) << std::string(5 << 20, '\n');
  for (const auto& [name, told] :
       {std::pair("none.cu", "none.cu"), std::pair("large.cu", "at most 4096 KiB")}) {
    const auto session = start();
    session->apply(OpenRecording{folder_.path(name)});
    session->waitForJobs();
    EXPECT_NE(messageIn(*session).find(told), std::string::npos) << messageIn(*session);
    EXPECT_FALSE(session->kernel().isOpen());
  }
}

TEST(TextFaults, AreReadFromTheCompilersLinesOfTheFile) {
  const Error error{.kind = ErrorKind::Usage,
                    .sentence = "k.cu does not compile: x (line 1, column 2). Fix its text.",
                    .details =
                        "In file included from a:1:\nk.cu:4:14: error: 'x' was not declared\n"
                        "k.cu:5:1: warning: y\nother.cu:6:1: error: z\nk.cu:7:3: fatal error: w",
                    .cause = ErrorCause::KernelText};
  const auto faults = faultsOf(error, "k.cu");
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].line, 4);
  EXPECT_EQ(faults[0].column, 14);
  EXPECT_EQ(faults[0].what, "'x' was not declared");
  EXPECT_EQ(faults[1].line, 7);
  const auto named =
      faultsOf({.kind = ErrorKind::Usage, .sentence = "A comment has no end (line 3)."}, "k.cu");
  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(named[0].line, 3);
  EXPECT_EQ(named[0].column, 0);
  EXPECT_TRUE(faultsOf({.kind = ErrorKind::Usage, .sentence = "k has no parameter 'n'."}, "k.cu").empty());
}

}  // namespace
}  // namespace stridescope::session
