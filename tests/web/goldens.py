"""The page's pictures beside those of the program on this machine, both drawn by software."""
import base64
import json
import pathlib
import subprocess
import tempfile

from page import check

# What is compared, in any page: both pictures' pixels; how many differ by more than a step of their colours; and the
# greatest difference of the mean colours of squares, which a letter that lies half a pixel elsewhere hardly changes.
COMPARE = """(async () => {
  const pixelsOf = async base64 => {
    const bytes = Uint8Array.from(atob(base64), each => each.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    return context.getImageData(0, 0, picture.width, picture.height);
  };
  const [ours, theirs] = [await pixelsOf(<ours>), await pixelsOf(<theirs>)];
  const { width, height } = ours;
  if (theirs.width !== width || theirs.height !== height) return { sizes: [width, height, theirs.width, theirs.height] };
  let beyond = 0, sum = 0;
  const side = <side>, columns = Math.ceil(width / side), squares = new Float64Array(3 * columns * Math.ceil(height / side));
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      let greatest = 0;
      for (let channel = 0; channel < 3; ++channel) {
        const at = 4 * (y * width + x) + channel, difference = ours.data[at] - theirs.data[at];
        greatest = Math.max(greatest, Math.abs(difference));
        squares[3 * (Math.floor(y / side) * columns + Math.floor(x / side)) + channel] += difference;
      }
      sum += greatest;
      if (greatest > <step>) ++beyond;
    }
  }
  let square = 0, where = null;
  squares.forEach((total, at) => {
    const mean = Math.abs(total) / side / side;
    if (mean > square) [square, where] = [mean, [Math.floor(at / 3) % columns * side, Math.floor(Math.floor(at / 3) / columns) * side]];
  });
  return { beyond: beyond / width / height, mean: sum / width / height, square, where };
})()"""
STEP = 24
# The side of the squares, and what may differ: both lay out alike, pixel by pixel, and only what the two rasterizers make of
# slanted edges differs: less than 2 of 255 in a square. Another digit changes some 40 of the 256 pixels of a square by 100
# and more, 15 in the mean: 6 lies between.
SIDE, MOST_OF_A_SQUARE, MOST_BEYOND = 16, 6, 0.001


def differences(page, ours, theirs, side):
    page.value("delete window.found; 0")
    script = COMPARE
    for name, value in (("<ours>", ours), ("<theirs>", theirs), ("<side>", side), ("<step>", STEP)):
        script = script.replace(name, json.dumps(value))
    page.value(f"{script}.then(found => {{ window.found = found; }}, error => {{ window.found = {{ error: String(error) }}; }}); 0")
    page.wait("window.found !== undefined", 60)
    return page.value("found")


def of_program(page, link_variant, round_number, width, height, scale):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "shot.png")
        subprocess.run([page.native, "shot", file, "--variant", link_variant, "--round", str(round_number), "--engine", "host",
                        "--size", f"{width * scale}x{height * scale}", "--scale", str(scale)], check=True, capture_output=True,
                       timeout=120)
        data = file.read_bytes()
    if page.pictures:
        pathlib.Path(page.pictures, f"program_{link_variant}_{width}x{height}.png").write_bytes(data)
    return base64.b64encode(data).decode()


def beside_the_program(page):
    for width, height, scale in ((1280, 720, 1), (820, 1180, 2)):
        for variant, number in (("interleaved_contiguous", 4), ("sequential", 2), ("warp_shuffle", 3)):
            page.forget()  # the tabs that were in front
            # The recordings come first: what was laid out without them may be scrolled otherwise.
            page.begin(width=width, height=height, scale=scale, link="#show/warm_up")
            page.settle_measured()
            page.value(f"location.hash = '#show/{variant}?round={number}'; 0")
            page.wait(f"stridescope.ccall('page_variant', 'string', [], []) == '{variant}' && stridescope._page_round() == {number}", 20)
            page.settle_measured()
            # `shot` leaves out what only helps a person who points and presses keys.
            page.value("stridescope._page_draw_for_picture(); stridescope._page_frame(); 0")
            page.settle()
            page.picture(f"page_{variant}_{width}x{height}")
            found = differences(page, page.seen(), of_program(page, variant, number, width, height, scale), SIDE)
            told = f"{variant} at {width}x{height}, density {scale}: {json.dumps(found)}"
            print(told, flush=True)
            check("square" in found and found["square"] <= MOST_OF_A_SQUARE and found["beyond"] <= MOST_BEYOND, told)


PARTS = [beside_the_program]
