// The most that a recording may hold of each kind, made by hand for the experiment of one trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/clock_record.h"
#include "model/counters.h"
#include "model/machine_code.h"
#include "model/several_gpus.h"
#include "model/timing_record.h"
#include "model/trace.h"

namespace stridescope::archive::test {

// Each `count` records, with as many blocks and launches as the parameters say; they tell of the trace's
// experiment and kernel.
std::vector<model::ClockRecord> clocksOf(const model::Trace& trace, std::size_t count, std::size_t runs);
std::vector<model::CounterRecord> countersOf(const model::Trace& trace, std::size_t count,
                                             std::size_t launches);
// `apart`: the starts lie anywhere within the longest run, so that each block takes as many bytes as one can;
// else the blocks follow one another, 16 on a multiprocessor at once.
std::vector<model::TimelineRecord> timelinesOf(const model::Trace& trace, std::size_t count,
                                               std::size_t blocks, bool apart = false);
std::vector<model::CostRecord> costsOf(const model::Trace& trace, std::size_t count, std::size_t launches);
std::vector<model::MachineCode> codesOf(const model::Trace& trace, std::size_t count, std::size_t lines,
                                        std::size_t lineBytes);
std::vector<model::TimingRecord> timingsOf(std::size_t count, std::size_t samples);
std::vector<model::GroupTimingRecord> groupTimingsOf(std::size_t count, std::size_t others);
std::vector<model::LinkRecord> linksOf(std::size_t count, unsigned gpus);

}  // namespace stridescope::archive::test
