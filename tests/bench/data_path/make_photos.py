"""Makes the set of JPEG photos of the data path's figures: crops out of natural photos of Debian packages.

    tests/bench/data_path/make_photos.py --out DIR [--count 3000] [--seed 1] [--damage 64]

Ten class folders with as many photos each, about 500x375, 4:2:0, quality about 90, mean about 83 kB; crops without
detail are rejected. The same seed, sources and version of Pillow give the same files. DIR/set.json says what was made.
With --damage, DIR-damaged is the same set by hard links, but for so many files that are damaged; its set.json lists
them.
Needs python3-pil and the photos' packages: cmake/install_packages.sh bench. Installs nothing.
"""

import argparse
import io
import json
import os
import pathlib
import random
import shutil
import statistics
import sys

from PIL import Image, ImageChops, ImageFilter
from PIL import __version__ as pillow_version

INSTALL = "cmake/install_packages.sh bench"
MATE = "/usr/share/backgrounds/mate/nature/{}.jpg"  # mate-backgrounds
PLASMA = "/usr/share/wallpapers/{}/contents/images/2560x1600.jpg"  # plasma-workspace-wallpapers
LOMIRI = "/usr/share/backgrounds/{}.jpg"  # lomiri-wallpapers-16.04; Kleiber is of lomiri-wallpapers-20.04
SOURCES = {
    "animal": [(LOMIRI, ["Kleiber_by_Lukas_Baubkus", "friends_by_Aitzol_Berasategi"])],
    "field": [(MATE, ["Dune", "GreenMeadow"]), (PLASMA, ["OneStandsOut"])],
    "flower": [(MATE, ["Garden", "TwoWings", "YellowFlower"]),
               (LOMIRI, ["seeding_by_Clements_Engelhardt"])],
    "forest": [(PLASMA, ["Path"]), (LOMIRI, ["Dragonfly_by_Bolly", "life_by_Aitzol_Berasategi"])],
    "leaf": [(MATE, ["Blinds", "LadyBird", "RainDrops"]), (PLASMA, ["FallenLeaf"])],
    "mountain": [(LOMIRI, ["aitzgorri_by_Aitzol_Berasategi", "picosdeeuropa_by_Aitzol_Berasategi"])],
    "sky": [(MATE, ["Storm"]), (PLASMA, ["Kite"]), (LOMIRI, ["sunset_by_Aitzol_Berasategi"])],
    "still_life": [(PLASMA, ["ColorfulCups"]),
                   (LOMIRI, ["Picture_0B_by_freespace", "Picture_1A_by_freespace", "Wine_by_Jakkub_Mede"])],
    "structure": [(PLASMA, ["ColdRipple", "Grey"]),
                  (LOMIRI, ["Bridge_by_Sander_Klootwijk", "greentock_by_Peter_Nerlich"])],
    "water": [(MATE, ["Aqua"]), (PLASMA, ["BytheWater", "EveningGlow"])],
}

LARGEST_SOURCE = (2560, 2560)
LONG_SIDES, ASPECTS = (470, 530), (1.25, 1.42)
QUALITIES = (90, 93)
MIN_BYTES_PER_PIXEL = 0.34  # Less than that is a crop without detail.
MAX_TRIES = 500  # Crops for one photo until its class counts as flat all over.
# Wallpapers are smoother than what cameras make: the photos are sharpened as photo sites do, and get some grain.
SHARPEN = ImageFilter.UnsharpMask(radius=1, percent=110, threshold=0)
GRAIN = 8  # Largest change of the brightness.
DAMAGE = {
    "cut to 60 %": lambda data: data[: len(data) * 6 // 10],
    "cut by 1 byte": lambda data: data[:-1],
    "emptied": lambda data: b"",
    "text": lambda data: b"This is no photo, whatever its name says.\n" * 40,
}


def found_sources():
    """Class -> its photos that are installed, in a fixed order."""
    found = {}
    for name, groups in SOURCES.items():
        paths = [pathlib.Path(pattern.format(stem)) for pattern, stems in groups for stem in stems]
        found[name] = [path for path in paths if path.is_file()]
        if not found[name]:
            sys.exit(f"no source photo of the class {name} is installed (looked for {', '.join(map(str, paths))}); "
                     f"to install them: {INSTALL}")
    return found


def with_grain(image, draw):
    noise = Image.frombytes("L", image.size, draw.randbytes(image.width * image.height))
    noise = noise.point([value * 2 * GRAIN // 255 for value in range(256)])
    brightness, *colour = image.convert("YCbCr").split()
    return Image.merge("YCbCr", (ImageChops.add(brightness, noise, 1, -GRAIN), *colour))


def jpeg_of(image, draw):
    """One crop, of any scale between the photo's own and all of it, as the bytes of a JPEG file; and its size."""
    long_side = draw.randint(*LONG_SIDES)
    size = (long_side, round(long_side / draw.uniform(*ASPECTS)))
    most = min(image.width / size[0], image.height / size[1])
    scale = max(min(1.0, most), most * draw.uniform(0.3, 1.0))
    width, height = size[0] * scale, size[1] * scale
    left, top = draw.uniform(0, image.width - width), draw.uniform(0, image.height - height)
    box = (left, top, left + width, top + height)
    crop = image.resize(size, Image.Resampling.LANCZOS, box, reducing_gap=2).filter(SHARPEN)
    file = io.BytesIO()
    with_grain(crop, draw).save(file, "JPEG", quality=draw.randint(*QUALITIES), subsampling="4:2:0")
    return file.getvalue(), size


def detailed_jpeg(images, draw, name):
    for _ in range(MAX_TRIES):
        data, size = jpeg_of(draw.choice(images), draw)
        if len(data) >= MIN_BYTES_PER_PIXEL * size[0] * size[1]:
            return data, size
    sys.exit(f"{name}: none of {MAX_TRIES} crops has {MIN_BYTES_PER_PIXEL} bytes per pixel; its sources are too flat")


def make_class(folder, paths, count, seed):
    """Writes the photos of a class. Returns (bytes, size) of each."""
    folder.mkdir()
    images, made = [], []
    for path in paths:
        with Image.open(path) as opened:
            image = opened.convert("RGB")
        image.thumbnail(LARGEST_SOURCE)
        images.append(image)
    for index in range(count):
        data, size = detailed_jpeg(images, random.Random(f"{seed}/{folder.name}/{index}"), folder.name)
        (folder / f"{folder.name}_{index:04}.jpg").write_bytes(data)
        made.append((len(data), size))
    return made


def make_set(out, count, seed):
    sources = found_sources()
    if out.exists() and any(out.iterdir()):
        sys.exit(f"{out} is not empty; remove it or name another folder")
    out.mkdir(parents=True, exist_ok=True)
    made = []
    for number, (name, paths) in enumerate(sources.items()):
        share = count // len(sources) + (number < count % len(sources))
        made += make_class(out / name, paths, share, seed)
        print(f"{name}: {share} photos", flush=True)
    widths, heights = zip(*(size for _, size in made))
    write_description(out, {
        "count": count, "classes": sorted(sources), "seed": seed, "pillow": pillow_version,
        "mean_bytes": round(statistics.mean(num_bytes for num_bytes, _ in made)),
        "mean_size": [round(statistics.mean(widths)), round(statistics.mean(heights))],
        "widths": [min(widths), max(widths)], "heights": [min(heights), max(heights)],
        "sources": [str(path) for paths in sources.values() for path in paths],
    })


def write_description(folder, description):
    text = json.dumps(description, indent=2) + "\n"
    (folder / "set.json").write_text(text, encoding="ascii")
    width, height = description["mean_size"]
    print(f"{folder / 'set.json'}: {len(description.get('damaged', []))} damaged of {description['count']} photos, "
          f"mean {description['mean_bytes'] / 1000:.1f} kB, {width}x{height}")


def link(source, target):
    try:
        os.link(source, target)
    except OSError:  # A file system without hard links.
        shutil.copyfile(source, target)


def make_damaged(source, target, num_damaged, seed):
    if target.exists():
        sys.exit(f"{target} is there already; remove it")
    shutil.copytree(source, target, copy_function=link)
    (target / "set.json").unlink()
    files = sorted(target.glob("*/*.jpg"))
    damaged = {}
    for number, path in enumerate(sorted(random.Random(seed).sample(files, num_damaged))):
        kind = list(DAMAGE)[number % len(DAMAGE)]
        data = path.read_bytes()
        path.unlink()  # Else the file of the undamaged set would be written to.
        path.write_bytes(DAMAGE[kind](data))
        damaged[str(path.relative_to(target))] = kind
    description = json.loads((source / "set.json").read_text(encoding="ascii"))
    write_description(target, {**description, "damaged": damaged})


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of the set; new or empty")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--damage", type=int, default=0, metavar="N", help="make OUT-damaged as well, N files damaged")
    options = parser.parse_args()
    if not 0 <= options.damage <= options.count or options.count < len(SOURCES):
        parser.error(f"--count is at least {len(SOURCES)}, --damage between 0 and --count")
    return options


def main():
    options = parse_arguments()
    out = options.out.resolve()
    make_set(out, options.count, options.seed)
    if options.damage:
        make_damaged(out, out.with_name(out.name + "-damaged"), options.damage, options.seed)


if __name__ == "__main__":
    main()
