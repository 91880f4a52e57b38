// The one list of measured quantities (model/quantity.h). The tables of recordings, the calls of the timing
// worker and the records that are searched follow from it.
#pragma once

#include <tuple>

#include "model/clock_record.h"
#include "model/counters.h"
#include "model/machine_code.h"
#include "model/several_gpus.h"
#include "model/timing_record.h"

namespace stridescope::model {

template <class... Records>
struct RecordList {};

// What a device measures of an experiment, each by one call of the timing worker.
using MeasuredQuantities = RecordList<CounterRecord, TimelineRecord, CostRecord, PeelRecord>;

template <class... Measured>
RecordList<TimingRecord, ClockRecord, Measured..., MachineCode, GroupTimingRecord, LinkRecord> withMeasured(
    RecordList<Measured...>);

// All quantities, in the order of a recording's tables.
using Quantities = decltype(withMeasured(MeasuredQuantities()));

// Holds one `Of<Record>` for each quantity.
template <template <class> class Of, class List = Quantities>
class PerQuantity;

template <template <class> class Of, class... Records>
class PerQuantity<Of, RecordList<Records...>> {
 public:
  template <class Record>
  Of<Record>& of() {
    return std::get<Of<Record>>(held_);
  }
  template <class Record>
  const Of<Record>& of() const {
    return std::get<Of<Record>>(held_);
  }

  // Calls visit.template operator()<Record>(of<Record>()) for each quantity, in the order of the list.
  template <class Visit>
  void forEach(const Visit& visit) {
    (visit.template operator()<Records>(of<Records>()), ...);
  }
  template <class Visit>
  void forEach(const Visit& visit) const {
    (visit.template operator()<Records>(of<Records>()), ...);
  }

 private:
  std::tuple<Of<Records>...> held_;
};

}  // namespace stridescope::model
