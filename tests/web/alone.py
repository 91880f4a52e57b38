"""Parts of page_in_a_browser.py: a panel alone (?embed=), and links that name what is not there."""
import json
import time

from goldens import SIDE, differences
from page import HERE, check


def embedded(page):
    """Whatever is pressed, the panel stays alone, and it steps."""
    page.begin(width=640, height=480, link="?embed=banks#show/interleaved_contiguous?stride=8")
    check(page.text("page_variant") == "interleaved_contiguous", "the embedded page follows its link")
    time.sleep(1)
    page.picture("embedded")
    before = page.seen()
    for key, code, number, modifiers in (("Escape", "Escape", 27, 0), ("e", "KeyE", 69, 0), ("p", "KeyP", 80, 0), ("g", "KeyG", 71, 0),
                                         ("c", "KeyC", 67, 0), ("m", "KeyM", 77, 0), ("d", "KeyD", 68, 0),
                                         ("1", "Digit1", 49, 0), ("4", "Digit4", 52, 0), ("t", "KeyT", 84, 0), ("F1", "F1", 112, 0),
                                         ("F2", "F2", 113, 0), ("F4", "F4", 115, 0), ("F6", "F6", 117, 0), ("p", "KeyP", 80, 2),
                                         ("o", "KeyO", 79, 2)):
        page.key(key, code, number, key if len(key) == 1 and not modifiers else None, modifiers)
        time.sleep(0.3)
        check(page.seen() == before, f"{key} with modifiers {modifiers} changes the panel")
    names = [each["name"] for each in json.loads(page.text("page_commands"))]
    check("Step forward" in names and not {"End Present", "Explore", "Command palette", "Switch theme"} & set(names), f"commands: {names}")
    page.right()
    page.wait("stridescope._page_round() === 5", 10)

    page.value("location.hash = '#compare/sequential/warp_shuffle'; 0")
    page.wait("stridescope.ccall('page_message', 'string', [], []).includes('A panel alone shows one run')", 10)
    page.value("location.hash = '#show/sequential?stride=8&panel=lanes'; 0")
    page.wait("stridescope.ccall('page_variant', 'string', [], []) === 'sequential' && stridescope.ccall('page_message', 'string', [], []) === ''", 20)
    page.settle()
    time.sleep(1)
    after = page.seen()
    page.begin(width=640, height=480, link="?embed=banks#show/sequential?stride=8")
    time.sleep(1)
    check(differences(page, page.seen(), after, SIDE)["beyond"] < 0.001, "a link's panel comes in the place of the one that is embedded")
    page.begin(link="?embed=ladder")
    page.wait("stridescope.ccall('page_message', 'string', [], []).includes('cannot stand alone')", 10)


def embedded_without_tour(page):
    """A panel alone has no place for a tour, and says so; what it shows stays."""
    tour = (HERE.parents[1] / "assets/tours/lecture.md").read_bytes()
    said = "stridescope.ccall('page_message', 'string', [], []).startsWith('A panel alone shows no tour')"
    page.begin(width=640, height=480, link="?embed=banks#show/sequential?stride=8")
    page.give_file("week3.md", tour)
    page.wait(said, 10)
    page.begin(width=640, height=480, link="?embed=banks&tour=ours/tours/lecture.md#show/sequential?stride=8")
    page.wait(said, 10)
    page.picture("embedded_without_tour")
    check(page.text("page_tour") == "" and page.text("page_variant") == "sequential", f"{page.text('page_variant')}, {page.text('page_tour')}")


def embedded_keeps_nothing(page):
    page.forget()
    page.begin(link="#show/warp_shuffle")
    time.sleep(2.5)  # what is kept is kept a moment later
    page.begin(width=640, height=480, link="?embed=banks")
    check(page.text("page_variant") == "interleaved_contiguous", "an embedded page is not the same for everybody: " + page.text("page_variant"))
    page.value("location.hash = '#show/sequential'; 0")
    page.wait("stridescope.ccall('page_variant', 'string', [], []) === 'sequential'", 20)
    page.settle()
    time.sleep(2.5)
    page.begin()
    check(page.text("page_variant") == "warp_shuffle", "an embedded page has changed what the whole one keeps: " + page.text("page_variant"))


def missing_round(page):
    """A link that names a round that is not there says so."""
    page.begin(link="#show/sequential?round=999")
    page.wait("stridescope.ccall('page_remark', 'string', [], []).startsWith('This run has no round 999; its last one is ')", 10)
    last = page.round()
    check(page.text("page_remark").endswith(f" {last}."), page.text("page_remark"))
    page.value(f"location.hash = '#show/sequential?round={last}'; 0")
    page.wait("stridescope.ccall('page_remark', 'string', [], []) === ''", 10)


PARTS = [embedded, embedded_without_tour, embedded_keeps_nothing, missing_round]
