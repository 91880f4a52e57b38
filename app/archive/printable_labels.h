// The labels of what was read from elsewhere: names, sentences and values that are shown and nothing else.
#pragma once

#include "archive/recording_file.h"

namespace stridescope {

// Makes every label one printable line (trace/plain_text.h); what is printable already is not touched. A
// recording that is saved again has the labels as they were shown. The kernel's text with what
// sites quote of it, the preamble, combine and the identity are no labels: they are compared, hashed and
// compiled.
void makeLabelsPrintable(Trace& trace);
void makeLabelsPrintable(Executor& executor);
void makeLabelsPrintable(OperatorTrial& trial);
void makeLabelsPrintable(RecordingEntry& entry);
void makeLabelsPrintable(TimingRecord& timing);

}  // namespace stridescope
