"""Part of page_in_a_browser.py: the edition in frames of another page, which belongs to a course and is of another origin."""
import contextlib
import http.server
import threading
import time

from page import check

LANE = (436, 232)  # in the first frame's map
TEXT = """<!doctype html><meta charset="utf-8"><title>A course</title><link rel="icon" href="data:,"><body style="margin: 20px; height: 3000px">
<input id="search" autofocus><p>Banks</p>
<iframe id="first" src="{0}?embed=banks#show/interleaved_contiguous?stride=8" width="800" height="450"></iframe>
<p><button id="between">more</button></p>
<iframe id="second" src="{0}?embed=banks#show/sequential?stride=8" width="800" height="450"></iframe>
<p><button id="last">more</button></p></body>"""


@contextlib.contextmanager
def course(text):
    class Course(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode() if self.path == "/" else b"")

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Course)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


class Frame:
    """One of the course's frames."""

    def __init__(self, page, context):
        self.page, self.context = page, context

    def value(self, expression):
        answer = self.page.tell("Runtime.evaluate", expression=expression, returnByValue=True, contextId=self.context)
        check("exceptionDetails" not in answer, f"{expression}: {answer}")
        return answer["result"].get("value")

    def wait(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not self.value(condition):
            check(time.monotonic() < end, f"in a frame not: {condition}")
            time.sleep(0.05)

    def round(self):
        return self.value("stridescope._page_round()")


def looks(page, condition, otherwise, seconds=10):
    end = time.monotonic() + seconds
    while not condition(page.seen()):
        check(time.monotonic() < end, otherwise)
        time.sleep(0.3)


def in_a_course(page):
    """Who reads the course's page has the keyboard, the wheel and Tab there; a frame has the keys once it is clicked or reached by Tab."""
    page.tell("Emulation.setDeviceMetricsOverride", width=1000, height=800, deviceScaleFactor=1, mobile=False)
    page.tell("Emulation.setTouchEmulationEnabled", enabled=False)
    seen = list(page.events)
    with course(TEXT.format(page.address)) as address:
        page.events.clear()
        page.tell("Page.navigate", url=address)
        page.wait("document.readyState === 'complete'")
        page.value("document.getElementById('search').focus(); 0")
        own = page.address.removesuffix("/a/course/")
        contexts = [each["params"]["context"] for each in page.events if each.get("method") == "Runtime.executionContextCreated"]
        frames = [Frame(page, context["id"]) for context in contexts if context["origin"] == own]
        check(len(frames) == 2, f"{contexts}")
        page.type("be")
        for frame in frames:
            frame.wait("window.stridescope !== undefined && stridescope._page_is_settled() === 1")
        time.sleep(0.5)
        page.type("fore")
        check(page.value("document.getElementById('search').value") == "before", "a frame takes what is typed beside it: " +
              page.value("document.getElementById('search').value + ', ' + document.activeElement.id"))
        if frames[0].value("location.hash").startswith("#show/sequential"):
            frames.reverse()
        page.picture("in_a_course")

        focused = []
        for _ in range(4):
            page.key("Tab", "Tab", 9)
            time.sleep(0.3)
            focused.append(page.value("document.activeElement.id"))
            if focused[-1] == "first":
                before = frames[0].round()
                page.right()
                frames[0].wait(f"stridescope._page_round() === {before + 1}", 10)
        check(focused == ["first", "between", "second", "last"], f"Tab goes to {focused}")
        page.key("Tab", "Tab", 9, modifiers=8)
        time.sleep(0.3)
        check(page.value("document.activeElement.id") == "second", "Shift+Tab goes to " + page.value("document.activeElement.id"))

        # The wheel scrolls the course's page, until somebody clicks the frame.
        page.value("document.getElementById('search').focus(); scrollTo(0, 0); 0")

        def turned():
            page.tell("Input.dispatchMouseEvent", type="mouseWheel", x=400, y=300, deltaX=0, deltaY=120)
            time.sleep(0.7)
            return page.value("scrollY")
        check(turned() > 60, f"over a frame the wheel scrolls to {page.value('scrollY')}")
        page.value("scrollTo(0, 0); 0")
        before = frames[0].round()
        page.click_at(400, 420)  # the caption
        page.right()
        frames[0].wait(f"stridescope._page_round() === {before + 1}", 10)
        check(turned() == 0, "in a frame with the keyboard the wheel scrolls what is outside")

        # A finger on a frame scrolls the course's page, and clicks nothing meanwhile; a tap pins.
        page.tell("Emulation.setTouchEmulationEnabled", enabled=True)
        page.tell("Input.dispatchMouseEvent", type="mouseMoved", x=950, y=700)
        time.sleep(1)
        before = page.seen()
        page.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": LANE[0], "y": LANE[1]}])
        time.sleep(0.2)
        for up in range(10, 150, 10):
            page.tell("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": LANE[0], "y": LANE[1] - up}])
            time.sleep(0.03)
        page.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        time.sleep(0.7)
        check(page.value("scrollY") > 60, f"a finger on a frame scrolls to {page.value('scrollY')}")
        page.picture("in_a_course_scrolled")
        page.value("scrollTo(0, 0); 0")
        looks(page, lambda seen: seen == before, "a finger that scrolls changes the frame")
        page.touch_at(*LANE)
        looks(page, lambda seen: seen != before, "a tap pins nothing")
        page.tell("Emulation.setTouchEmulationEnabled", enabled=False)
        check(not page.complaints(), f"{page.complaints()}")
    page.events[:] = seen


PARTS = [in_a_course]
