"""Writes small images of all kinds with the standard library alone."""

import struct
import zlib

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6  # Colour types of PNG.
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}

COLOURS = {
    "blue": (30, 40, 220),
    "cyan": (20, 220, 230),
    "green": (30, 210, 40),
    "magenta": (220, 30, 210),
    "red": (220, 30, 40),
    "yellow": (230, 220, 20),
}


def png_chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png_file(width, height, colour_type, bits, packed, palette=b""):
    """A PNG file of rows, each of which begins with its filter, that are compressed already."""
    header = struct.pack(">IIBBBBB", width, height, bits, colour_type, 0, 0, 0)
    colours = png_chunk(b"PLTE", palette) if palette else b""
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + png_chunk(b"IHDR", header) + colours + png_chunk(b"IDAT", packed) + png_chunk(b"IEND", b"")


def png(pixels, colour_type=RGB, bits=8, palette=b""):
    """A PNG file of rows of pixels, each a tuple of values; 8 or 16 bits per value."""
    form = ">{}H" if bits == 16 else "{}B"
    rows = []
    for row in pixels:
        values = [value for pixel in row for value in pixel]
        rows.append(b"\0" + struct.pack(form.format(len(values)), *values))
    return png_file(len(pixels[0]), len(pixels), colour_type, bits, zlib.compress(b"".join(rows)), palette)


def flat(colour, side=20):
    """Rows of pixels of one colour."""
    return [[tuple(colour)] * side] * side


def flat_png(colour, side=20):
    return png(flat(colour, side))


def ppm(colour, side=20):
    return b"P6\n%d %d\n255\n" % (side, side) + bytes(colour) * (side * side)


def shade(colour, number):
    """A colour near `colour`, another one for each number below 20."""
    return tuple(min(255, max(0, value - 10 + number)) for value in colour)


def gradient_png(number, side=32):
    """No two crops of it are alike."""
    return png([[((5 * x + 11 * number) % 256, 7 * y, 3 * (x + y)) for x in range(side)] for y in range(side)])


def kinds(colour):
    """File name -> the colour as an image file of each kind that has colours."""
    wide = tuple(257 * value for value in colour)
    index = [[(1,)] * 20] * 20
    return {
        "rgb.png": flat_png(colour),
        "rgba.png": png(flat((*colour, 255)), RGBA),
        "palette.png": png(index, PALETTE, palette=bytes((0, 0, 0, *colour))),
        "rgb16.png": png(flat(wide), RGB, bits=16),
        "rgba16.png": png(flat((*wide, 65535)), RGBA, bits=16),
        "binary.ppm": ppm(colour),
    }


def grey_kinds(value):
    """File name -> a grey as an image file of each kind that has no colours, and of one that has."""
    return {
        "grey.png": png(flat((value,)), GREY),
        "grey_alpha.png": png(flat((value, 255)), GREY_ALPHA),
        "grey16.png": png(flat((257 * value,)), GREY, bits=16),
        "grey_alpha16.png": png(flat((257 * value, 65535)), GREY_ALPHA, bits=16),
        "grey.pgm": b"P5\n20 20\n255\n" + bytes([value]) * 400,
        "rgb.png": flat_png((value, value, value)),
    }


def bomb_png(side):
    """A black image of one bit per pixel, whose file is a thousandth of its size and less."""
    packer, packed = zlib.compressobj(9), []
    row = bytes(1 + (side + 7) // 8)
    for _ in range(side):
        packed.append(packer.compress(row))
    packed.append(packer.flush())
    return png_file(side, side, GREY, 1, b"".join(packed))
