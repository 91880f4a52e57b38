// What an engine in a process of its own and the program say to each other, over a socket that both inherit.
// The program asks one thing at a time; the worker answers with any number of Progress messages and one of
// the others. A message: a head of fixed size, then its body (byte_archive.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "engine/worker/byte_archive.h"
#include "model/trace.h"
#include "model/trace_check.h"

namespace stridescope::engine::worker {

// The log is copied at once.
template <>
inline constexpr bool kIsPlain<model::Event> = std::has_unique_object_representations_v<model::Event>;
template <>
inline constexpr bool kIsPlain<model::BlockTrace::CopiedWord> =
    std::has_unique_object_representations_v<model::BlockTrace::CopiedWord>;
static_assert(kIsPlain<model::Event> && kIsPlain<model::BlockTrace::CopiedWord>);

// A process that speaks another format is not understood. It is another one with other fields of what is
// recorded; the rest is raised by hand.
inline constexpr std::uint32_t kWorkerFormat = formOf<model::Trace>() + 3;

enum class MessageKind : std::uint32_t {
  Ready,     // worker, once, unasked: Executor
  Prepare,   // program: std::vector<Experiment>
  Record,    // program: Experiment
  Try,       // program: Experiment
  Fold,      // program: Experiment
  Cancel,    // program: nothing; the call of its number shall end soon
  Progress,  // worker: ProgressReport
  Prepared,  // worker: nothing
  Recorded,  // worker: Trace
  Tried,     // worker: OperatorTrial
  Folded,    // worker: std::string
  Failed,    // worker: Failure; unasked in place of Ready
  FirstOwn,  // from here on what a worker that is no engine has besides: ownMessageKind()
  LastOwn = FirstOwn + 15,
};
inline constexpr MessageKind kLastMessageKind = MessageKind::LastOwn;

// The messages of a worker that is no engine: it and the program agree on them, numbered from 0 to 15.
constexpr MessageKind ownMessageKind(std::uint32_t number) {
  return MessageKind(std::uint32_t(MessageKind::FirstOwn) + number);
}

struct ProgressReport {
  float fraction = 0;
  std::string doing;
};
struct Failure {
  Error error;
  bool engineUsable = true;  // Engine::isUsable()
};

template <class Fields, Described<ProgressReport> Value>
constexpr void describe(Fields&& fields, Value& report) {
  fields("fraction", report.fraction);
  fields("doing", report.doing);
}

template <class Fields, Described<Failure> Value>
constexpr void describe(Fields&& fields, Value& failure) {
  fields("error", failure.error);
  fields("engine_usable", failure.engineUsable);
}

struct Message {
  MessageKind kind{};
  std::uint32_t call = 0;  // the number of the call that it makes, cancels or answers
  std::unique_ptr<std::byte[]> data;
  std::size_t bytes = 0;

  // The body as a value of this type; nothing if it is not one, or would take more than `mostMemory` bytes
  // (0: no limit).
  template <class Body>
  std::optional<Body> body(std::uint64_t mostMemory = 0) const {
    ByteReader reader({data.get(), bytes}, mostMemory);
    Body value{};
    reader(value);
    return reader.isComplete() ? std::optional(std::move(value)) : std::nullopt;
  }
};

// Sends one whole message. False: the other end is gone, or did not take it for the socket's send time-out.
// One thread at a time; raises no signal.
bool sendBytes(int socket, MessageKind kind, std::uint32_t call, std::span<const std::byte> body);

template <class Body>
bool sendMessage(int socket, MessageKind kind, std::uint32_t call, const Body& body) {
  ByteWriter writer;
  writer(body);
  return sendBytes(socket, kind, call, writer.bytes());
}

// The largest trace that holds together (trace_check.h), twice over.
inline constexpr std::uint64_t kMaxBodyBytes =
    2 * (model::kMaxTraceEvents * sizeof(model::Event) + model::kMaxBarrierCopyBytes +
         model::kMaxSiteAndProblemTextBytes);

enum class ReadEnd : std::uint8_t {
  Closed,    // the other end is gone, perhaps in the middle of a message
  Nonsense,  // what came is no message of this format
};

// Nothing: no message is whole yet.
using Arrived = std::variant<std::monostate, Message, ReadEnd>;

// Puts messages together from what arrives. One thread at a time.
class MessageReader {
 public:
  // A longer body is no message of this format.
  explicit MessageReader(int socket, std::uint64_t mostBodyBytes = kMaxBodyBytes)
      : socket_(socket), mostBodyBytes_(mostBodyBytes) {}

  // The next message; nothing if it has not arrived whole when the time is over (negative: waits for ever).
  // After an end there is only that end.
  Arrived next(std::chrono::milliseconds wait);

  // All bytes that ever arrived: whether something comes, though no message is whole yet.
  std::uint64_t bytesArrived() const { return arrived_; }

 private:
  struct Head {
    std::uint32_t mark = 0, format = 0, kind = 0, call = 0;
    std::uint64_t bytes = 0;
  };
  friend bool sendBytes(int, MessageKind, std::uint32_t, std::span<const std::byte>);
  bool isSensible(const Head& head) const;
  Arrived read(std::chrono::milliseconds wait);

  int socket_;
  std::uint64_t mostBodyBytes_;
  Head head_;
  std::size_t headArrived_ = 0, bodyArrived_ = 0;
  std::unique_ptr<std::byte[]> body_;
  std::uint64_t arrived_ = 0;
  std::optional<ReadEnd> end_;
};

}  // namespace stridescope::engine::worker
