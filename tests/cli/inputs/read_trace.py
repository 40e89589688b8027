# SPDX-License-Identifier: BSD-3-Clause
"""Reads a trace by the schema of Perfetto's package, and says what it holds: read_trace.py TRACE."""

import collections
import sys

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto


def unknown_fields(message, path="trace"):
    for field in UnknownFieldSet(message):
        yield f"{path}.{field.field_number}"
    for field, value in message.ListFields():
        if field.message_type:
            for part in [value] if isinstance(value, Message) else value:
                yield from unknown_fields(part, f"{path}.{field.name}")


trace = perfetto.Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())
for path in sorted(set(unknown_fields(trace))):
    print("not of the schema:", path)

descriptors = [p.track_descriptor for p in trace.packet if p.HasField("track_descriptor")]
tracks = {track.uuid for track in descriptors}
events = [p.track_event for p in trace.packet if p.HasField("track_event")]
depths = collections.Counter()
for event in events:
    depths[event.track_uuid] += event.type == perfetto.TrackEvent.TYPE_SLICE_BEGIN
    depths[event.track_uuid] -= event.type == perfetto.TrackEvent.TYPE_SLICE_END
    assert event.track_uuid in tracks and depths[event.track_uuid] >= 0, event
assert not any(depths.values()), depths
print(sum(track.parent_uuid in tracks for track in descriptors), "threads")
print(sum(track.HasField("process") for track in descriptors), "hosts")
print("events" if events else "no events")
