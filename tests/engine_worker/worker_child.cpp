// What the tests start as a worker: engines that do what the experiment's variant says, and processes that do
// not keep to the rules. The first argument says which.
#include <dirent.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <thread>

#include "../model/sample_traces.h"
#include "engine/host/host_engine.h"
#include "engine/library_call.h"
#include "engine/worker/rpc_server.h"
#include "engine/worker/worker_engine.h"

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;

std::string ownNumber() { return std::to_string(::getpid()); }

std::string openDescriptors() {
  std::vector<int> numbers;
  DIR* const folder = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(folder))
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(folder))
      numbers.push_back(std::atoi(entry->d_name));
  ::closedir(folder);
  std::ranges::sort(numbers);
  std::string text;
  for (const int number : numbers) text += std::to_string(number) + " ";
  return text;
}

class ScriptedEngine final : public Engine {
 public:
  model::Executor executor() const override {
    model::Executor executor;
    executor.device = "scripted";
    executor.driver = ownNumber();
    return executor;
  }
  bool isUsable() const override { return usable_; }

  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override {
    for (const model::Experiment& experiment : experiments) {
      if (job.progress) job.progress(0.5f, experiment.variant);
      if (experiment.variant == "cannot") return unavailable("It cannot be prepared.");
    }
    return {};
  }

  Result<model::OperatorTrial> tryOperator(const model::Experiment& experiment, JobControl& job) override {
    if (auto trace = record(experiment, job); !trace) return tl::unexpected(trace.error());
    return model::OperatorTrial{};
  }

  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    job.progress(0.25f, ownNumber());
    const std::string& asked = experiment.variant;
    const auto seed = static_cast<int>(experiment.seed);
    if (asked == "raise") {
      ::signal(seed, SIG_DFL);  // a sanitizer would answer it
      ::raise(seed);
    }
    if (asked == "exit") ::_exit(seed);
    if (asked == "fork") {  // and ends, or goes on
      const pid_t child = ::fork();
      while (child == 0) ::pause();
      job.progress(0.5f, std::to_string(child));
      if (seed != 0) ::_exit(seed);
      while (true) ::pause();
    }
    if (asked == "leave") {  // the group that it leads, and hears nothing of its socket's end
      ::setpgid(0, ::getpgid(::getppid()));
      int deaf[2];
      if (::socketpair(AF_UNIX, SOCK_STREAM, 0, deaf) == 0) ::dup2(deaf[0], kWorkerSocket);
      while (true) ::pause();
    }
    if (asked == "odd progress") {
      const float fractions[] = {0.5f, 2.0f, -1.0f, NAN};
      job.progress(fractions[seed], seed == 0 ? std::string(2000, 'x') : "fine");
    }
    if (asked == "environment") {
      model::Trace trace = model::sample::everyField();
      trace.checkNote.clear();
      for (char** variable = environ; *variable != nullptr; ++variable)
        trace.checkNote += std::string(*variable) + ";";
      return trace;
    }
    if (asked == "throw") throw std::runtime_error("an exception that the engine does not catch");
    if (asked == "out of memory") throw std::bad_alloc();
    if (asked == "complain") {
      for (int i = 0; i < seed; ++i) std::cerr << "complaint " << i << "\n" << std::flush;
      ::_exit(1);
    }
    if (asked == "hang in a call" || asked == "crash in a call" || asked == "exit in a call") {
      const LibraryCall call("cuHang_v2");
      if (asked == "crash in a call") {
        ::signal(SIGSEGV, SIG_DFL);
        ::raise(SIGSEGV);
      }
      if (asked == "exit in a call") std::exit(seed);
      while (true) ::pause();
    }
    if (asked == "hang on a thread") {  // while the thread that answers makes calls that return
      std::thread([] {
        const LibraryCall call("nvrtcHang");
        while (true) ::pause();
      }).detach();
      while (true) LibraryCall("cuShort");
    }
    if (asked == "short calls")  // together longer than one may be
      for (int i = 0; i < seed; ++i) {
        const LibraryCall call("cuShort");
        std::this_thread::sleep_for(20ms);
      }
    if (asked == "a long call") {
      const LibraryCall call("nvrtcCompileProgram", kLongCall);
      const LibraryCall within("cuShort");
      std::this_thread::sleep_for(std::chrono::milliseconds(seed));
    }
    while (asked == "hang") std::this_thread::sleep_for(1h);
    while (asked == "wait" && !job.cancel) std::this_thread::sleep_for(1ms);
    if (asked == "wait") return cancelled();
    if (asked == "talk")  // longer than the silence that is allowed, but never silent
      for (int i = 0; i < seed; ++i) {
        std::this_thread::sleep_for(20ms);
        job.progress(0.5f, "step " + std::to_string(i));
      }
    if (asked == "refuse")
      return tl::unexpected(
          Error{ErrorKind::Usage, "It is refused.", "the details", ErrorCause::CombineText});
    if (asked == "break") {
      usable_ = false;
      return unavailable("The engine broke.");
    }
    model::Trace trace = asked == "large"
                             ? model::sample::withEvents(experiment.threads, unsigned(experiment.elements))
                             : model::sample::everyField();
    if (asked == "faulty") trace.launches.front().recorded().first.back() += 1;
    trace.checkNote = asked == "descriptors" ? openDescriptors() : ownNumber();
    if (asked == "print") std::cout << "printed" << std::endl;
    if (asked == "rude") {
      trace.executor.device = "a\x1b[31m\nb";
      trace.launches.front().recorded().problems.front().text = "\u202e";
      job.progress(0.5f, "\x07");
    }
    return trace;
  }

 private:
  bool usable_ = true;
};

Result<std::unique_ptr<Engine>> makeScripted() { return std::make_unique<ScriptedEngine>(); }

// Processes without an engine.
void sendGarbage() {
  const std::string garbage(4096, 'x');
  ::send(kWorkerSocket, garbage.data(), garbage.size(), MSG_NOSIGNAL);
  ::pause();
}
// As a server begins.
ByteStream greet() {
  const ByteStream stream(kWorkerSocket);
  sendMessage(stream, {.kind = MessageKind::Greeting}, greetingOf(kEngineService));
  sendMessage(stream, {.kind = MessageKind::Ready}, model::Executor{});
  return stream;
}
// What the next call is answered as.
Subject replyTo(const ByteStream& stream) {
  const auto call = MessageReader(stream).next(kForEver);
  Subject reply = std::get<Message>(call).subject;
  reply.kind = MessageKind::Reply;
  return reply;
}
void sendGarbageOnceAsked() {
  replyTo(greet());
  sendGarbage();
}
void answerWithTheWrongBody() {
  const ByteStream stream = greet();
  sendMessage(stream, replyTo(stream), std::string("no trace"));
  ::pause();
}
void answerAnotherQuestion() {
  const ByteStream stream = greet();
  Subject reply = replyTo(stream);
  ++reply.call;
  sendMessage(stream, reply, model::sample::empty());
  ::pause();
}
void closeInTheMiddle() {
  replyTo(greet());
  const std::string half(10, '\0');
  ::send(kWorkerSocket, half.data(), half.size(), MSG_NOSIGNAL);
  ::close(kWorkerSocket);
  ::pause();
}
void neverReads() {
  greet();
  ::pause();
}
void greetAsAnotherBuild(const std::string& version) {
  Greeting greeting = greetingOf(kEngineService);
  if (version.empty())
    ++greeting.form;
  else
    greeting.version = version;
  sendMessage(ByteStream(kWorkerSocket), {.kind = MessageKind::Greeting}, greeting);
  ::pause();
}

// A program that has a worker: writes the worker's process number and waits for its own end.
void ownAWorker(const char* program) {
  auto engine = makeWorkerEngine({.program = program, .arguments = {"scripted"}});
  if (!engine) return;
  JobControl job;
  job.progress = [](float, const std::string& number) { std::cout << number << std::endl; };
  model::Experiment experiment;
  experiment.variant = "hang";
  (void)(*engine)->record(experiment, job);
}

}  // namespace
}  // namespace stridescope::engine::worker

int main(int argc, char** argv) {
  using namespace stridescope;
  using namespace stridescope::engine;
  using namespace stridescope::engine::worker;
  const std::string part = argc > 1 ? argv[1] : "";
  if (part == "watched") showLibraryCalls(kWorkerCalls);
  if (part == "scripted" || part == "watched") return serveEngine(makeScripted);
  if (part == "over pipes") return serveEngine(makeScripted, takeStandardStreams());
  if (part == "host")
    return serveEngine([]() -> Result<std::unique_ptr<Engine>> { return host::makeHostEngine(); });
  if (part == "no engine")
    return serveEngine([]() -> Result<std::unique_ptr<Engine>> {
      return unavailable("There is no GPU here. Use another machine.", "what was tried");
    });
  if (part == "exit") return 7;
  const std::map<std::string, void (*)()> others{{"mute", [] { ::pause(); }},
                                                 {"garbage", sendGarbage},
                                                 {"late garbage", sendGarbageOnceAsked},
                                                 {"wrong body", answerWithTheWrongBody},
                                                 {"wrong number", answerAnotherQuestion},
                                                 {"half", closeInTheMiddle},
                                                 {"never reads", neverReads},
                                                 {"another version", [] { greetAsAnotherBuild("9.9.9"); }},
                                                 {"another build", [] { greetAsAnotherBuild({}); }}};
  if (const auto found = others.find(part); found != others.end()) found->second();
  if (part == "owner") ownAWorker(argv[0]);
  return 1;
}
