"""Recordings, tours and links that were changed, given to the page: it lives, and answers."""
import json
import pathlib
import tempfile
import urllib.parse

import mutate_recordings
from page import check

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RECORDINGS, TEXTS = 120, 120
LINKS = ["show/sequential?stride=8&panel=banks&ring=thread:5", "predict/active?stride=8", "compare/interleaved_contiguous/sequential",
         "show/k_way_merge?round=2&launch=0&pass=1", "show/sequential?threads=128&type=float&op=*&schedule=warps"]
TOKENS = ["", "%", "%zz", "%00", "%e2%80%ae", "&", "=", "?", "/", "#", "../", "x" * 3000, "99999999999999999999", "-1", "nan", "\u202e", "\x1b[31m",
          "<script>", "show/", "ring=", "stride=", "\0", "```", "[a](show/", "](", "---", "# ", "- " * 200, "> " * 200, "*" * 400]


def changed(text, dice, other):
    """A text with one to four changes."""
    for _ in range(1 + dice.below(4)):
        at = dice.below(len(text) + 1)
        to = min(len(text), at + dice.below(12))
        text = dice.one_of([
            lambda: text[:at] + dice.one_of(TOKENS) + text[at:],
            lambda: text[:at] + text[to:],
            lambda: text[:at],
            lambda: text[:to] + text[at:],
            lambda: text[:at] + chr(dice.below(256)) + text[at + 1:],
            lambda: text[:at] + other[dice.below(len(other) + 1):],
        ])()
    return text


def expect_alive(page, what):
    """It draws, answers, and says nothing of an end of its own."""
    try:
        page.wait("document.hidden || (stridescope._page_frame(), true)", 30)
        page.wait("stridescope._page_is_settled() == 1 || stridescope.ccall('page_message', 'string', [], []) != ''", 30)
    except Exception as error:
        raise AssertionError(f"{what}: {error}") from error
    check(page.value("document.getElementById('status').hidden"), f"{what}: the page has ended")


def hostile_recordings(page):
    told = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        dice = mutate_recordings.Dice(7)
        bases = mutate_recordings.bases(page.native, folder)
        page.begin()
        for number, mutant in enumerate(mutate_recordings.plan(bases, dice)[:RECORDINGS]):
            file = folder / "mutant.stride"
            mutate_recordings.make_mutant(bases[mutant[0]], mutant, file, mutate_recordings.Dice(number))
            page.value("stridescope._page_give !== undefined")
            page.give_file(f"mutant{number}.stride", file.read_bytes())
            expect_alive(page, f"mutant {number}: {mutant}")
            told += page.text("page_message") != ""
    check(told > 0, "no changed recording was refused")
    print(f"{RECORDINGS} changed recordings, after {told} of which the page had something to say")


def hostile_tours(page):
    tours = [path.read_text() for path in sorted((SOURCE / "assets/tours").glob("*.md"))]
    tours += [path.read_bytes().decode("latin-1") for path in sorted((SOURCE / "tests/fuzz/corpus/tour").iterdir())]
    dice = mutate_recordings.Dice(11)
    page.begin()
    for number in range(TEXTS):
        text = changed(dice.one_of(tours), dice, dice.one_of(tours))
        page.give_file(f"mutant{number}.md", text.encode("latin-1", "replace"))
        expect_alive(page, f"tour {number}: {text[:200]!r}")
    print(f"{TEXTS} changed tours")


def hostile_links(page):
    dice = mutate_recordings.Dice(13)
    page.begin()
    for number in range(TEXTS):
        text = changed(dice.one_of(LINKS), dice, dice.one_of(LINKS))
        quoted = text if dice.below(2) == 0 else urllib.parse.quote(text)
        page.value(f"location.hash = {json.dumps('#' + quoted)}; 0")
        expect_alive(page, f"link {number}: {quoted[:200]!r}")
    for link in ("#%", "?tour=http://[&recording=%zz#%e2", "?embed=%00%ff#show/%"):
        page.begin(link=link)
        expect_alive(page, link)
    print(f"{TEXTS} changed links")


PARTS = [hostile_recordings, hostile_tours, hostile_links]
