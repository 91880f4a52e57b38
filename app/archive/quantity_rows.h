// The tables and rows of a measured quantity (model/quantity.h) in a recording, made of the record's two
// descriptions.
#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "archive/database.h"
#include "archive/recording_clocks.h"
#include "archive/recording_read.h"
#include "archive/recording_schema.h"
#include "archive/row_shapes.h"
#include "base/describe.h"
#include "base/numbers.h"
#include "model/quantity.h"

namespace stridescope::archive {

// A record's first row is in the quantity's table and is numbered, from 1 on, by its id; the rows of its
// lists are in tables of their own, numbered from 0 on, beside the numbers of all that they belong to. A
// field stands in the column of its name; the fields of a structure within it stand beside its own.

// What a list is made of, or nothing.
template <class Field>
struct ElementOf {
  using Type = void;
};
template <class Element>
struct ElementOf<std::vector<Element>> {
  using Type = Element;
};
template <class Field>
concept RowsOfTheirOwn = !Packed<Field> && HasDescription<typename ElementOf<Field>::Type>;

template <class Record, bool = HasMoreTables<Record>>
struct MoreOf {
  struct Writer {
    explicit Writer(sqlite3*) {}
  };
  struct Reader {
    Reader(sqlite3*, ReadState&) {}
  };
};
template <class Record>
struct MoreOf<Record, true> {
  using Writer = typename MoreTables<Record>::Writer;
  using Reader = typename MoreTables<Record>::Reader;
};

// ---- tables

// The columns of an experiment, its operator and an executor: the same in all quantities, and for ever.
inline constexpr std::array<model::StoredField, 6> kOriginFields{
    {{"combine", "of the operator custom; else empty"},
     {"threads", "of a block", 1, model::kMaxThreads},
     {"elements", "of the input"},
     {"lists", "of a merge; else 0", 0, model::kMaxThreads},
     {.field = "kind", .comment = "gpu", .column = "engine"},
     {"recorded_on", "ISO 8601, UTC"}}};
inline constexpr std::array<std::string_view, 3> kCustomFields{"combine", "identity", "identity_bits"};
inline constexpr std::array<std::string_view, 6> kExecutorFields{"kind",   "device",   "compute_capability",
                                                                 "driver", "compiler", "recorded_on"};

template <class Field>
inline constexpr bool kIsOrigin =
    std::is_same_v<Field, model::Experiment> || std::is_same_v<Field, model::CustomOperator> ||
    std::is_same_v<Field, model::Executor>;

// A field that tables of the record's own hold. Of the field, too, so that compilers ask it for those fields
// alone that come to it.
template <class Record, class Field>
inline constexpr bool kHasOwnTables = HasMoreTables<Record>;

template <class Origin>
std::span<const std::string_view> originFields(const model::Quantity& quantity) {
  if constexpr (std::is_same_v<Origin, model::Experiment>)
    return quantity.experiment;
  else if constexpr (std::is_same_v<Origin, model::CustomOperator>)
    return kCustomFields;
  else
    return kExecutorFields;
}

// As it is described, or as it is by its name alone.
model::StoredField storedField(std::span<const model::StoredField> fields, std::string_view name);
const model::StoredList& storedList(const model::Quantity& quantity, std::string_view field);

template <class Field>
constexpr std::string_view sqlTypeOf() {
  if constexpr (kIsOptionalEnum<Field>)
    return "TEXT";
  else if constexpr (std::is_enum_v<Field> || std::is_same_v<Field, std::string>)
    return "TEXT NOT NULL";
  else
    return std::is_floating_point_v<Field> ? "REAL NOT NULL" : "INTEGER NOT NULL";
}

// Empty: the structure has no such field.
template <class Struct>
std::string_view sqlTypeIn(std::string_view wanted) {
  std::string_view type;
  forEachFieldOf<Struct>([&]<class Field>(std::string_view name, const Field&) {
    if constexpr (PlainField<Field>)
      if (name == wanted) type = sqlTypeOf<Field>();
    if constexpr (std::is_same_v<Field, model::CustomOperator>)
      if (type.empty()) type = sqlTypeIn<Field>(wanted);
  });
  return type;
}

template <class Struct>
void addColumns(std::vector<TableColumn>& columns, std::span<const model::StoredField> fields,
                const model::Quantity& quantity) {
  const auto add = [&](std::string_view type, const model::StoredField& stored) {
    columns.push_back({stored.column, type, stored.comment, stored.commentAt});
  };
  forEachFieldOf<Struct>([&]<class Field>(std::string_view name, const Field&) {
    if constexpr (PlainField<Field>) {
      add(sqlTypeOf<Field>(), storedField(fields, name));
    } else if constexpr (kIsOrigin<Field>) {
      for (const std::string_view each : originFields<Field>(quantity))
        add(sqlTypeIn<Field>(each), storedField(kOriginFields, each));
    } else if constexpr (Packed<Field>) {
      columns.insert(columns.end(), Packing<Field>::kColumns.begin(), Packing<Field>::kColumns.end());
    } else if constexpr (RowsOfTheirOwn<Field>) {
      if (const std::string_view count = storedList(quantity, name).count; !count.empty())
        columns.push_back({count, "INTEGER NOT NULL"});
    } else if constexpr (HasDescription<Field>) {
      addColumns<Field>(columns, fields, quantity);
    }
  });
}

// The CREATE statement. `keys`: the columns of the primary key of a table without row numbers; empty: it is
// the first column.
std::string createStatement(std::string_view table, std::span<const TableColumn> columns,
                            std::span<const std::string_view> keys);

struct MadeTable {
  std::string_view name;
  std::string sql;
};

// The tables of the lists of a structure whose rows have these keys.
template <class Struct>
void addListTables(std::vector<MadeTable>& tables, const model::Quantity& quantity,
                   const std::vector<TableColumn>& owner) {
  forEachFieldOf<Struct>([&]<class Field>(std::string_view name, const Field&) {
    if constexpr (RowsOfTheirOwn<Field>) {
      using Element = typename ElementOf<Field>::Type;
      const model::StoredList& list = storedList(quantity, name);
      std::vector<TableColumn> columns = owner;
      columns.push_back({list.key, "INTEGER NOT NULL", "from 0"});
      std::vector<std::string_view> keys;
      std::vector<TableColumn> below;
      for (const TableColumn& key : columns) {
        keys.push_back(key.name);
        below.push_back({key.name, key.type});
      }
      addColumns<Element>(columns, list.fields, quantity);
      tables.push_back({list.table, createStatement(list.table, columns, keys)});
      addListTables<Element>(tables, quantity, below);
    }
  });
}

// ---- rows

template <class Record>
class QuantityWriter {
 public:
  explicit QuantityWriter(sqlite3* database) : database_(database), more_(database) {}

  // False: SQLite refused.
  bool write(std::int64_t id, const Record& record) {
    RowWriter& row = rowsOf(kFacts.table);
    row.set("id", id);
    set(row, record, kFacts.fields);
    if constexpr (HasMoreTables<Record>) more_.set(row, record);
    if (!writeRow(row) || !writeLists(record, {{"record", id}})) return false;
    if constexpr (HasMoreTables<Record>) return more_.write(id, record);
    return true;
  }

 private:
  static constexpr const model::Quantity& kFacts = model::kQuantity<Record>;
  using Keys = std::vector<std::pair<std::string_view, std::int64_t>>;
  RowWriter& rowsOf(std::string_view table) {
    return rows_.try_emplace(table, database_, table).first->second;
  }
  bool writeRow(RowWriter& row) {
    const bool written = row.write();
    packed_.clear();
    return written;
  }

  template <class Struct>
  void set(RowWriter& row, const Struct& value, std::span<const model::StoredField> fields) {
    forEachField(value, [&]<class Field>(std::string_view name, const Field& field) {
      if constexpr (PlainField<Field>) {
        row.set(storedField(fields, name).column, valueInFile(field));
      } else if constexpr (kIsOrigin<Field>) {
        setOrigin(row, field);
      } else if constexpr (Packed<Field>) {
        const auto packing = std::make_shared<const Packing<Field>>(field);
        packing->set(row);
        packed_.push_back(packing);
      } else if constexpr (RowsOfTheirOwn<Field>) {
        if (const std::string_view count = storedList(kFacts, name).count; !count.empty())
          row.set(count, field.size());
      } else if constexpr (HasDescription<Field>) {
        set(row, field, fields);
      } else {
        static_assert(kHasOwnTables<Record, Field>, "a list of structures, or what archive::Packing has");
      }
    });
  }

  template <class Origin>
  void setOrigin(RowWriter& row, const Origin& origin) {
    const std::span<const std::string_view> stored = originFields<Origin>(kFacts);
    forEachField(origin, [&]<class Field>(std::string_view name, const Field& field) {
      if constexpr (PlainField<Field>) {
        if (std::ranges::find(stored, name) != stored.end())
          row.set(storedField(kOriginFields, name).column, valueInFile(field));
      } else if constexpr (std::is_same_v<Field, model::CustomOperator>) {
        setOrigin(row, field);
      }
    });
  }

  template <class Struct>
  bool writeLists(const Struct& value, const Keys& keys) {
    bool written = true;
    forEachField(value, [&]<class Field>(std::string_view name, const Field& field) {
      if constexpr (RowsOfTheirOwn<Field>)
        written = written && writeList(field, storedList(kFacts, name), keys);
    });
    return written;
  }

  template <class Element>
  bool writeList(const std::vector<Element>& elements, const model::StoredList& list, Keys keys) {
    RowWriter& row = rowsOf(list.table);
    keys.emplace_back(list.key, 0);
    for (const Element& element : elements) {
      for (const auto& [column, number] : keys) row.set(column, number);
      set(row, element, list.fields);
      if (!writeRow(row) || !writeLists(element, keys)) return false;
      ++keys.back().second;
    }
    return true;
  }

  sqlite3* database_;
  std::map<std::string_view, RowWriter> rows_;
  std::vector<std::shared_ptr<const void>> packed_;  // what the row that is written refers to
  typename MoreOf<Record>::Writer more_;
};

template <class Record>
class QuantityReader {
 public:
  QuantityReader(sqlite3* database, ReadState& state)
      : database_(database), state_(state), more_(database, state) {}

  // All records, in the order in which they were written. An error goes into the state.
  std::vector<Record> read() {
    std::vector<Record> records;
    RowReader row(database_, kFacts.table, "SELECT * FROM " + std::string(kFacts.table) + " ORDER BY id",
                  state_);
    while (row.next()) {
      if (records.size() == kFacts.most) row.fault(row.column("id"), "counts too many of them");
      Record& record = records.emplace_back();
      const auto id = std::int64_t(records.size());
      row.expect(row.column("id"), records.size());
      readStruct(row, record, kFacts.fields, {{"record", id}});
      if constexpr (HasMoreTables<Record>) more_.read(row, id, record);
    }
    return records;
  }

 private:
  static constexpr const model::Quantity& kFacts = model::kQuantity<Record>;
  using Keys = std::vector<std::pair<std::string_view, std::int64_t>>;
  // A statement for the rows of a list, which goes from one owner to the next.
  RowReader& rowsOf(const model::StoredList& list, const Keys& keys) {
    const auto found = rows_.find(list.table);
    if (found != rows_.end()) return found->second;
    std::string query = "SELECT * FROM " + std::string(list.table) + " WHERE ";
    for (std::size_t i = 0; i < keys.size(); ++i)
      query += (i == 0 ? "" : " AND ") + std::string(keys[i].first) + " = ?" + std::to_string(i + 1);
    query += " ORDER BY " + std::string(list.key);
    return rows_.try_emplace(list.table, database_, list.table, query, state_).first->second;
  }

  template <class Field>
  void readPlain(RowReader& row, std::string_view name, Field& field,
                 std::span<const model::StoredField> fields) {
    const model::StoredField stored = storedField(fields, name);
    RowShape::Limit limit{stored.field, stored.low, stored.high};
    if (limit.low == 0 && limit.high == 0) limit = RowShape().limitOf<Field>(name);
    readField(row, row.column(stored.column), field, limit);
  }

  template <class Struct>
  void readStruct(RowReader& row, Struct& value, std::span<const model::StoredField> fields,
                  const Keys& keys) {
    forEachField(value, [&]<class Field>(std::string_view name, Field& field) {
      if constexpr (PlainField<Field>)
        readPlain(row, name, field, fields);
      else if constexpr (std::is_same_v<Field, model::Executor>)
        readExecutor(row, field);
      else if constexpr (kIsOrigin<Field>)
        readOrigin(row, field);
      else if constexpr (Packed<Field>)
        Packing<Field>::read(row, state_, field);
      else if constexpr (RowsOfTheirOwn<Field>)
        readList(row, field, storedList(kFacts, name), keys);
      else if constexpr (HasDescription<Field>)
        readStruct(row, field, fields, keys);
    });
  }

  template <class Origin>
  void readOrigin(RowReader& row, Origin& origin) {
    const std::span<const std::string_view> stored = originFields<Origin>(kFacts);
    forEachField(origin, [&]<class Field>(std::string_view name, Field& field) {
      if constexpr (PlainField<Field>) {
        if (std::ranges::find(stored, name) != stored.end()) readPlain(row, name, field, kOriginFields);
      } else if constexpr (std::is_same_v<Field, model::CustomOperator>) {
        readOrigin(row, field);
      }
    });
  }

  template <class Element>
  void readList(RowReader& owner, std::vector<Element>& elements, const model::StoredList& list, Keys keys) {
    const std::size_t most =
        list.count.empty() ? list.most : owner.count(list.count, std::int64_t(list.most));
    RowReader& row = rowsOf(list, keys);
    if (keys.size() == 1)
      row.start({keys[0].second});
    else
      row.start({keys[0].second, keys[1].second});
    keys.emplace_back(list.key, 0);
    for (; row.next(); ++keys.back().second) {
      const int key = row.column(list.key);
      row.expect(key, elements.size());
      if (elements.size() == most) row.fault(key, "counts too many of them");
      if (state_.failed()) return;
      readStruct(row, elements.emplace_back(), list.fields, keys);
    }
    if (!list.count.empty()) row.expectCount(elements.size(), most);
  }

  sqlite3* database_;
  ReadState& state_;
  std::map<std::string_view, RowReader> rows_;
  typename MoreOf<Record>::Reader more_;
};

}  // namespace stridescope::archive
