#!/usr/bin/env python3
"""Reads a TensorBoard event file with the standard library alone and prints what is in it, one line per entry.

Usage: read_events.py FILE
Checks both checksums of every record. Exit code 1, with the reason, at the first byte that is not as it must be.
"""
import struct
import sys


def crc32c_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


TABLE = crc32c_table()


def masked_crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    """Yields the payload of every record."""
    at = 0
    while at < len(data):
        if len(data) - at < 12:
            raise ValueError(f"byte {at}: torn header of a record")
        length, crc = struct.unpack_from("<QI", data, at)
        if masked_crc32c(data[at : at + 8]) != crc:
            raise ValueError(f"byte {at}: wrong checksum of a length")
        end = at + 12 + length
        if end + 4 > len(data):
            raise ValueError(f"byte {at}: torn record of {length} bytes")
        payload = data[at + 12 : end]
        if masked_crc32c(payload) != struct.unpack_from("<I", data, end)[0]:
            raise ValueError(f"byte {at}: wrong checksum of a record")
        yield payload
        at = end + 4


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a protobuf message: number -> list of values (int, float or bytes)."""
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        elif kind == 5:
            value, at = struct.unpack_from("<f", data, at)[0], at + 4
        elif kind == 2:
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
            if len(value) != length:
                raise ValueError("a field is longer than its message")
        else:
            raise ValueError(f"wire type {kind} is not in use here")
        found.setdefault(key >> 3, []).append(value)
    return found


def describe_value(value):
    tag = value[1][0].decode()
    if 2 in value:
        return f"scalar {tag} {value[2][0]:.9g}"
    if 4 in value:
        image = fields(value[4][0])
        png = image[4][0]
        if png[:8] != b"\x89PNG\r\n\x1a\n" or struct.unpack_from(">II", png, 16) != (image[2][0], image[1][0]):
            raise ValueError(f"{tag}: no PNG of {image[2][0]} x {image[1][0]} pixels")
        return f"image {tag} {image[2][0]}x{image[1][0]}"
    if 9 in value:
        plugin = fields(fields(value[9][0])[1][0])
        return f"plugin {plugin[1][0].decode()} {tag}"
    raise ValueError(f"{tag}: a summary of no known kind")


def describe(payload):
    event = fields(payload)
    step = event.get(2, [0])[0]
    if 3 in event:
        yield f"version {event[3][0].decode()}"
    if 7 in event:
        yield f"session {fields(event[7][0])[1][0]} step {step}"
    for summary in event.get(5, []):
        for value in fields(summary).get(1, []):
            yield f"step {step} " + describe_value(fields(value))


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    for index, payload in enumerate(records(data)):
        lines = list(describe(payload))
        if index == 0 and lines != ["version brain.Event:2"]:
            raise ValueError(f"the first record is {lines}, expected the version")
        for line in lines:
            print(line)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except (ValueError, KeyError, IndexError, struct.error) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
