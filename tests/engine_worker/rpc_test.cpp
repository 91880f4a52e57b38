// Calls over streams that are no sockets: pipes, with a relay in each, as `ssh` is one. Whatever the relays
// do to the conversation, every call ends with its answer or a sentence, and the server ends.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <thread>

#include "../model/sample_traces.h"
#include "child.h"
#include "engine/worker/rpc_client.h"
#include "engine/worker/rpc_server.h"

namespace stridescope::engine::worker {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

using std::chrono::milliseconds;

constexpr std::uint64_t kMaxEcho = 1 << 20;
constexpr CallType<std::string, std::string> kEcho{1, kMaxEcho};
constexpr CallType<Nothing, Nothing> kWait{2};  // until it is cancelled
constexpr CallType<Nothing, std::string> kEchoWithoutText{1};
constexpr CallType<Nothing, Nothing> kUnknown{9};
constexpr Service kTestService = serviceOf<std::string>("test", kEcho, kWait);
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct Pipe {
  Pipe() : Pipe(open()) {}
  Descriptor out, in;  // what is written, what is read

 private:
  explicit Pipe(std::array<int, 2> ends) : out(ends[1]), in(ends[0]) {}
  static std::array<int, 2> open() {
    std::array<int, 2> ends{-1, -1};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    return ends;
  }
};

enum class Then { Closes, Swallows };

// Hands on so many bytes; then it closes both of its ends, or reads on and hands on nothing.
void relay(Descriptor from, Descriptor to, std::size_t bytes, Then then, std::atomic<std::size_t>& passed) {
  std::array<std::byte, 4096> some;
  while (passed < bytes || then == Then::Swallows) {
    const std::size_t left = passed < bytes ? bytes - passed : some.size();
    const ssize_t got = ::read(from.number(), some.data(), std::min(some.size(), left));
    if (got <= 0) return;
    if (passed >= bytes) continue;
    if (!ByteStream(to.number()).send(std::span(some).first(std::size_t(got)), kForEver)) return;
    passed += std::size_t(got);
  }
}

WorkerCommand words() {
  WorkerCommand command{.program = {}, .arguments = {}};
  command.subject = "The far end";
  command.advice = "Ask again.";
  return command;
}

CallTable testCalls() {
  CallTable calls;
  calls
      .on(kEcho,
          [](const std::string& text, JobControl& job) -> Result<std::string> {
            job.progress(0.5f, "echoing");
            if (text == "fail") return usageError("There is no echo.");
            return text;
          })
      .on(kWait, [](Nothing, JobControl& job) -> Result<Nothing> {
        while (!job.cancel) std::this_thread::sleep_for(1ms);
        return cancelled();
      });
  return calls;
}

// A server on a thread of its own, and a client, with a pipe, a relay and a pipe in either direction.
struct Rig {
  explicit Rig(std::size_t bytesToServer = kAll, std::size_t bytesToClient = kAll, Then then = Then::Closes,
               milliseconds silence = 20s)
      : limits{.silence = silence} {
    Pipe fromClient, toServer, fromServer, toClient;
    threads.emplace_back(relay, std::move(fromClient.in), std::move(toServer.out), bytesToServer, then,
                         std::ref(passedToServer));
    threads.emplace_back(relay, std::move(fromServer.in), std::move(toClient.out), bytesToClient, then,
                         std::ref(passedToClient));
    threads.emplace_back([in = std::move(toServer.in), out = std::move(fromServer.out)] {
      RpcServer server(kTestService, ByteStream(in.number(), out.number()), [] {});
      server.ready(std::string("here"));
      server.serve(testCalls());
    });
    client.connect({std::move(toClient.in), std::move(fromClient.out)});
  }
  ~Rig() { client.stop(); }

  // All of a conversation: what the server says first, a call, one that fails.
  Result<void> talk() {
    auto ready = client.ready<std::string>(limits.silence, job);
    if (!ready) return tl::unexpected(ready.error());
    EXPECT_EQ(*ready, "here");
    auto echo = client.call(kEcho, "hello", limits, job);
    if (!echo) return tl::unexpected(echo.error());
    EXPECT_EQ(*echo, "hello");
    auto failed = client.call(kEcho, "fail", limits, job);
    EXPECT_FALSE(failed);
    if (failed.error().sentence != "There is no echo.") return tl::unexpected(failed.error());
    return {};
  }

  CallLimits limits;
  JobControl job;
  std::atomic<std::size_t> passedToServer{0}, passedToClient{0};
  RpcClient client{words(), kTestService, {.cancelling = 5s}};
  std::vector<std::jthread> threads;  // last: they use the others, and are waited for
};

TEST(Rpc, SpeaksOverPipes) {
  Rig rig;
  std::vector<std::string> doing;
  rig.job.progress = [&](float fraction, const std::string& what) {
    EXPECT_EQ(fraction, 0.5f);
    doing.push_back(what);
  };
  const auto talked = rig.talk();
  EXPECT_TRUE(talked) << talked.error().sentence << talked.error().details;
  EXPECT_THAT(doing, testing::ElementsAre("echoing", "echoing"));
  const std::string large(kMaxEcho - 100, 'x');  // far more than pipes hold
  EXPECT_EQ(rig.client.call(kEcho, large, rig.limits, rig.job), large);
  EXPECT_TRUE(rig.client.isIdle());
}

TEST(Rpc, ACancelledCallEndsAndTheServerStays) {
  Rig rig;
  ASSERT_TRUE(rig.talk());
  for (int i = 0; i < 3; ++i) {
    JobControl job;
    std::jthread cancelling([&] {
      std::this_thread::sleep_for(20ms);
      job.cancel = true;
    });
    const auto waited = rig.client.call(kWait, {}, rig.limits, job);
    ASSERT_FALSE(waited);
    EXPECT_EQ(waited.error().kind, ErrorKind::Cancelled);
    EXPECT_TRUE(rig.client.settle(rig.job));
    EXPECT_TRUE(rig.client.isOpen());
    EXPECT_EQ(rig.client.call(kEcho, "still there", rig.limits, rig.job), "still there");
  }
}

TEST(Rpc, WhatTheServerDoesNotKnowIsASentenceAndTheServerStays) {
  Rig rig;
  ASSERT_TRUE(rig.talk());
  const auto unknown = rig.client.call(kUnknown, {}, rig.limits, rig.job);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().sentence, HasSubstr("does not understand the program."));
  const auto unreadable = rig.client.call(kEchoWithoutText, {}, rig.limits, rig.job);
  ASSERT_FALSE(unreadable);
  EXPECT_EQ(unreadable.error().sentence, unknown.error().sentence);
  EXPECT_EQ(rig.client.call(kEcho, "again", rig.limits, rig.job), "again");
}

// At each byte of the conversation, in either direction.
TEST(Rpc, AConversationThatIsCutIsASentence) {
  std::size_t all[2]{};
  {
    Rig whole;
    ASSERT_TRUE(whole.talk());
    all[0] = whole.passedToServer;
    all[1] = whole.passedToClient;
  }
  ASSERT_GT(all[0], 48u);
  ASSERT_GT(all[1], 100u);
  for (const bool toClient : {false, true})
    for (std::size_t bytes = 0; bytes < all[toClient]; ++bytes) {
      SCOPED_TRACE(std::string(toClient ? "to the client: " : "to the server: ") + std::to_string(bytes));
      const auto begin = Clock::now();
      Rig rig(toClient ? kAll : bytes, toClient ? bytes : kAll);
      const auto talked = rig.talk();
      ASSERT_FALSE(talked);
      EXPECT_EQ(talked.error().kind, ErrorKind::Unavailable);
      EXPECT_EQ(talked.error().sentence, "The far end has closed the connection. Ask again.");
      EXPECT_FALSE(rig.client.isOpen());
      EXPECT_LT(Clock::now() - begin, 10s);
      const auto after = rig.client.call(kEcho, "anybody?", rig.limits, rig.job);
      ASSERT_FALSE(after);
      EXPECT_EQ(after.error().sentence, "The far end has ended. Ask again.");
    }
}

// The same where the line stays open and nothing comes any more.
TEST(Rpc, AConversationThatStopsIsASentence) {
  for (const std::size_t bytes : {0u, 10u, 24u, 60u, 90u, 100u})
    for (const bool toClient : {false, true}) {
      SCOPED_TRACE(std::string(toClient ? "to the client: " : "to the server: ") + std::to_string(bytes));
      Rig rig(toClient ? kAll : std::min<std::size_t>(bytes, 60), toClient ? bytes : kAll, Then::Swallows,
              200ms);
      const auto talked = rig.talk();
      ASSERT_FALSE(talked);
      EXPECT_THAT(talked.error().sentence, HasSubstr("The far end did not answer for 0.2 s and was stopped"));
      EXPECT_FALSE(rig.client.isOpen());
    }
}

// A head that says so many bytes follow.
std::vector<std::byte> headOf(const Subject& subject, std::uint64_t bytes) {
  Pipe pipe;
  EXPECT_TRUE(sendBytes(ByteStream(pipe.out.number()), subject, {}));
  std::vector<std::byte> head(24);
  EXPECT_EQ(::read(pipe.in.number(), head.data(), head.size()), 24);
  std::memcpy(head.data() + 16, &bytes, 8);
  return head;
}

TEST(Rpc, AnAnswerThatIsTooLongIsNonsense) {
  const std::pair<Subject, std::uint64_t> cases[]{
      {{.kind = MessageKind::Reply, .type = kEcho.number, .call = 1}, kMaxEcho + 1},
      {{.kind = MessageKind::Failed, .type = kEcho.number, .call = 1}, kMaxWordsBytes + 1},
      {{.kind = MessageKind::Progress, .type = kEcho.number, .call = 1}, ~std::uint64_t{0}},
      {{.kind = MessageKind::Call, .type = kEcho.number, .call = 1}, 0},  // which is none
      {{.kind = MessageKind::Reply, .type = kWait.number, .call = 1}, 0},
      {{.kind = MessageKind::Reply, .type = kEcho.number, .call = 2}, 0}};
  for (const auto& [subject, bytes] : cases) {
    SCOPED_TRACE(std::to_string(unsigned(subject.kind)) + " " + std::to_string(bytes));
    Pipe toClient, fromClient;
    const ByteStream server(fromClient.in.number(), toClient.out.number());
    ASSERT_TRUE(sendMessage(server, {.kind = MessageKind::Greeting}, greetingOf(kTestService)));
    ASSERT_TRUE(server.send(headOf(subject, bytes), kForEver));
    RpcClient client(words(), kTestService);
    client.connect({std::move(toClient.in), std::move(fromClient.out)});
    JobControl job;
    const auto echo = client.call(kEcho, "hello", {.silence = 10s}, job);
    ASSERT_FALSE(echo);
    EXPECT_THAT(echo.error().sentence,
                AllOf(StartsWith("The far end gave an answer that makes no sense"), EndsWith(".")));
    EXPECT_FALSE(client.isOpen());
  }
}

TEST(Rpc, WhatDoesNotBeginWithAGreetingIsNonsense) {
  Pipe toClient, fromClient;
  ASSERT_TRUE(sendMessage(ByteStream(toClient.out.number()),
                          {.kind = MessageKind::Reply, .type = kEcho.number, .call = 1},
                          std::string("hello")));
  RpcClient client(words(), kTestService);
  client.connect({std::move(toClient.in), std::move(fromClient.out)});
  JobControl job;
  const auto echo = client.call(kEcho, "hello", {.silence = 10s}, job);
  ASSERT_FALSE(echo);
  EXPECT_THAT(echo.error().sentence, HasSubstr("makes no sense"));
}

// Another program is told from this one before anything is believed of it.
TEST(Rpc, AnotherBuildIsNamed) {
  const auto sentenceFor = [](const Greeting& greeting) {
    Pipe toClient, fromClient;
    EXPECT_TRUE(sendMessage(ByteStream(toClient.out.number()), {.kind = MessageKind::Greeting}, greeting));
    RpcClient client(words(), kTestService);
    client.connect({std::move(toClient.in), std::move(fromClient.out)});
    JobControl job;
    const auto echo = client.call(kEcho, "hello", {.silence = 10s}, job);
    EXPECT_FALSE(client.isOpen());
    return echo ? std::string("It was believed.") : echo.error().sentence;
  };
  const Greeting ours = greetingOf(kTestService);
  Greeting other = ours;
  other.version = "9.9.9\x1b";
  EXPECT_EQ(sentenceFor(other),
            "The far end is of Stridescope 9.9.9\\u001b and cannot speak with this one, " + ours.version +
                ". Install the same version for both.");
  other = ours;
  ++other.form;
  EXPECT_THAT(sentenceFor(other), HasSubstr(ours.version + " of another build and cannot speak with"));
  other = ours;
  other.service = "tset";
  EXPECT_THAT(sentenceFor(other), HasSubstr("of another build"));
}

TEST(Rpc, AServerEndsAtWhatIsNoCall) {
  std::vector<std::byte> garbage(100, std::byte{'x'});
  for (const auto& bytes :
       {garbage, headOf({.kind = MessageKind::Call, .type = kEcho.number, .call = 1}, kMaxBodyBytes + 1),
        std::vector<std::byte>()}) {
    Pipe toServer, fromServer;
    ASSERT_TRUE(ByteStream(toServer.out.number()).send(bytes, kForEver));
    if (bytes.empty()) toServer.out.close();
    RpcServer server(kTestService, ByteStream(toServer.in.number(), fromServer.out.number()), [] {});
    server.serve(testCalls());  // returns
  }
}

TEST(Rpc, ACallInTheMiddleOfWhichTheClientGoesIsGivenUpOnce) {
  Pipe toServer, fromServer;
  std::atomic<int> givenUp{0};
  std::jthread serving([&] {
    RpcServer server(kTestService, ByteStream(toServer.in.number(), fromServer.out.number()),
                     [&] { ++givenUp; });
    server.serve(testCalls());
  });
  const ByteStream client(fromServer.in.number(), toServer.out.number());
  ASSERT_TRUE(sendMessage(client, {.kind = MessageKind::Call, .type = kWait.number, .call = 1}, Nothing()));
  std::this_thread::sleep_for(50ms);
  ASSERT_TRUE(sendBytes(client, {.kind = MessageKind::Cancel, .call = 1}, {}));
  toServer.out.close();
  serving.join();
  EXPECT_LE(givenUp, 1);
}

TEST(ByteStream, WritingToAPipeThatNobodyReadsIsNoSignal) {
  Pipe pipe;
  pipe.in.close();
  const std::array bytes{std::byte{1}};
  EXPECT_FALSE(ByteStream(pipe.out.number()).send(bytes, kForEver));
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

TEST(ByteStream, APipeThatNobodyEmptiesIsGivenUp) {
  Pipe pipe;
  const std::vector<std::byte> bytes(1 << 20);
  const auto begin = Clock::now();
  EXPECT_FALSE(ByteStream(pipe.out.number()).send(bytes, 100ms));
  EXPECT_LT(Clock::now() - begin, 5s);
}

// An engine behind programs that hand bytes on, as it would be on another machine.
WorkerCommand behindCat(const std::string& script) {
  WorkerCommand command{.program = "/bin/sh", .arguments = {"-c", script, "sh", STRIDESCOPE_WORKER_CHILD}};
  command.overStandardStreams = true;
  return command;
}

TEST(RpcOverPipes, AnEngineBehindRelaysGivesWhatItGives) {
  const auto made = makeWorkerEngine(behindCat("cat | \"$1\" 'over pipes' | cat"), kShort);
  ASSERT_TRUE(made) << made.error().sentence << made.error().details;
  Engine& worker = **made;
  auto trace = record(worker, "anything");
  ASSERT_TRUE(trace) << trace.error().sentence;
  trace->checkNote = model::sample::everyField().checkNote;
  EXPECT_TRUE(*trace == model::sample::everyField());
  JobControl job;
  const auto large = worker.record({.variant = "large", .threads = 1024, .elements = 256}, job);  // 4 MiB
  ASSERT_TRUE(large) << large.error().sentence;
  EXPECT_EQ(large->launches.front().recorded().events.size(), 1024u * 256u);
  EXPECT_EQ(record(worker, "refuse").error().sentence, "It is refused.");
}

TEST(RpcOverPipes, AHangAndACancelledCallEndAsWithASocket) {
  auto worker = makeWorkerEngine(behindCat("cat | \"$1\" 'over pipes' | cat"), kShort).value();
  const pid_t process = processOf(*worker);
  JobControl job;
  job.progress = [&](float, const std::string&) { job.cancel = true; };
  EXPECT_EQ(worker->record({.variant = "wait"}, job).error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(processOf(*worker), process) << "it goes on after a cancelled call";
  const auto hung = record(*worker, "hang");
  ASSERT_FALSE(hung);
  expectAdvice(hung.error(), ErrorKind::Limit);
  EXPECT_THAT(hung.error().sentence, HasSubstr("did not answer"));
  EXPECT_TRUE(isGone(process));
  const pid_t last = processOf(*worker);
  worker.reset();
  EXPECT_TRUE(isGone(last));
  EXPECT_TRUE(hasNoChildren());
}

// Where whatever hands the bytes on ends with the server, as `ssh` does.
TEST(RpcOverPipes, ACrashIsASentenceAndTheNextCallWorks) {
  auto worker = makeWorkerEngine(behindCat("\"$1\" 'over pipes' | cat"), kShort).value();
  const auto crashed = record(*worker, "raise", SIGKILL);
  ASSERT_FALSE(crashed);
  expectAdvice(crashed.error());
  EXPECT_THAT(crashed.error().sentence, HasSubstr("ended with exit code 0"));
  EXPECT_TRUE(record(*worker, "anything"));
}

TEST(RpcOverPipes, WhatPrintsToItsStandardOutputDoesNotDisturb) {
  const auto noisy = makeWorkerEngine(behindCat("\"$1\" 'over pipes'"), kShort);
  ASSERT_TRUE(noisy);
  EXPECT_TRUE(record(**noisy, "print"));
  const auto other = makeWorkerEngine(behindCat("echo Welcome to this machine; \"$1\" 'over pipes'"), kShort);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().sentence, HasSubstr("makes no sense"));
}

}  // namespace
}  // namespace stridescope::engine::worker
