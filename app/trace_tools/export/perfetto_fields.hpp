/// Numbers of the fields of Perfetto's trace format (perfetto_trace.proto) that the export uses.
#pragma once

#include <cstdint>

namespace troupe::perfetto {

inline constexpr std::uint32_t trace_packet = 1;

namespace packet {
inline constexpr std::uint32_t timestamp = 8, sequence_id = 10, track_event = 11, interned_data = 12,
                               sequence_flags = 13, track_descriptor = 60;
}
enum sequence_flag : std::uint32_t { state_cleared = 1, needs_state = 2 };

namespace track_descriptor {
inline constexpr std::uint32_t uuid = 1, name = 2, process = 3, parent_uuid = 5, counter = 8, child_ordering = 11,
                               sibling_order_rank = 12;
inline constexpr std::uint32_t explicit_order = 3;
} // namespace track_descriptor
namespace process_descriptor {
inline constexpr std::uint32_t pid = 1, name = 6;
}
namespace counter_descriptor {
inline constexpr std::uint32_t unit = 3;
inline constexpr std::uint32_t unit_count = 2;
} // namespace counter_descriptor

namespace track_event {
inline constexpr std::uint32_t category_iid = 3, annotations = 4, type = 9, name_iid = 10, track_uuid = 11, name = 23,
                               counter_value = 30, double_counter_value = 44, flow_ids = 47, terminating_flow_ids = 48;
enum kind : std::uint32_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };
} // namespace track_event

namespace annotation {
inline constexpr std::uint32_t name_iid = 1, uint_value = 3, double_value = 5, string_value = 6;
}
namespace interned {
inline constexpr std::uint32_t categories = 1, event_names = 2, annotation_names = 3, iid = 1, name = 2;
}

} // namespace troupe::perfetto
