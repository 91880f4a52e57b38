// What two processes of the program say to each other, over any stream of bytes. The client makes one call at
// a time; the server answers each with any number of reports of progress and one Reply or Failed. A message:
// a head of fixed size, then its body (byte_archive.h). The server's first message is its Greeting, so that a
// program of another build is told from this one before anything is believed of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/regular_file.h"
#include "base/result.h"
#include "engine/worker/byte_archive.h"
#include "model/trace.h"
#include "model/trace_check.h"

namespace stridescope::engine::worker {

// A stream of bytes to another process and back: a socket, or two pipes, as to a program on another machine
// that is reached through `ssh`. The numbers are borrowed: whoever opened them closes them.

// Asks the system what the descriptor is.
bool isSocket(int descriptor);

class ByteStream {
 public:
  explicit ByteStream(int socket) : ByteStream(socket, socket) {}
  // Bytes come from `in` and go to `out`. Asks the system what they are: before calls are forbidden.
  ByteStream(int in, int out);

  int in() const { return in_; }

  // Sends all of it. False: the other end is gone, or took nothing for as long as `patience` (negative: waits
  // for ever). One thread at a time; raises no signal.
  bool send(std::span<const std::byte> bytes, std::chrono::milliseconds patience) const;

  enum class State { Some, Nothing, Closed };
  struct Received {
    State state = State::Nothing;
    std::size_t bytes = 0;
  };
  // What has arrived, at most as much as there is room for, waiting so long for the first byte of it
  // (negative: for ever). One thread at a time, while another one sends.
  Received receive(std::span<std::byte> room, std::chrono::milliseconds wait) const;

  // Ends what is waited for in receive() by another thread, where it is a socket; what was sent still
  // arrives.
  void shutDown() const;
  bool canShutDown() const { return inIsSocket_; }

 private:
  int in_, out_;
  bool inIsSocket_, outIsSocket_;
};

// The descriptors of a stream, which are closed with it.
struct StreamEnds {
  Descriptor in;
  Descriptor out = Descriptor();  // without a number: `in` is a socket, for both directions

  ByteStream stream() const {
    return out.number() < 0 ? ByteStream(in.number()) : ByteStream(in.number(), out.number());
  }
  void close() {
    in.close();
    out.close();
  }
};

// Heads and kinds of messages; raised when they change. What bodies have is in Service::form.
inline constexpr std::uint32_t kRpcFormat = 4;

enum class MessageKind : std::uint16_t {
  Greeting,  // server, first: Greeting
  Ready,     // server, once, unasked: what it is that answers
  Call,      // client: what is asked
  Cancel,    // client: nothing; the call of its number shall end soon
  Progress,  // server: ProgressReport
  Reply,     // server: the answer
  Failed,    // server: Failure; unasked in place of Ready
};
inline constexpr MessageKind kLastMessageKind = MessageKind::Failed;

// The most that is said beside what may be long: a few sentences, or a compiler's log.
inline constexpr std::uint64_t kMaxWordsBytes = 4 << 20;
// The largest trace that holds together (trace_check.h), twice over.
inline constexpr std::uint64_t kMaxBodyBytes =
    2 * (model::kMaxTraceEvents * sizeof(model::Event) + model::kMaxBarrierCopyBytes +
         model::kMaxSiteAndProblemTextBytes);

// Where a call asks, or is answered, nothing in particular.
enum class Nothing : std::uint8_t { Nothing };

// One thing that a server does: its number there, what it is asked with, what it answers.
template <class Asked_, class Answered_>
struct CallType {
  using Asked = Asked_;
  using Answered = Answered_;
  std::uint16_t number = 0;
  std::uint64_t mostReplyBytes = kMaxWordsBytes;
};

// The calls that belong together. Two programs whose `form` differs would misread each other.
struct Service {
  std::string_view name;
  std::uint32_t form = 0;
};

// `Ready`: what the server says of itself before it is asked; Nothing where it does not.
template <class Ready, class... Calls>
constexpr Service serviceOf(std::string_view name, const Calls&... calls) {
  std::uint32_t form = formOf<Ready>();
  ((form = formOf<typename Calls::Answered>(formOf<typename Calls::Asked>(form + calls.number))), ...);
  return {name, form};
}

struct Greeting {
  std::string version;  // the program's
  std::string service;
  std::uint32_t form = 0;
};
// This program's.
Greeting greetingOf(const Service& service);

struct ProgressReport {
  float fraction = 0;
  std::string doing;
};
struct Failure {
  Error error;
  bool usable = true;  // the server can go on after that
};

template <class Fields, Described<Greeting> Value>
constexpr void describe(Fields&& fields, Value& greeting) {
  fields("version", greeting.version);
  fields("service", greeting.service);
  fields("form", greeting.form);
}

template <class Fields, Described<ProgressReport> Value>
constexpr void describe(Fields&& fields, Value& report) {
  fields("fraction", report.fraction);
  fields("doing", report.doing);
}

template <class Fields, Described<Failure> Value>
constexpr void describe(Fields&& fields, Value& failure) {
  fields("error", failure.error);
  fields("usable", failure.usable);
}

// What a message is about. `type`: the number of the CallType that is made or answered, else 0. `call`: the
// number of the call that is made, cancelled or answered, counted by the client from 1; 0: none.
struct Subject {
  MessageKind kind{};
  std::uint16_t type = 0;
  std::uint32_t call = 0;
};

struct Message {
  Subject subject;
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

// Negative: waits for ever.
inline constexpr std::chrono::milliseconds kForEver{-1};

// Sends one whole message, as ByteStream::send() has it.
bool sendBytes(const ByteStream& stream, const Subject& subject, std::span<const std::byte> body,
               std::chrono::milliseconds patience = kForEver);

template <class Body>
bool sendMessage(const ByteStream& stream, const Subject& subject, const Body& body,
                 std::chrono::milliseconds patience = kForEver) {
  ByteWriter writer;
  writer(body);
  return sendBytes(stream, subject, writer.bytes(), patience);
}

enum class ReadEnd : std::uint8_t {
  Closed,    // the other end is gone, perhaps in the middle of a message
  Nonsense,  // what came is no message of this format
};

// Nothing: no message is whole yet.
using Arrived = std::variant<std::monostate, Message, ReadEnd>;

// Puts messages together from what arrives. One thread at a time.
class MessageReader {
 public:
  // A call or a reply with a longer body is no message of this format.
  explicit MessageReader(const ByteStream& stream, std::uint64_t mostBodyBytes = kMaxBodyBytes)
      : stream_(stream), mostBodyBytes_(mostBodyBytes) {}

  // Another limit, for messages whose heads have not arrived.
  void limitBodies(std::uint64_t mostBodyBytes) { mostBodyBytes_ = mostBodyBytes; }

  // The next message; nothing if it has not arrived whole when the time is over (negative: waits for ever).
  // After an end there is only that end.
  Arrived next(std::chrono::milliseconds wait);

  // All bytes that ever arrived: whether something comes, though no message is whole yet.
  std::uint64_t bytesArrived() const { return arrived_; }

 private:
  struct Head {
    std::uint32_t mark = 0, format = 0;
    std::uint16_t kind = 0, type = 0;
    std::uint32_t call = 0;
    std::uint64_t bytes = 0;
  };
  friend bool sendBytes(const ByteStream&, const Subject&, std::span<const std::byte>,
                        std::chrono::milliseconds);
  bool isSensible(const Head& head) const;
  Arrived read(std::chrono::milliseconds wait);

  ByteStream stream_;
  std::uint64_t mostBodyBytes_;
  Head head_;
  std::size_t headArrived_ = 0, bodyArrived_ = 0;
  std::unique_ptr<std::byte[]> body_;
  std::uint64_t arrived_ = 0;
  std::optional<ReadEnd> end_;
};

}  // namespace stridescope::engine::worker
