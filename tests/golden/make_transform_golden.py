#!/usr/bin/env python3
"""Writes what torchvision makes of small images, for tests/actors/augmenter to compare with.

    /usr/bin/python3 tests/golden/make_transform_golden.py        # torchvision 0.14.1, Pillow 9.4 (Debian 12)

Each file of tests/golden/transforms/ holds cases: a line `case NAME CHANNELS HEIGHT WIDTH BITS OUT_HEIGHT OUT_WIDTH NUMBERS...`
(the parameters), then the resulting pixels, interleaved, in hexadecimal. Both sides compute the pixels that go in by the
same formula.
"""

import pathlib

import numpy
import torch
import torchvision
from PIL import Image
from torchvision.transforms import InterpolationMode
from torchvision.transforms import autoaugment
from torchvision.transforms import functional as F

FOLDER = pathlib.Path(__file__).parent / "transforms"
MODES = [InterpolationMode.NEAREST, InterpolationMode.BILINEAR, InterpolationMode.BICUBIC]


def pattern(channels, height, width, bits=8):
    """Smooth waves with some noise, [H, W, C]; the same as pattern_image() in the C++ test."""
    y, x, c = numpy.meshgrid(numpy.arange(height), numpy.arange(width), numpy.arange(channels), indexing="ij")
    noise = (x * 7919 + y * 104729 + c * 1299709 + x * y * 31) % 41
    value = (x * (9 + 4 * c) + y * (7 - 2 * c) + 50 * c + 3 * noise) % 511
    value = numpy.where(value > 255, 510 - value, value)
    return value.astype(numpy.uint8) if bits == 8 else (value * 257 - value // 3).astype(numpy.int32)


def to_tensor(pixels):
    return torch.from_numpy(pixels).permute(2, 0, 1).contiguous()


class Writer:
    def __init__(self, name):
        self.path = FOLDER / f"{name}.txt"
        self.lines = [f"# torchvision {torchvision.__version__}, Pillow {Image.__version__}: make_transform_golden.py"]

    def add(self, name, pixels, result, numbers=(), bits=8):
        if isinstance(result, torch.Tensor):
            result = result.permute(1, 2, 0).numpy()
        result = numpy.asarray(result)
        height, width, channels = pixels.shape
        numbers = " ".join(repr(float(x)) for x in numbers)
        self.lines.append(f"case {name} {channels} {height} {width} {bits} {result.shape[0]} {result.shape[1]} {numbers}")
        self.lines.append(numpy.ascontiguousarray(result).astype(">u2" if bits == 16 else "u1").tobytes().hex())

    def close(self):
        self.path.write_text("\n".join(self.lines) + "\n")


def colours():
    out = Writer("colours")
    for channels in (1, 3):
        pixels = pattern(channels, 12, 16)
        tensor = to_tensor(pixels)
        for name, change in (("brightness", F.adjust_brightness), ("contrast", F.adjust_contrast),
                             ("saturation", F.adjust_saturation)):
            for factor in (0.0, 0.37, 1.0, 1.6):
                out.add(name, pixels, change(tensor, factor), [factor])
        for turns in (-0.5, -0.123, 0.0, 0.05, 0.4):
            out.add("hue", pixels, F.adjust_hue(tensor, turns), [turns])
        out.add("grayscale", pixels, F.rgb_to_grayscale(tensor, channels))
    out.close()


def tones():
    out = Writer("tones")
    for channels in (1, 3):
        for height, width in ((12, 16), (24, 20)):
            pixels = pattern(channels, height, width)
            if height == 12:
                pixels = (pixels // 2 + 40).astype(numpy.uint8)
            name = "" if height == 24 else "half_"
            tensor = to_tensor(pixels)
            out.add(name + "autocontrast", pixels, F.autocontrast(tensor))
            out.add(name + "equalize", pixels, F.equalize(tensor))
        pixels = pattern(channels, 12, 16)
        tensor = to_tensor(pixels)
        for bits in (0, 2, 5, 8):
            out.add("posterize", pixels, F.posterize(tensor, bits), [bits])
        for threshold in (0.0, 127.5, 200.0, 255.0):
            out.add("solarize", pixels, F.solarize(tensor, threshold), [threshold])
        for factor in (0.0, 0.5, 1.9):
            out.add("sharpness", pixels, F.adjust_sharpness(tensor, factor), [factor])
    out.add("sharpness", pixels[:2], F.adjust_sharpness(to_tensor(pixels[:2]), 0.0), [0.0])
    out.close()


def geometry():
    """Numbers: degrees, translate x y, scale, shear x y, filter, fill; of `rotate`: degrees, expand, filter, fill."""
    out = Writer("geometry")
    for channels, bits in ((3, 8), (1, 16)):
        pixels = pattern(channels, 12, 10, bits)
        tensor = to_tensor(pixels)
        for mode in (0, 1):
            for fill in (0.0, 77.0):
                for degrees, move, scale, shear in ((30, (0, 0), 1, (0, 0)), (0, (3, -2), 1, (0, 0)),
                                                    (-17.3, (1, 2), 1.3, (0, 0)), (5, (0, 0), 0.7, (20, -11))):
                    result = F.affine(tensor, degrees, list(move), scale, list(shear), MODES[mode], [fill] * channels)
                    out.add("affine", pixels, result, [degrees, *move, scale, *shear, mode, fill], bits)
                for degrees, expand in ((13.7, 0), (13.7, 1), (-90, 1), (180, 0)):
                    result = F.rotate(tensor, degrees, MODES[mode], bool(expand), fill=[fill] * channels)
                    out.add("rotate", pixels, result, [degrees, expand, mode, fill], bits)
    out.close()


def blurs():
    out = Writer("blurs")
    for channels, bits in ((1, 8), (3, 8), (3, 16)):
        pixels = pattern(channels, 12, 16, bits)
        tensor = to_tensor(pixels).to(torch.float64 if bits == 16 else torch.uint8)
        for width, height, sigma in ((3, 3, 0.1), (5, 9, 1.3), (23, 23, 2.0)):
            result = F.gaussian_blur(tensor, [width, height], [sigma, sigma])
            out.add("blur", pixels, torch.round(result.float()).int(), [width, height, sigma], bits)
    out.close()


def sizes():
    """Resizes of PIL images, with antialiasing; crops. Numbers: size, filter, max_size."""
    out = Writer("sizes")
    for channels in (1, 3):
        for height, width in ((16, 21), (19, 12)):
            pixels = pattern(channels, height, width)
            image = Image.fromarray(pixels[..., 0] if channels == 1 else pixels)
            for mode in (0, 1, 2):
                for size, max_size in (([7], 0), ([11], 13), ([13, 17], 0), ([25], 0)):
                    if len(size) > 1 or mode == 1:
                        result = F.resize(image, size, MODES[mode], max_size or None)
                        out.add(f"resize{len(size)}", pixels, result, [*size, mode, max_size])
        for size in ((8, 8), (7, 10), (22, 9), (20, 25)):
            out.add("center_crop", pixels, F.center_crop(to_tensor(pixels), list(size)), size)
    out.add("hflip", pixels, F.hflip(to_tensor(pixels)))
    out.add("vflip", pixels, F.vflip(to_tensor(pixels)))
    out.close()


def augmentations():
    """The magnitudes (policy, number of bins, operation, signed, values) of all operations,
    and every operation on an image. Numbers: operation, magnitude."""
    wide = autoaugment.TrivialAugmentWide()
    rand = autoaugment.RandAugment()
    lines = []
    for title, space in (("wide 31", wide._augmentation_space(31)), ("wide 8", wide._augmentation_space(8)),
                         ("rand 10", rand._augmentation_space(10, (200, 333)))):
        for index, (magnitudes, signed) in enumerate(space.values()):
            values = magnitudes.tolist() if magnitudes.ndim else []
            lines.append(f"{title} {index} {int(signed)} " + " ".join(f"{x:.9g}" for x in values))
    (FOLDER / "magnitudes.txt").write_text("\n".join(lines) + "\n")
    out = Writer("augmentations")
    pixels = pattern(3, 11, 8)
    for index, (name, (magnitudes, signed)) in enumerate(wide._augmentation_space(31).items()):
        chosen = [magnitudes[i].item() for i in (0, 11, 30)] if magnitudes.ndim else [0.0]
        for magnitude in chosen + ([-chosen[1]] if signed else []):
            result = autoaugment._apply_op(to_tensor(pixels), name, magnitude, InterpolationMode.NEAREST, [9.0] * 3)
            out.add("op", pixels, result, [index, magnitude])
    out.close()


def main():
    FOLDER.mkdir(exist_ok=True)
    for write in (colours, tones, geometry, blurs, sizes, augmentations):
        write()


if __name__ == "__main__":
    main()
