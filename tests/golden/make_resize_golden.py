"""Writes resize_pillow.txt: what Pillow makes of a few images, as checksums.

usage: python3 make_resize_golden.py > resize_pillow.txt        (with Pillow: python3-pil)

A line: channels width height filter x0 y0 x1 y1 new_width new_height crc32, for the image whose byte i is pattern(i)."""

import zlib

from PIL import Image

MODES = {1: "L", 3: "RGB", 4: "CMYK"}  # In RGBA, Pillow would multiply by alpha; our channels do not know each other.
FILTERS = {"bilinear": Image.Resampling.BILINEAR, "bicubic": Image.Resampling.BICUBIC}
CASES = [
    # width, height, box, new width, new height
    (97, 61, (0, 0, 97, 61), 32, 32),
    (97, 61, (0, 0, 97, 61), 224, 100),
    (97, 61, (0, 0, 97, 61), 97, 20),
    (97, 61, (0, 0, 97, 61), 30, 61),
    (97, 61, (10, 7, 42, 39), 32, 32),
    (97, 61, (3.25, 1.5, 90.75, 55.125), 40, 30),
    (97, 61, (10.1, 20.7, 13.3, 22.9), 50, 50),
    (370, 280, (0, 0, 370, 280), 224, 224),
    (370, 280, (17, 33, 301, 280), 224, 224),
    (370, 280, (0.5, 0.5, 369.5, 279.5), 64, 48),
    (400, 300, (0, 0, 400, 300), 7, 5),
    (500, 3, (0, 0, 500, 3), 100, 9),
    (3, 200, (0, 0, 3, 200), 9, 50),
    (5, 5, (0, 0, 5, 5), 64, 64),
    (28, 28, (0, 0, 28, 28), 20, 20),
    (1, 1, (0, 0, 1, 1), 8, 8),
    (33, 47, (0.3, 0.7, 32.6, 46.1), 1, 1),
]


def pattern(count: int) -> bytes:
    """Smooth and noisy by turns, with black and white beside each other."""
    result = bytearray(count)
    state = 1
    for i in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        noise = state >> 24
        result[i] = (0, 255)[noise & 1] if i // 64 % 3 == 0 else noise if i // 64 % 3 == 1 else i // 7 % 256
    return bytes(result)


def main() -> None:
    for channels, mode in MODES.items():
        for width, height, box, new_width, new_height in CASES:
            image = Image.frombytes(mode, (width, height), pattern(width * height * channels))
            for name, resample in FILTERS.items():
                made = image.resize((new_width, new_height), resample, box)
                print(channels, width, height, name, *box, new_width, new_height, zlib.crc32(made.tobytes()))


if __name__ == "__main__":
    main()
