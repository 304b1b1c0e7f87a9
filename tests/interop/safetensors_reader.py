#!/usr/bin/env python3
"""Reads what the project writes, and writes what it must read, after the format's own description alone.

usage: safetensors_reader.py TOOL           checks the project's reader and writer against each other's files
       safetensors_reader.py --show FILE    prints the tensors of any safetensors file

Format: https://github.com/huggingface/safetensors, README "Format". Nothing but Python's standard library is used.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

SIZES = {"BOOL": 1, "U8": 1, "F16": 2, "BF16": 2, "I32": 4, "F32": 4, "I64": 8, "F64": 8}
CODES = {"BOOL": "?", "U8": "B", "F16": "e", "I32": "i", "F32": "f", "I64": "q", "F64": "d"}


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"duplicate keys: {names}"
    return dict(pairs)


def count_of(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def numbers(dtype, data):
    if dtype == "BF16":  # The upper half of a float.
        return [struct.unpack("<f", b"\0\0" + data[i : i + 2])[0] for i in range(0, len(data), 2)]
    return list(struct.unpack(f"<{len(data) // SIZES[dtype]}{CODES[dtype]}", data))


def load(path):
    """Returns ({name: (dtype, shape, numbers)}, metadata, names in the order of their bytes), or raises."""
    with open(path, "rb") as file:
        whole = file.read()
    (num_header_bytes,) = struct.unpack("<Q", whole[:8])
    assert num_header_bytes <= 100_000_000 and 8 + num_header_bytes <= len(whole), "header size"
    header = whole[8 : 8 + num_header_bytes]
    assert header.startswith(b"{"), "header does not start with {"
    assert num_header_bytes % 8 == 0, "tensors are not aligned to 8 bytes"
    entries = json.loads(header.decode("utf-8"), object_pairs_hook=no_duplicates)
    metadata = entries.pop("__metadata__", {})
    assert all(isinstance(x, str) for x in metadata.values()), "metadata are not strings"
    data = whole[8 + num_header_bytes :]
    tensors, end_before = {}, 0
    order = sorted(entries, key=lambda name: entries[name]["data_offsets"])
    for name in order:
        entry = entries[name]
        begin, end = entry["data_offsets"]
        size = SIZES[entry["dtype"]]
        assert begin == end_before, f"{name}: hole or overlap"
        assert begin % size == 0, f"{name}: not aligned to its elements"
        assert end - begin == count_of(entry["shape"]) * size, f"{name}: size"
        tensors[name] = (entry["dtype"], entry["shape"], numbers(entry["dtype"], data[begin:end]))
        end_before = end
    assert end_before == len(data), "bytes after the last tensor"
    return tensors, metadata, order


def check_their_file(tool, folder):
    path = os.path.join(folder, "theirs.safetensors")
    subprocess.run([tool, "write", path], check=True)
    tensors, metadata, order = load(path)
    expected = {
        "layer1.0.conv1.weight": ("F32", [2, 3], [0.0, 1.0, -2.0, 0.5, 2.0**-149, (2 - 2.0**-23) * 2.0**127]),
        "double": ("F64", [1], [0.1]),
        "bn.num_batches_tracked": ("I64", [], [-5]),
        "int": ("I32", [1, 2], [-(2**31), 2**31 - 1]),
        "half": ("F16", [2], [1.0, -65504.0]),
        "brain": ("BF16", [1], [1.0]),
        "byte": ("U8", [3], [0, 127, 255]),
        "flag": ("BOOL", [2], [True, False]),
        "empty": ("F32", [0, 4], []),
        'name "\u00fc\\\n': ("F32", [1], [7.0]),
    }
    assert tensors == expected, tensors
    assert metadata == {"format": "pt", "gr\u00f6\u00dfe": "1\t2"}, metadata
    types = [tensors[name][0] for name in order]
    assert types == ["I64", "F64", "F32", "F32", "F32", "I32", "BF16", "F16", "U8", "BOOL"], types


def put(folder, header, data, padding=0):
    path = os.path.join(folder, "ours.safetensors")
    text = header if isinstance(header, bytes) else json.dumps(header).encode() + b" " * padding
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    return path


def check_our_files(tool, folder):
    header = {
        "second": {"dtype": "F32", "shape": [1], "data_offsets": [3, 7]},
        "__metadata__": {"by": "python"},
        "first": {"dtype": "U8", "shape": [3, 1], "data_offsets": [0, 3]},
    }
    data = bytes([1, 2, 255]) + struct.pack("<f", -1.5)
    for padding in range(9):
        done = subprocess.run([tool, "read", put(folder, header, data, padding)], capture_output=True, text=True)
        lines = ["first U8 [3,1] 0102ff", "second F32 [1] 0000c0bf", "metadata by python"]
        assert done.returncode == 0 and done.stdout.splitlines() == lines, (done.stdout, done.stderr)
    header["first"]["data_offsets"] = [1, 4]
    for path in (put(folder, header, data), put(folder, {}, b"x"), put(folder, b'{"a"', b"")):
        done = subprocess.run([tool, "read", path], capture_output=True, text=True)
        assert done.returncode == 1 and done.stdout == "refused corrupt\n", (done.stdout, done.stderr)


def main():
    if sys.argv[1] == "--show":
        tensors, metadata, order = load(sys.argv[2])
        for name in order:
            print(name, *tensors[name][:2])
        print(metadata)
        return
    with tempfile.TemporaryDirectory() as folder:
        check_their_file(sys.argv[1], folder)
        check_our_files(sys.argv[1], folder)
    print("safetensors: both ways, all well")


if __name__ == "__main__":
    main()
