"""The browser edition in Chromium, served under a path of its own, driven with real keys, pointer and touches."""
import base64
import contextlib
import gzip
import http.server
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "handout"))
import browser  # noqa: E402

EXECUTOR = "stridescope_web_executor."
VARIANTS = sorted(path.stem for path in (HERE.parents[1] / "kernels").glob("*.cu"))


class Handler(http.server.SimpleHTTPRequestHandler):
    is_down = False
    is_without_recordings = False
    is_exhausted = False  # tests/web/exhausted.cpp stands in the place of the executor
    damaged = None  # half of a file whose path has this is sent
    sent = []  # (when, path, bytes) of what was sent

    def do_GET(self):
        if Handler.is_down:
            self.close_connection = True
            self.connection.close()
        elif Handler.is_without_recordings and "/recordings/" in self.path:
            self.send_error(503)
        elif Handler.is_exhausted and EXECUTOR in self.path:
            self.send_exhausted()
        elif Handler.damaged and Handler.damaged in self.path:
            data = pathlib.Path(self.translate_path(self.path)).read_bytes()
            self.send_response(200)
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(data[:len(data) // 2])
        else:
            super().do_GET()

    def send_exhausted(self):
        name = self.path.split("/")[-1].replace(EXECUTOR, "stridescope_web_exhausted.")
        data = (HERE.parents[1] / "build/web_executor/bin" / name.removesuffix(".gz")).read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(name.removesuffix(".gz")))
        self.end_headers()
        self.wfile.write(gzip.compress(data, 1) if name.endswith(".gz") else data)

    def end_headers(self):
        if EXECUTOR in self.path:
            self.send_header("Cache-Control", "no-store" if Handler.is_exhausted else "no-cache")  # there are two of it
        super().end_headers()

    def copyfile(self, source, outputfile):
        data = source.read()
        Handler.sent.append((time.time(), self.path, len(data)))
        outputfile.write(data)

    def translate_path(self, path):  # /a/course/ is the folder, and nothing else is there
        name = path.split("?")[0].removeprefix("/a/course/")
        if name.startswith("ours/"):  # as if a lecturer had put it there
            return os.path.join(HERE.parents[1], "assets", name.removeprefix("ours/"))
        return os.path.join(self.directory, name or "index.html") if name != path else "/nowhere"

    def log_message(self, *arguments):
        pass


class Page(browser.Browser):
    def __init__(self, program, address, folder, pictures, native):
        """`folder`: what is served at `address`; `native`: the program on this machine."""
        super().__init__(program, ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        self.address, self.folder, self.pictures, self.native = address, pathlib.Path(folder), pictures, native
        self.downloads = pathlib.Path(self.profile, "downloads")
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.tell("Page.addScriptToEvaluateOnNewDocument", source="""
            window.longTasks = [];
            new PerformanceObserver(list => longTasks.push(...list.getEntries().map(each => each.duration)))
              .observe({ type: 'longtask' });""")

    def begin(self, width=1280, height=720, scale=1, touch=False, link=""):
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.tell("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.tell("Page.navigate", url="about:blank")
        self.wait("location.href == 'about:blank' && document.readyState == 'complete'")
        self.tell("Page.navigate", url=self.address + link)
        self.wait("window.stridescope !== undefined", 120)
        self.settle()

    def forget(self):
        """What the browser keeps of the page: settings, layout, files for a visit without a network, its cache."""
        self.tell("Page.navigate", url="about:blank")
        self.wait("location.href == 'about:blank' && document.readyState == 'complete'")
        self.tell("Network.clearBrowserCache")
        self.tell("Storage.clearDataForOrigin", origin=self.address.removesuffix("/a/course/"), storageTypes="all")

    def forget_offline(self):
        """What is kept for a visit without a network, while the page stays: its workers' files come from the server."""
        self.value("navigator.serviceWorker.ready.then(() => { window.isKept = true; }); 0")
        self.wait("window.isKept", 60)
        self.tell("Storage.clearDataForOrigin", origin=self.address.removesuffix("/a/course/"), storageTypes="service_workers,cache_storage")

    @contextlib.contextmanager
    def expected_complaints(self, count=None):
        """Errors of the page meanwhile are what is tried: so many of them, unless `count` is None."""
        self.value("1")
        before = list(self.events)
        self.events.clear()
        yield
        found = self.complaints()
        check(count is None or len(found) == count, f"{len(found)} complaints in place of {count}: {found}")
        self.events[:] = before

    def settle(self, seconds=60):
        """Until what was asked for is on the screen, with a frame or two after it."""
        self.wait("stridescope._page_is_settled() == 1", seconds)
        time.sleep(0.3)
        self.wait("stridescope._page_is_settled() == 1", seconds)

    def fetch_recordings(self):
        """As if somebody had asked for what they have; until they are read."""
        asks = "stridescope._page_fetch_recordings(), dispatchEvent(new Event('resize'))"
        self.wait(f"stridescope._page_has_recordings() == 1 || ({asks}, false)", 60)

    def wait_kept_recordings(self):
        """Until the browser keeps them for a visit without a network."""
        self.value("window.isKept = false; 0")
        look = "caches.match('recordings/h200-variants.stride.gz').then(kept => { window.isKept = kept !== undefined; })"
        self.wait(f"window.isKept || ({look}, false)", 60)

    def settle_measured(self):
        """Until what the recordings have of the run is looked up, too."""
        self.fetch_recordings()
        idle = "[...document.querySelectorAll('#commands button')].some(each => each.textContent.startsWith('Cancel what') && each.disabled)"
        for _ in range(3):
            self.settle()
            self.wait(idle, 60)
            time.sleep(0.7)

    def longest_task(self):
        """The longest time, in milliseconds, in which the page answered nothing, since this was last asked."""
        return self.value("Math.max(0, ...longTasks.splice(0))")

    def text(self, name):
        return self.value(f"stridescope.ccall('{name}', 'string', [], [])")

    def round(self):
        return self.value("stridescope._page_round()")

    def frames(self):
        return self.value("stridescope._page_frames()")

    def key(self, key, code, number, text=None, modifiers=0):
        down = {"text": text} if text else {}
        for kind in ("keyDown", "keyUp"):
            self.tell("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number,
                      modifiers=modifiers, **(down if kind == "keyDown" else {}))

    def right(self):
        self.key("ArrowRight", "ArrowRight", 39)

    def left(self):
        self.key("ArrowLeft", "ArrowLeft", 37)

    def click_at(self, x, y):
        self.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        time.sleep(0.1)
        for kind in ("mousePressed", "mouseReleased"):
            self.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
            time.sleep(0.1)

    def touch_at(self, x, y):
        self.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        time.sleep(0.1)
        self.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def pinch(self, x, y, distances):
        """Two fingers, one above the other, so far apart one after the other."""
        def fingers(apart):
            return [{"x": x, "y": y - apart / 2, "id": 0}, {"x": x, "y": y + apart / 2, "id": 1}]
        self.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers(distances[0])[:1])
        self.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers(distances[0]))
        for apart in distances:
            self.tell("Input.dispatchTouchEvent", type="touchMove", touchPoints=fingers(apart))
            time.sleep(0.1)
        self.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def seen(self):
        return self.tell("Page.captureScreenshot", format="png")["data"]

    def picture(self, name):
        if self.pictures:
            self.screenshot(os.path.join(self.pictures, name + ".png"))

    def downloaded(self, name, seconds=120):
        """The file of that name among the downloads, which is taken away from there."""
        end = time.monotonic() + seconds
        file = self.downloads / name
        while not file.exists() or file.with_name(name + ".crdownload").exists():
            if time.monotonic() > end:
                there = [each.name for each in self.downloads.glob("*")]
                raise TimeoutError(f"{name} was not downloaded; there are {there}; the page says: {self.text('page_message')}")
            self.value("0")
            time.sleep(0.05)
        data = file.read_bytes()
        file.unlink()
        return data

    def give_file(self, name, data):
        """As if it were dropped."""
        self.value(f"""(() => {{
            const bytes = Uint8Array.from(atob({json.dumps(base64.b64encode(data).decode())}), each => each.charCodeAt(0));
            const files = new DataTransfer();
            files.items.add(new File([bytes], {json.dumps(name)}));
            dispatchEvent(new DragEvent('drop', {{ dataTransfer: files, cancelable: true }}));
        }})()""")

    def type(self, text):
        for letter in text:
            self.key(letter, "", ord(letter.upper()), letter)

    def command(self, name):
        """Gives a command by its button for screen readers."""
        found = f"[...document.querySelectorAll('#commands button')].find(each => each.textContent.startsWith({json.dumps(name)}) && !each.disabled)"
        self.wait(f"{found} !== undefined", 10)
        self.value(f"{found}.click()")

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]


def check(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


def in_time(condition, sentence):
    """A limit of time fails where STRIDESCOPE_HOLD_TIMES says that nothing else runs on the machine; elsewhere it is told."""
    if os.environ.get("STRIDESCOPE_HOLD_TIMES"):
        check(condition, sentence)
    elif not condition:
        print(f"OVER ITS LIMIT, which is for an idle machine: {sentence}")
