"""Parts of page_in_a_browser.py: Compare and Present by their keys."""
import json
import time

from page import check


def variant(page, expected):
    page.wait(f"stridescope.ccall('page_variant', 'string', [], []) === '{expected}'", 20)
    page.settle()


def can_be_chosen(page, name, expected):
    commands = "JSON.parse(stridescope.ccall('page_commands', 'string', [], []))"
    page.wait(f"{commands}.some(each => each.name === {json.dumps(name)} && each.enabled) === {json.dumps(expected)}", 10)


def at_round(page, expected):
    page.wait(f"stridescope._page_round() === {expected}", 20)


def compared(page):
    """Two variants step together; the other side is chosen, gets another variant, and the sides are swapped."""
    page.begin(link="#compare/interleaved_contiguous/sequential")
    can_be_chosen(page, "Swap the sides", True)
    page.key("Home", "Home", 36)
    at_round(page, 0)
    for expected in range(1, 4):
        page.right()
        at_round(page, expected)
    page.picture("compared")
    page.key("o", "KeyO", 79, "o")
    variant(page, "sequential")
    check(page.round() == 3, f"the other side is at round {page.round()}")
    page.key("1", "Digit1", 49, "1")
    variant(page, "interleaved_modulo")
    page.key("o", "KeyO", 79, "o")
    variant(page, "interleaved_contiguous")
    before = page.seen()
    page.key("x", "KeyX", 88, "x")
    page.settle()
    check(page.seen() != before, "swapped sides look as before")
    page.picture("compared_and_swapped")
    page.key("e", "KeyE", 69, "e")
    can_be_chosen(page, "Swap the sides", False)
    check(page.text("page_message") == "", page.text("page_message"))


def presented(page):
    """A remote's keys step; the large map comes and goes; the screen goes black and comes back."""
    page.begin(link="#show/sequential?round=first")
    page.key("p", "KeyP", 80, "p")
    can_be_chosen(page, "End Present", True)
    for key, number, expected in (("PageDown", 34, 1), ("PageDown", 34, 2), ("PageUp", 33, 1)):
        page.key(key, key, number)
        at_round(page, expected)
    page.settle_measured()  # what the recordings have comes to rest a moment later
    keys = {each["name"]: each["keys"].split(" / ")[0] for each in json.loads(page.text("page_commands"))}
    page.picture("presented")
    for name in ("Large map", "Black screen"):
        key = keys[name]
        check(len(key) == 1, f"{name} has the key {key}")
        before = page.seen()
        for presses in (1, 2):
            page.key(key.lower(), "Key" + key if key.isalpha() else "", ord(key), key.lower())
            end = time.monotonic() + 10
            while (page.seen() == before) != (presses == 2):
                check(time.monotonic() < end, f"{name}: what is seen after {presses} presses of {key}")
                time.sleep(0.2)
    page.key("Escape", "Escape", 27)
    can_be_chosen(page, "End Present", False)


PARTS = [compared, presented]
