/// Records in a third of their bytes: what a record says is mostly what the one before it said, or little more.
#pragma once

#include "actors/glue/trace_record.hpp"
#include "actors/tracer/byte_codec.hpp"

#include <span>
#include <vector>

namespace troupe {

/// Appends `records`; the format is in README.md.
void put_records(byte_writer& to, std::span<const trace_record> records);

/// Appends `num_records` records to `to`; false if the bytes end before, or are no records.
[[nodiscard]] bool take_records(byte_reader& from, std::size_t num_records, std::vector<trace_record>& to);

} // namespace troupe
