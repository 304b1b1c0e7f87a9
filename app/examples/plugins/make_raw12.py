"""Makes up pictures in the format of raw12.cpp: two classes, bright on the left and bright on the right.

usage: make_raw12.py FOLDER"""

import random
import struct
import sys
from pathlib import Path

WIDTH, HEIGHT, PER_CLASS = 20, 16, 200


def packed(pixels: list[int]) -> bytes:
    """Two pixels of 12 bits in three bytes, low bits first."""
    out = bytearray()
    for a, b in zip(pixels[::2], pixels[1::2]):
        out += (a | b << 12).to_bytes(3, "little")
    return bytes(out)


def picture(bright_on_left: bool, noise: random.Random) -> bytes:
    bright = [(x < WIDTH // 2) == bright_on_left for _ in range(HEIGHT) for x in range(WIDTH)]
    pixels = [noise.randrange(2000, 4000) if each else noise.randrange(3000) for each in bright]
    return b"RAW12\0" + struct.pack("<II", WIDTH, HEIGHT) + packed(pixels)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    noise = random.Random(1)
    for name in ("left", "right"):
        folder = Path(sys.argv[1]) / name
        folder.mkdir(parents=True, exist_ok=True)
        for i in range(PER_CLASS):
            (folder / f"{i:03}.r12").write_bytes(picture(name == "left", noise))


if __name__ == "__main__":
    main()
