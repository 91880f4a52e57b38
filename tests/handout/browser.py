"""Drives Chromium without a display, through its debugging pipe: real key presses and touches, and what the page
became. Only what Python itself brings."""
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    """The browser's program, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, program, graphics=("--disable-gpu",)):
        self.profile = tempfile.mkdtemp(prefix="stridescope-browser-")
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()

        def wire():  # the browser reads commands from 3 and writes answers to 4
            os.dup2(to_read, 103)
            os.dup2(to_write, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", *graphics, "--remote-debugging-pipe",
             "--no-first-run", "--disable-dev-shm-usage", "--user-data-dir=" + self.profile, "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer = b""
        self.number = 0
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.tell(domain + ".enable")

    def close(self):
        try:
            self.call("Browser.close")
        except (OSError, EOFError):
            pass
        self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)

    # ---- the protocol

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.from_browser, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def tell(self, method, **parameters):
        return self.call(method, self.session, **parameters)

    # ---- what a person does

    def open(self, path, width=1280, height=800, scale=1, touch=False, media=()):
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=touch)
        self.tell("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.tell("Emulation.setEmulatedMedia", features=[{"name": n, "value": v} for n, v in media])
        self.tell("Page.navigate", url="about:blank")
        self.wait("location.href == 'about:blank' && document.readyState == 'complete'")
        self.events.clear()
        self.tell("Page.navigate", url="file://" + path)
        self.wait("document.readyState == 'complete' && document.documentElement.classList.contains('js')")

    def wait(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not self.value(condition):
            if time.monotonic() > end:
                raise TimeoutError(condition)
            time.sleep(0.02)

    KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Tab": 9, "Enter": 13, "Escape": 27,
            "PageDown": 34, "PageUp": 33}

    def press(self, key, modifiers=0):
        code = self.KEYS[key]
        text = {"text": "\r"} if key == "Enter" else {}
        self.tell("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code,
                  modifiers=modifiers, **text)
        self.tell("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code,
                  modifiers=modifiers)

    def swipe(self, x, to, y=300, to_y=None):
        to_y = y if to_y is None else to_y
        self.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for step in range(1, 6):
            self.tell("Input.dispatchTouchEvent", type="touchMove",
                      touchPoints=[{"x": x + (to - x) * step / 5, "y": y + (to_y - y) * step / 5}])
        self.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def click(self, selector):
        box = self.value(f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
                         " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
                         " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.tell("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    # ---- what came of it

    def value(self, expression):
        answer = self.tell("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def screenshot(self, path):
        import base64
        data = self.tell("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """Errors of scripts, of the content's policy, of the console."""
        self.value("1")
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"]["text"])
            if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
        return found

    def requests(self):
        """What it asked for, but for the page itself and what stands in it."""
        urls = [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("data:", "file:"))]
