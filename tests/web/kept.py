"""Parts of page_in_a_browser.py: what is kept from one visit to the next, files that are dropped, and a run that is cancelled."""
import json
import time

from goldens import SIDE, differences
from page import HERE, check

SETTINGS, SCORE = "/home/web_user/.config/stridescope/settings.json", "/home/web_user/.local/share/stridescope/score.json"

PARTIAL_WARP, REVEAL = (832, 287), (826, 513)  # W0 of the second question, at 120 %
CANCEL = (945, 12)  # beside what is running, at 100 %; all at 1280x720


def file_of(page, path):
    return page.value(f"stridescope.FS.analyzePath('{path}').exists ? stridescope.FS.readFile('{path}', {{ encoding: 'utf8' }}) : ''")


def settings(page):
    page.begin(link="#show/tile_columns")
    check(page.text("page_variant") == "tile_columns", page.text("page_variant"))
    time.sleep(2.5)  # what is kept is kept a moment later
    page.begin()
    check(page.text("page_variant") == "tile_columns", "the last variant is kept, not " + page.text("page_variant"))


def choices_and_score(page):
    """Theme, text size and score are those of the visit before."""
    page.forget()
    page.begin(link="#show/sequential?round=2")
    dark = page.seen()
    for name in ("Switch theme", "Larger text", "Larger text"):
        page.command(name)
        time.sleep(1)
    time.sleep(2.5)
    light = page.seen()
    page.picture("light_and_large")
    page.begin()
    time.sleep(1)
    page.picture("light_and_large_again")
    again = page.seen()
    told = json.loads(file_of(page, SETTINGS))
    check("light" in json.dumps(told).lower() and "120" in json.dumps(told), f"the settings are {told}")
    check(differences(page, dark, again, SIDE)["beyond"] > 0.5, "the theme is that of the first start")
    # The Ladder alone may have scrolled elsewhere.
    check(differences(page, light, again, SIDE)["beyond"] < 0.1, "what is kept looks otherwise than before")

    page.value("location.hash = '#predict/active/sequential?stride=64'; 0")
    page.wait("document.getElementById('caption').textContent.includes('hidden until you reveal')", 20)
    page.click_at(*PARTIAL_WARP)
    page.click_at(*REVEAL)
    page.wait("!document.getElementById('caption').textContent.includes('hidden until you reveal')", 20)
    end = time.monotonic() + 10
    while not file_of(page, SCORE):
        check(time.monotonic() < end, "no score is written")
        time.sleep(0.2)
    score = file_of(page, SCORE)
    time.sleep(2.5)
    page.begin()
    check(file_of(page, SCORE) == score, f"the score was {score} and is {file_of(page, SCORE)}")
    page.forget()


def mode_of(page):
    """By the commands that can be given."""
    names = {each["name"] for each in json.loads(page.text("page_commands")) if each["enabled"]}
    return "present" if "End Present" in names else "compare" if "Swap the sides" in names else "predict" if "Reveal the round" in names else "explore"


def load_again(page):
    time.sleep(2.5)  # what is kept is kept a moment later
    page.value("window.isBefore = true; 0")
    page.tell("Page.reload")
    page.wait("window.isBefore === undefined && window.stridescope !== undefined", 60)
    page.settle()
    time.sleep(0.5)
    page.settle()


def mode_again(page):
    """A page that is loaded again goes on in its mode, unless the address has one; a new visit explores."""
    page.forget()
    page.begin()
    page.value("location.hash = '#show/sequential?round=2'; 0")
    page.settle()
    page.value("history.replaceState(null, '', location.pathname); 0")
    for key, mode in (("p", "present"), ("g", "predict"), ("c", "compare")):
        page.key(key, "Key" + key.upper(), ord(key.upper()), key)
        page.settle()
        if mode == "compare":  # with another variant than the one that it takes by itself
            page.command("Choose the other side")
            page.key("6", "Digit6", 54, "6")
            page.settle()
            page.command("Choose the other side")
            page.settle()
            page.settle_measured()  # the maps' text has recorded times, too
        check(mode_of(page) == mode, f"{key} leads to {mode_of(page)}, not to {mode}")
        told, round, caption = page.text("page_variant"), page.round(), page.value("document.getElementById('caption').textContent")
        maps = page.value("document.getElementById('maps').textContent")
        load_again(page)
        check(mode_of(page) == mode, f"after {mode} is {mode_of(page)} when the page is loaded again")
        check((page.text("page_variant"), page.round()) == (told, round), f"{mode}: {told}, round {round} is {page.text('page_variant')}, {page.round()}")
        if mode != "predict":  # questions are asked anew
            page.wait(f"document.getElementById('caption').textContent === {json.dumps(caption)}", 10)
        if mode == "compare":
            page.wait(f"document.getElementById('maps').textContent === {json.dumps(maps)}", 30)
        page.key("Escape", "Escape", 27) if mode == "present" else page.key("e", "KeyE", 69, "e")
        page.settle()
    page.key("p", "KeyP", 80, "p")
    page.settle()
    time.sleep(2.5)
    page.begin()
    check(mode_of(page) == "explore", f"a new visit begins in {mode_of(page)}")
    page.key("p", "KeyP", 80, "p")
    time.sleep(2.5)
    page.value("location.hash = '#predict/active/sequential?stride=16'; 0")
    page.settle()
    load_again(page)
    check(mode_of(page) == "predict", f"the address predicts, and there is {mode_of(page)}")
    page.forget()


def nothing_kept(page):
    """A browser that keeps nothing, as in a private window, or whose database never answers: the page starts, and says no error."""
    page.forget()
    for source in ("Object.defineProperty(window, 'indexedDB', { get() { return undefined; } })",
                   "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } })",
                   "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); }",
                   "IDBFactory.prototype.open = () => ({})",
                   "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }"):
        script = page.tell("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"]
        page.begin(link="#show/tile_columns?round=first")
        page.right()
        page.wait("stridescope._page_round() === 1", 10)
        time.sleep(2.5)  # what would be kept would be kept now
        check(page.text("page_message") == "" and page.value("document.getElementById('status').hidden"), f"{source}: {page.text('page_message')}")
        page.tell("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    page.begin()
    page.forget()


def dropped_recording(page):
    page.begin()
    page.give_file("mine.stride", (HERE.parents[1] / "tests/archive/older/format4.stride").read_bytes())
    page.wait("stridescope.ccall('page_variant', 'string', [], []) !== 'interleaved_contiguous'", 20)
    page.settle()
    check(page.text("page_message") == "", page.text("page_message"))


def dropped_tour(page):
    page.begin()
    page.give_file("week3.md", (HERE.parents[1] / "assets/tours/lecture.md").read_bytes())
    page.wait("stridescope.ccall('page_tour', 'string', [], []).endsWith('week3.md')", 20)
    page.settle()
    check(page.value("stridescope._page_stop()") == 0 and page.text("page_message") == "", page.text("page_message"))
    page.key("ArrowRight", "ArrowRight", 39, modifiers=2)
    page.wait("stridescope._page_stop() === 1", 20)
    page.settle()
    page.picture("dropped_tour")
    page.give_file("broken.md", b"# A tour\n\nNo stop in it.\n")
    page.wait("stridescope.ccall('page_message', 'string', [], []).includes('broken.md was not opened')", 20)
    check(page.text("page_tour").endswith("week3.md"), "a tour that cannot be read takes the place of one that can")


def cancelled(page):
    """While the executor runs a grid of 4,096 blocks, how far it is is shown; Cancel ends it, what was shown stays, and the next run
    is recorded."""
    page.begin(link="#show/interleaved_contiguous?round=3")
    time.sleep(1)
    before = page.seen()
    page.value("""(() => {
        window.done = [];
        const look = () => {
          const done = stridescope._page_job_done();
          if (done > 0 && done <= 1 && done !== window.done.at(-1)) window.done.push(done);
          window.watching = requestAnimationFrame(look);
        };
        look();
    })()""")
    page.value("location.hash = '#show/warp_shuffle?n=8388608'; 0")
    page.wait("done.length >= 2", 20)
    check(page.seen() != before, "nothing is shown of what runs")
    page.picture("progress")
    page.click_at(*CANCEL)
    page.wait("stridescope._page_job_done() > 1", 5)
    done = page.value("cancelAnimationFrame(watching), done")
    check(done == sorted(done) and done[-1] < 1, f"of the run there was done {done}")
    page.settle()
    check(page.text("page_variant") == "interleaved_contiguous" and page.round() == 3, f"after Cancel there is {page.text('page_variant')}")
    page.picture("cancelled")
    time.sleep(3)  # as long as it would have taken
    check(page.text("page_variant") == "interleaved_contiguous", "what was cancelled comes all the same")
    page.value("location.hash = '#show/warp_redux'; 0")
    page.wait("stridescope.ccall('page_variant', 'string', [], []) === 'warp_redux'", 60)


PARTS = [settings, mode_again, nothing_kept, choices_and_score, dropped_recording, dropped_tour, cancelled]
