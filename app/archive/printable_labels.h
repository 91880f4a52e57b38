// The labels of what was read from elsewhere: names, sentences and values that are shown and nothing else.
#pragma once

#include "archive/recording_file.h"

namespace stridescope::archive {

// Makes every label one printable line (base/plain_text.h); what is printable already is not touched. A
// recording that is saved again has the labels as they were shown. The kernel's text with what
// sites quote of it, the preamble, combine and the identity are no labels: they are compared, hashed and
// compiled.
void makeLabelsPrintable(model::Trace& trace);
void makeLabelsPrintable(model::Executor& executor);
void makeLabelsPrintable(model::OperatorTrial& trial);
void makeLabelsPrintable(RecordingEntry& entry);
void makeLabelsPrintable(model::TimingRecord& timing);
void makeLabelsPrintable(model::ClockRecord& clock);
void makeLabelsPrintable(model::CounterRecord& counters);
void makeLabelsPrintable(model::TimelineRecord& timeline);
void makeLabelsPrintable(model::CostRecord& cost);
void makeLabelsPrintable(model::MachineCode& code);

}  // namespace stridescope::archive
