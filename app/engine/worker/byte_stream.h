// A stream of bytes to another process and back: a socket, or two pipes, as to a program on another machine
// that is reached through `ssh`. The numbers are borrowed: whoever opened them closes them.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

#include "base/regular_file.h"

namespace stridescope::engine::worker {

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

}  // namespace stridescope::engine::worker
