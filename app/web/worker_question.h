// A program of the edition in a worker of the page: it is asked with bytes, and answers with bytes.
// page/answer.js calls what worker_question.cpp exports.
#pragma once

#include <cstddef>
#include <span>

#include "engine/worker/byte_archive.h"

namespace stridescope::web {

// Each such program has its own.
engine::worker::ByteWriter answerTo(std::span<const std::byte> question);

}  // namespace stridescope::web
