"""page_in_a_browser.py FOLDER PROGRAM [--pictures FOLDER] [--only PART,...]: the browser edition in Chromium, with real keys,
pointer and touches. PROGRAM: the program on this machine, whose pictures and recordings the page's are held against."""
import argparse
import functools
import http.server
import json
import pathlib
import re
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "handout"), str(HERE.parent / "mutations")]
import alone  # noqa: E402
import browser  # noqa: E402
import budgets  # noqa: E402
import course  # noqa: E402
import exports  # noqa: E402
import goldens  # noqa: E402
import hostile  # noqa: E402
import kept  # noqa: E402
import modes  # noqa: E402
import touched  # noqa: E402
import words  # noqa: E402
from page import EXECUTOR, VARIANTS, Handler, Page, check  # noqa: E402


FETCH = (70, 551)  # the button at the Ladder's foot at 1280x720


def first_start(page):
    page.begin()
    milliseconds = page.value("performance.getEntriesByName('first-picture')[0].startTime")
    print(f"first picture after {milliseconds:.0f} ms, at {page.value('devicePixelRatio')} pixels a unit")
    check(page.text("page_variant") == "interleaved_contiguous", "the first variant: " + page.text("page_variant"))
    check(page.round() == 4, f"the first round: {page.round()}")
    page.picture("start")


def keys(page):
    page.right()
    page.settle()
    check(page.round() == 5, f"Right leads to round 5, not {page.round()}")
    page.left()
    page.left()
    page.settle()
    check(page.round() == 3, f"two times Left lead to round 3, not {page.round()}")
    page.key("6", "Digit6", 54, "6")
    page.settle()
    page.picture("another_variant")
    check(page.text("page_variant") != "interleaved_contiguous", "6 chooses another variant")


def idle(page):
    page.settle()
    drawn = []  # what was loaded before is worked out for longer on a busy machine; what goes on never ends
    while len(drawn) < 6 and 0 not in drawn:
        time.sleep(2)
        before = page.frames()
        time.sleep(2)
        drawn.append(page.frames() - before)
    check(drawn[-1] == 0, f"frames in 2 s each in which nothing happens: {drawn}")


def hidden_tab(page):
    """Another tab is in front: nothing is drawn or computed, even while rounds are played."""
    page.begin(link="#show/interleaved_contiguous?round=first")
    page.settle_measured()
    page.tell("Performance.enable", timeDomain="threadTicks")
    page.key(" ", "Space", 32, " ")
    page.wait("stridescope._page_round() > 0", 20)
    own = page.tell("Target.getTargetInfo")["targetInfo"]["targetId"]
    other = page.call("Target.createTarget", url="about:blank")["targetId"]
    page.call("Target.activateTarget", targetId=other)
    page.wait("document.hidden", 10)
    time.sleep(2)  # what is kept a moment later is kept
    before, script, round = page.frames(), budgets.script_seconds(page), page.round()
    time.sleep(4)
    frames, script = page.frames() - before, budgets.script_seconds(page) - script
    page.call("Target.activateTarget", targetId=own)
    page.wait("!document.hidden", 10)
    page.call("Target.closeTarget", targetId=other)
    print(f"in 4 s in which the tab is hidden: {frames} frames, {1000 * script:.1f} ms of script")
    check(frames == 0, f"{frames} frames in a hidden tab")
    check(script < 0.02, f"{1000 * script:.1f} ms of script in a hidden tab")
    page.wait(f"stridescope._page_round() > {round}", 20)  # it plays on


def program_links(page):
    """Timings and the list of what executes lead to the program for a machine, by a link where it is drawn."""
    page.forget()
    page.begin(width=1600, height=1000)
    over = "[...document.querySelectorAll('a.over')].filter(each => !each.hidden)"
    page.wait(f"{over}.length === 1", 10)
    check(page.value(f"{over}[0].href") == page.address + "package.html", "the link leads to " + page.value(f"{over}[0].href"))
    place = page.value(f"(box => [box.left, box.top, box.right, box.bottom])({over}[0].getBoundingClientRect())")
    check(place[0] > 1000 and place[1] > 400 and place[3] < 860 and place[3] - place[1] > 20, f"in Timings it is at {place}")
    check(page.value(f"document.elementFromPoint({(place[0] + place[2]) / 2}, {(place[1] + place[3]) / 2}).className") == "over", "something lies over it")
    page.click_at((place[0] + place[2]) / 2, (place[1] + place[3]) / 2)
    end = time.monotonic() + 20
    opened = []
    while not opened and time.monotonic() < end:
        opened = [each for each in page.call("Target.getTargets")["targetInfos"] if each["url"] == page.address + "package.html"]
    check(opened, "a click on it opens nothing")
    page.call("Target.closeTarget", targetId=opened[0]["targetId"])
    page.picture("timings_link")
    page.click_at(1480, 58)  # what executes
    page.wait(f"{over}.length === 1 && {over}[0].getBoundingClientRect().top < 350", 10)
    page.picture("executing_link")
    page.key("Escape", "Escape", 27)
    page.wait(f"{over}.length === 1 && {over}[0].getBoundingClientRect().top > 400", 10)
    page.key("p", "KeyP", 80, modifiers=2)  # the palette lies over it
    page.wait(f"{over}.length === 0", 10)
    page.key("Escape", "Escape", 27)


def needs_a_machine(page):
    """What a page has not is told in a sentence, with a link to the program."""
    page.begin()
    link = "document.getElementById('program')"
    check(page.value(f"{link}.hidden"), "there is a link to the program before it is needed")
    page.give_file("mine.cu", b"__global__ void mine(const int* in, int* out, int n) { out[threadIdx.x] = in[threadIdx.x]; }\n")
    page.wait(f"!{link}.hidden", 20)
    check("The program on a machine" in page.text("page_message"), page.text("page_message"))
    page.picture("needs_a_machine")
    page.value(f"window.led = {link}.href; window.target = {link}.target; 0")
    check(page.value("led") == page.address + "package.html" and page.value("target") == "_blank", "the link leads to " + page.value("led"))
    page.value("location.hash = '#show/sequential'; 0")
    page.wait(f"{link}.hidden", 20)
    page.tell("Page.navigate", url=page.address + "package.html")
    page.wait("document.readyState == 'complete' && document.title == 'Stridescope for a machine'")
    check(page.value("getComputedStyle(document.body).overflowY") == "auto", "what is long cannot be scrolled")
    page.picture("package")


def exhausted_executor(page):
    """A kernel that fills its stack, or all memory, is told in a sentence; what is shown stays, and the next run is recorded."""
    page.begin(link="#show/interleaved_contiguous?round=2")
    page.settle_measured()
    page.forget_offline()
    with page.expected_complaints():
        for variant, told in (("sequential", "filled its stack"), ("warp_shuffle", "filled its stack"), ("k_way_merge", "want of memory")):
            Handler.is_exhausted = True
            page.value("stridescope.executors.idle.splice(0).forEach(worker => worker.terminate()); 0")
            page.value(f"location.hash = '#show/{variant}?threads=64'; 0")  # which nobody has asked for
            try:
                page.wait("stridescope.ccall('page_message', 'string', [], []) !== ''", 60)
            finally:
                Handler.is_exhausted = False
            check(told in page.text("page_message"), f"{variant}: {page.text('page_message')}")
            check(page.text("page_variant") == "interleaved_contiguous", "what was shown is gone")
            before = page.round()
            page.right()
            page.wait(f"stridescope._page_round() === {before + 1}", 10)
            page.picture(f"exhausted_{variant}")
            page.value("location.hash = '#show/warp_redux'; 0")
            page.wait("stridescope.ccall('page_variant', 'string', [], []) == 'warp_redux'", 60)
            page.value("location.hash = '#show/interleaved_contiguous?round=2'; 0")
            page.wait("stridescope.ccall('page_variant', 'string', [], []) == 'interleaved_contiguous'", 60)
            page.settle()


def damaged_files(page):
    """A file of the page that does not arrive whole is told as that."""
    page.forget()
    with page.expected_complaints():
        for part, told in (("stridescope_web.wasm", "Load the page again"), ("Inter-Bold", "Load the page again")):
            Handler.damaged = part
            page.tell("Page.navigate", url=page.address)
            page.wait(f"document.getElementById('status')?.textContent.includes({json.dumps(told)})", 20)
            page.forget()
        Handler.damaged = EXECUTOR + "wasm"
        page.tell("Page.navigate", url=page.address)
        page.wait("window.stridescope && stridescope.ccall('page_message', 'string', [], []).startsWith('The CPU executor could not be loaded')", 20)
        Handler.damaged = None
        page.forget()


def transferred_recordings():
    return [path for _, path, _ in Handler.sent if "/recordings/" in path]


def recordings(page):
    """They are transferred when something is asked for that they have, and kept then; who only steps has none of them."""
    page.forget()
    Handler.sent.clear()
    page.begin(link="#show/interleaved_contiguous?round=first")
    for _ in range(12):
        page.right()
        page.settle()
    for digit in "467":
        page.key(digit, f"Digit{digit}", ord(digit), digit)
        page.settle()
    page.key("g", "KeyG", 71, "g")  # Predict
    page.settle()
    page.key("e", "KeyE", 69, "e")
    page.wait("stridescope.ccall('page_commands', 'string', [], []) !== ''")
    time.sleep(2)
    check(not transferred_recordings(), f"who steps has transferred {transferred_recordings()}")
    page.picture("without_recorded_times")

    # The server has none, and then it has.
    Handler.is_without_recordings = True
    with page.expected_complaints():
        page.click_at(*FETCH)
        page.wait("stridescope.ccall('page_message', 'string', [], []).includes('could not be fetched')", 20)
    Handler.is_without_recordings = False
    check("503" in page.text("page_message"), page.text("page_message"))
    page.picture("lost_recordings")
    page.value("location.hash = '#show/sequential'; 0")
    page.wait("stridescope.ccall('page_message', 'string', [], []) === ''", 20)
    page.settle()
    page.click_at(*FETCH)
    page.wait("stridescope._page_has_recordings() == 1", 60)
    page.settle()
    shipped = len(list((HERE.parents[1] / "assets/recordings").glob("*.stride")))
    check(len(set(transferred_recordings())) == shipped, f"transferred: {transferred_recordings()}")
    page.picture("with_recorded_times")

    # The next visit has them from the browser.
    page.wait_kept_recordings()
    Handler.sent.clear()
    page.begin()
    page.wait("stridescope._page_has_recordings() == 1", 60)
    check(not transferred_recordings(), f"what is kept is transferred again: {transferred_recordings()}")

    # A panel that shows nothing else asks for them by itself, and so does a lesson, whose figures they have.
    for link, key in (("#show/sequential?panel=why", None), ("#show/sequential", ("F2", "F2", 113))):
        page.forget()
        Handler.sent.clear()
        page.begin(link=link)
        if key:
            page.key(*key)
        page.wait("stridescope._page_has_recordings() == 1", 60)


def links(page):
    page.begin(link="#show/sequential?stride=8&panel=banks&ring=thread:5")
    check(page.text("page_variant") == "sequential", "a link opens its variant, not " + page.text("page_variant"))
    page.picture("link")
    page.value("location.hash = '#show/warp_shuffle'")
    page.wait("stridescope.ccall('page_variant', 'string', [], []) == 'warp_shuffle'")
    page.value("location.hash = '#show/no_such_variant'")
    page.wait("stridescope.ccall('page_message', 'string', [], []) != ''")


def copied_link(page):
    page.begin(link="#show/sequential?threads=128&stride=8&ring=thread:5")
    page.value("navigator.clipboard.writeText = async text => { window.copied = text; }; 0")
    page.key("p", "KeyP", 80, modifiers=2)
    page.settle()
    for letter in "copy a link":
        page.key(letter, "", ord(letter.upper()), letter)
    page.settle()
    page.key("Enter", "Enter", 13)
    page.wait("window.copied !== undefined")
    copied = page.value("copied")
    check(copied == page.address + "#show/sequential?threads=128&round=4&ring=thread:5", "the copied link: " + copied)


def opened_by_address(page):
    page.begin(link="?tour=ours/tours/lecture.md")
    page.wait("stridescope.ccall('page_tour', 'string', [], []).endsWith('lecture.md')")
    page.picture("tour_by_address")
    page.begin(link="?recording=ours/recordings/h200-merges.stride#show?round=first")
    page.wait("stridescope.ccall('page_variant', 'string', [], []).includes('merge')")
    for asked, told in (("?recording=ours/none.stride", "404"), ("?tour=https://example.com/a.md", "not where this page is from"),
                        ("?recording=//example.com/a.stride", "not where this page is from"), ("?recording=", "it names no file"),
                        ("?tour=index.html", "ends in .md"), ("?embed=bank", "did you mean banks?")):
        page.begin(link=asked)
        page.wait(f"stridescope.ccall('page_message', 'string', [], []).includes({json.dumps(told)})")


def modes_and_texts(page):
    page.begin(link="#predict/active?stride=8")
    page.picture("predict")
    page.key("Enter", "Enter", 13)  # reveals the round
    page.settle()
    page.picture("revealed")
    page.begin(link="#show/sequential?stride=8")
    for name, number in (("F2", 113), ("F3", 114), ("F4", 115)):  # lesson, glossary, tours
        before = page.frames()
        page.key(name, name, number)
        page.settle()
        check(page.frames() > before, f"{name} draws something")
        page.picture(name)
        page.key("Escape", "Escape", 27)
        page.settle()
    page.key("e", "KeyE", 69, "e")
    page.key("p", "KeyP", 80, modifiers=2)
    page.settle()
    page.picture("palette")
    page.key("Escape", "Escape", 27)


def tour_to_its_end(page):
    page.begin()
    page.command("Ten-minute tour")
    page.settle()
    variants = [page.text("page_variant")]
    for stop in range(1, 8):
        page.key("ArrowRight", "ArrowRight", 39, modifiers=2)
        page.wait(f"stridescope._page_stop() === {stop}", 20)
        page.settle()
        variants.append(page.text("page_variant"))
        check(page.text("page_message") == "", f"stop {stop}: " + page.text("page_message"))
    check(len(set(variants)) >= 5, f"the tour shows {variants}")
    page.picture("last_stop")
    page.key("ArrowRight", "ArrowRight", 39, modifiers=2)
    page.settle()
    check(page.value("stridescope._page_stop()") == 7, "behind the last stop there is none")


def ten_rounds_predicted(page):
    page.begin(link="#predict/active/interleaved_contiguous?round=first")
    hidden = "document.getElementById('caption').textContent.includes('hidden until you reveal')"
    for number in range(10):
        page.wait(hidden, 20)
        check(page.round() == number, f"round {page.round()} is asked about, not {number}")
        page.key("Enter", "Enter", 13)
        page.wait("!" + hidden, 20)
        page.right()
        page.settle()


def every_variant(page):
    page.begin()
    for variant in VARIANTS:
        page.value(f"location.hash = '#show/{variant}'")
        try:
            page.wait(f"stridescope.ccall('page_variant', 'string', [], []) == '{variant}'", 60)
        except TimeoutError:
            raise AssertionError(f"{variant}: {page.text('page_message')}") from None
    print(f"{len(VARIANTS)} variants stepped")


def pointer(page):
    page.begin(link="#show?round=first")
    before = page.round()
    page.click_at(191, 680)  # a step forward
    page.settle()
    check(page.round() == before + 1, f"a click leads from round {before} to the next, not to {page.round()}")


def tablet(page):
    page.begin(width=820, height=1180, scale=2, touch=True)
    page.picture("tablet")
    before = page.round()
    page.touch_at(410, 600)
    page.settle()
    page.value("location.hash = '#show?round=first'")
    page.settle()
    check(page.round() == 0, f"round 0, not {page.round()}, was {before}")


def two_fingers(page):
    page.begin(width=820, height=1180, scale=1, touch=True, link="#show/sequential?round=1&panel=shared_memory")
    page.settle_measured()
    seen = [page.seen()]
    # All is in view at first, so that the first two fingers only point at what lies between them.
    for distances in ([190, 110, 60], [60, 70], [60, 110, 190], [190, 110, 60]):
        page.pinch(410, 230, distances)
        page.settle()
        seen.append(page.seen())
        for _ in range(20):  # what is to change may be late on a busy machine
            if len(seen) < 4 or (seen[-1] == seen[1]) == (len(seen) == 5):
                break
            time.sleep(0.3)
            seen[-1] = page.seen()
        page.picture(f"two_fingers_{len(seen) - 1}")
    check(seen[2] == seen[1], "two fingers that hardly move change the picture")
    check(seen[3] != seen[1], "two fingers that part do not zoom")
    check(seen[4] == seen[1], "two fingers that come together do not zoom back")


def told_commands(page):
    """docs/browser.md says which commands cannot be chosen in a page."""
    page.begin()
    rows = [line for line in (HERE.parents[1] / "docs/browser.md").read_text().splitlines() if line.startswith("| ") and line.count("|") == 5]
    never = set(re.findall("`([^`]+)`", " ".join(row.split("|")[4] for row in rows)))
    check(len(never) >= 3, f"the table names {never}")
    offered = {each["name"]: each["enabled"] for each in json.loads(page.text("page_commands"))}
    check(never <= set(offered), f"not among the commands: {never - set(offered)}")
    check(not [name for name in never if offered[name]], f"can be chosen: {[name for name in never if offered[name]]}")


def phone(page):
    page.begin(width=390, height=844, scale=2, touch=True, link="#show/sequential?round=2")
    page.picture("phone")
    # What is slow is no swipe, so that nothing else is to be done meanwhile.
    time.sleep(2)
    for to, round in ((60, 3), (60, 4), (350, 3)):
        page.swipe(200, to, 400)
        page.settle()
        check(page.round() == round, f"a swipe from 200 to {to} leads to round {round}, not {page.round()}")
    page.swipe(200, 60, 400, 700)
    page.settle()
    check(page.round() == 3, f"a finger that goes down steps to round {page.round()}")


def without_network(page):
    """What nobody has asked for is not kept, and the page says so; what was asked for once is there."""
    page.forget()
    page.begin()
    page.value("navigator.serviceWorker.ready.then(() => { window.isKept = true; }); 0")
    page.wait("window.isKept", 60)
    Handler.is_down = True
    page.begin(link="?visit=1#show/warp_shuffle")
    check(page.text("page_variant") == "warp_shuffle", "a page without a network steps " + page.text("page_variant"))
    with page.expected_complaints():
        page.value("location.hash = '#why'; 0")
        page.wait("stridescope.ccall('page_message', 'string', [], []).includes('The recordings could not be fetched')", 20)
    Handler.is_down = False
    page.begin()
    page.fetch_recordings()
    page.wait_kept_recordings()
    Handler.is_down = True
    page.begin(link="?visit=2#show/warp_redux")
    check(page.text("page_variant") == "warp_redux", "a page without a network steps " + page.text("page_variant"))
    page.wait("stridescope._page_has_recordings() == 1", 60)
    Handler.is_down = False


PARTS = [first_start, keys, recordings, idle, hidden_tab, program_links, needs_a_machine, damaged_files, exhausted_executor, links, copied_link, opened_by_address, modes_and_texts, tour_to_its_end, ten_rounds_predicted, every_variant, pointer,
         tablet, two_fingers, told_commands, phone, *words.PARTS, *alone.PARTS, *kept.PARTS, *touched.PARTS, *modes.PARTS, *course.PARTS, *exports.PARTS, *goldens.PARTS, *budgets.PARTS, *hostile.PARTS,
         without_network]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("program")
    parser.add_argument("--pictures")
    parser.add_argument("--only", type=lambda names: names.split(","))
    arguments = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=arguments.folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/a/course/"
    page = Page(browser.find(), address, arguments.folder, arguments.pictures, arguments.program)
    try:
        tried = [part for part in PARTS if not arguments.only or part.__name__ in arguments.only]
        for part in tried:
            begun = time.monotonic()
            part(page)
            print(f"{part.__name__}: {time.monotonic() - begun:.1f} s, the longest task {page.longest_task():.0f} ms", flush=True)
        complaints = page.complaints()
        missing = [each for each in complaints if "404" in each]
        asked = sum(part in tried for part in (opened_by_address, hostile.hostile_links))  # each asks for one that is not there
        check(len(missing) == asked, "complaints of 404: " + json.dumps(missing))
        complaints = [each for each in complaints if each not in missing]
        check(not complaints, "complaints: " + json.dumps(complaints))
        foreign = [url for url in page.requests() if not url.startswith((address, "about:", "blob:", "data:"))]
        check(not foreign, f"requests to another origin or path: {foreign}")
    finally:
        page.close()


main()
