"""page_in_a_browser.py TWO ASKS: what a person does on the page, and what comes of it. TWO has two variants of the ladder,
ASKS one with a question before each step."""
import sys
import time

import browser

PLACE = "document.getElementById('place').textContent"
LIVE = "document.getElementById('live').textContent"
SHOWN = "[...document.querySelectorAll('.step')].filter(e => e.getClientRects().length).map(e => e.id).join()"
CAPTION = "document.querySelector('.step.now .caption').textContent"
SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PICTURE = "document.querySelector('.step.now .first img').currentSrc.length"

failed = 0


def expect(what, found, wanted):
    global failed
    if found == wanted or (callable(wanted) and wanted(found)):
        return
    failed += 1
    print(f"FAILED: {what}: {found!r}" + ("" if callable(wanted) else f", not {wanted!r}"))


# What is shown after a gesture, which a busy machine takes a moment for.
def shown_after(page, wanted):
    for _ in range(50):
        if page.value(SHOWN) == wanted:
            break
        time.sleep(0.1)
    return page.value(SHOWN)


def steps_by_keys(page, two):
    page.open(two)
    expect("at first", page.value(SHOWN), "at-v0s0")
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("PageDown", 2), ("End", 9),
                      ("ArrowRight", 9), ("Home", 0), ("ArrowLeft", 0)]:
        page.press(key)
        expect(f"after {key}", page.value(SHOWN), f"at-v0s{step}")
    for _ in range(4):
        page.press("ArrowRight")
    expect("the place", page.value(PLACE), "5 of 10 \u00b7 Stride 8")
    expect("what a screen reader is told", page.value(LIVE), lambda text: text.startswith("Stride 8. Stride 8: ")
           and "8-way bank conflict" in text)
    expect("the address", page.value("location.hash"), "#v0s4")
    page.press("ArrowRight", modifiers=1)  # Alt is the browser's own
    expect("with Alt", page.value(SHOWN), "at-v0s4")
    page.value("document.querySelector('.step.now pre').focus()")
    page.press("ArrowRight")
    expect("in the source, which scrolls", page.value(SHOWN), "at-v0s4")
    page.click("#next")
    expect("a click on Next", page.value(SHOWN), "at-v0s5")
    page.press("Enter")
    expect("Enter on Next", page.value(SHOWN), "at-v0s6")
    page.value("document.getElementById('scrub').focus()")
    page.press("ArrowLeft")
    expect("Left on the slider", page.value(SHOWN), "at-v0s5")


def reads_well(page, two):
    tree = page.tell("Accessibility.getFullAXTree")["nodes"]
    roles = {}
    for node in tree:
        if not node.get("ignored"):
            name = node.get("name", {}).get("value", "")
            roles.setdefault(node["role"]["value"], []).append(name)
    expect("pictures by name", roles.get("image", roles.get("img", [])),
           lambda names: len(names) == 4 and all(names) and "Active: threads 0 to 7." in names[0])
    expect("buttons by name", roles.get("button", []), lambda names: {"Back", "Next"} <= set(names) and all(names))
    expect("the slider by name", roles.get("slider", []), ["Step"])
    expect("headings", roles.get("heading", []), lambda names: any(n.startswith("Stride 16") for n in names))


def two_variants(page, two):
    page.open(two)
    for _ in range(4):
        page.press("ArrowRight")
    page.click(".show:nth-of-type(2)")
    expect("the other variant at the same round", page.value(SHOWN), "at-v1s4")
    page.click("#compare")
    expect("both over each other", page.value(SHOWN), "")
    pair = "document.getElementById('leftcaption').textContent + '|' + document.getElementById('rightcaption').textContent"
    expect("their captions", page.value(pair), lambda text: text.startswith("Left: sequential, Stride 16Stride 16: ")
           and "|Right: interleaved, contiguous, Stride 8Stride 8: " in text)
    page.value("document.getElementById('divider').focus()")
    for _ in range(10):
        page.press("ArrowRight")
    clip = "document.querySelector('.over').style.clipPath"
    expect("the slider by keys", page.value(clip), "inset(0px 40% 0px 0px)")
    box = page.value("(() => { const r = document.querySelector('.stack').getBoundingClientRect();"
                     " return [r.x, r.y, r.width, r.height]; })()")
    for kind, share in (("mousePressed", .5), ("mouseMoved", .25), ("mouseReleased", .25)):
        page.tell("Input.dispatchMouseEvent", type=kind, x=box[0] + box[2] * share, y=box[1] + box[3] / 2,
                  button="left", buttons=0 if kind == "mouseReleased" else 1, clickCount=1)
    expect("the slider by a drag over the picture", page.value(clip), "inset(0px 75% 0px 0px)")
    page.value("document.activeElement.blur()")
    page.press("ArrowRight")
    expect("stepping both", page.value(pair), lambda text: "sequential, Stride 8" in text and "contiguous, Stride 16" in text)
    page.value("(() => { const s = document.getElementById('same'); s.value = 'name'; s.dispatchEvent(new Event('change')); })()")
    expect("the same stride", page.value(pair), lambda text: "sequential, Stride 8" in text and "contiguous, Stride 8" in text)


def asks(page, path):
    page.open(path)
    answer = "document.querySelector('.step.now .answer').getClientRects().length > 0"
    expect("hidden until it is revealed", page.value(answer), False)
    expect("a screen reader hears the question", page.value(LIVE + " || document.querySelector('.ask').textContent"),
           lambda text: "Which warps are partial?" in text)
    whole = "document.querySelector('.variant.now .whole').getClientRects().length > 0"
    expect("what tells of all rounds is hidden, too", page.value(whole), False)
    page.press("ArrowRight")
    expect("Right reveals", (page.value(answer), page.value(SHOWN)), (True, "at-v0s0"))
    expect("and tells", page.value(LIVE), lambda text: "Load" in text)
    page.press("ArrowRight")
    expect("then it steps", (page.value(answer), page.value(SHOWN)), (False, "at-v0s1"))
    expect("what was before stands below the question",
           page.value("document.querySelectorAll('.step.now .before img').length"), 1)
    page.click(".step.now .choice:not([data-right])")
    page.click(".step.now .reveal")
    expect("the verdict", page.value("[...document.querySelectorAll('.step.now .verdict')].map(e => e.textContent)"
                                     ".join('|')"),
           lambda text: "\u2713 right" in text and "\u2715 your answer" in text)
    # From a question to the next one: a picture that was shown before a question is not the round's own.
    page.press("ArrowRight")
    page.press("ArrowRight")
    before = ("(() => { const now = document.querySelector('.step.now'), last = now.previousElementSibling;"
              " return now.querySelector('.before source, .before img').outerHTML =="
              " last.querySelector('.pictures source, .pictures img').outerHTML; })()")
    expect("before it is the picture of the round before", (page.value(SHOWN), page.value(before)), ("at-v0s2", True))
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    expect("what was revealed stays so", page.value(answer), True)
    for _ in range(20):
        page.press("ArrowRight")
    expect("at the end all is told", page.value(whole), True)


def compares_what_is_revealed(page, both):
    page.open(both)
    page.press("End")
    page.click("#compare")
    captions = "document.querySelector('.captions').textContent"
    expect("two that were not revealed tell nothing", page.value(captions),
           lambda text: text.count("Hidden until you answer") == 2 and "writes" not in text)
    expect("and show nothing", page.value("document.querySelectorAll('.stack img').length"), 0)


# Each line of the source is one line, whatever the screen: the box scrolls, and the page does not.
def breaks_no_line(page, two):
    lines = ("(() => { const pre = document.querySelector('.step.now .source pre'), style = getComputedStyle(pre);"
             " const inner = pre.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);"
             " return [Math.round(inner / parseFloat(style.lineHeight)), pre.textContent.trimEnd().split('\\n').length,"
             " style.overflowX, pre.scrollWidth > pre.clientWidth]; })()")
    for width, scrolls in ((360, True), (700, None), (1180, True), (1366, None)):
        page.open(two, width, 740, 1)
        for _ in range(4):
            page.press("ArrowRight")
        expect(f"lines of the source at {width}", page.value(lines),
               lambda found: found[0] == found[1] and found[2] == "auto" and scrolls in (None, found[3]))
        expect(f"no sideways scrolling at {width}", page.value(SIDEWAYS), False)


def on_a_phone(page, two):
    for theme in ("light", "dark"):
        page.open(two, 360, 740, 3, touch=True, media=[("prefers-color-scheme", theme)])
        expect("no sideways scrolling", page.value(SIDEWAYS), False)
        for step in (1, 2):
            page.swipe(300, 60)
            expect("a swipe to the left", shown_after(page, f"at-v0s{step}"), f"at-v0s{step}")
        page.swipe(60, 300)
        expect("a swipe to the right", shown_after(page, "at-v0s1"), "at-v0s1")
        page.swipe(180, 170, y=500, to_y=200)
        expect("a scroll is no swipe", page.value(SHOWN), "at-v0s1")
        size = page.value("(() => { const r = document.querySelector('.step.now .first img').getBoundingClientRect();"
                          " return [r.width, r.left >= 0, r.right <= 360]; })()")
        expect("the picture for phones", size, lambda s: 300 < s[0] <= 360 and s[1] and s[2])
        width = "document.querySelector('.step.now .first img').getBoundingClientRect().width"
        for _ in range(10):  # the scroll may go on for a while, and a click then misses
            time.sleep(0.5)
            page.value("window.scrollTo(0, 0)")
            page.click(".step.now .first .enlarge")
            time.sleep(0.5)
            if page.value(width) > 600:
                break
        expect("enlarged", page.value(width), lambda found: found > 600)
        expect("still no sideways scrolling", page.value(SIDEWAYS), False)
        page.click("#compare")
        expect("none where two are compared", page.value(SIDEWAYS), False)
    page.open(two, 360, 740, 3, touch=True, media=[("prefers-color-scheme", "light")])
    light = page.value("[getComputedStyle(document.body).backgroundColor, " + PICTURE + "]")
    page.open(two, 360, 740, 3, touch=True, media=[("prefers-color-scheme", "dark")])
    dark = page.value("[getComputedStyle(document.body).backgroundColor, " + PICTURE + "]")
    expect("page and pictures follow the reader's theme", light, lambda one: one[0] != dark[0] and one[1] != dark[1])


# Where letters are 1.5 times as large, a window has room for less side by side.
def for_a_projector(page, presented):
    places = ("(() => { const box = s => document.querySelector(s).getBoundingClientRect();"
              " return [box('.step.now .source').width, box('.step.now h3').x, box('#back').x]; })()")
    for width in (1024, 1280, 1366, 1600, 1920, 2560):
        page.open(presented, width, 800)
        expect(f"wider than a window of {width}", page.value(SIDEWAYS), False)
        expect(f"source and left edges in a window of {width}", page.value(places),
               lambda found: found[0] > 380 and abs(found[1] - found[2]) < 8)


def main():
    two, asking, both, presented = sys.argv[1:5]
    page = browser.Browser(browser.find())
    try:
        steps_by_keys(page, two)
        reads_well(page, two)
        two_variants(page, two)
        asks(page, asking)
        compares_what_is_revealed(page, both)
        breaks_no_line(page, two)
        on_a_phone(page, two)
        for_a_projector(page, presented)
        expect("complaints", page.complaints(), [])
        expect("requests", page.requests(), [])
    finally:
        page.close()
    print("FAILED" if failed else "as a person would have it")
    sys.exit(1 if failed else 0)


main()
