"""page_in_firefox.py FOLDER [PICTURES]: the browser edition in Firefox, on a virtual display (without one Firefox has no
WebGL on machines without a GPU), driven by Marionette (Firefox's own protocol, over a socket): real keys and pointer. Only
what Python itself brings."""
import base64
import functools
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

NAMES = ("firefox-esr", "firefox")
PREFERENCES = """user_pref("webgl.force-enabled", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("browser.download.folderList", 2);
user_pref("browser.download.dir", "%s");
user_pref("browser.download.always_ask_before_handling_new_types", false);
user_pref("marionette.port", %d);
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Firefox:
    def __init__(self, program, address, pictures):
        self.address, self.pictures, self.number, self.buffer = address, pictures, 0, b""
        self.profile = tempfile.mkdtemp(prefix="stridescope-firefox-")
        self.downloads = pathlib.Path(self.profile, "downloads")
        self.downloads.mkdir()
        # Xvfb finds a display that is free, and writes its number.
        read, write = os.pipe()
        self.display = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x1000x24"],
                                        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            display = ":" + number.readline().strip()
        port = free_port()
        pathlib.Path(self.profile, "user.js").write_text(PREFERENCES % (self.downloads, port))
        self.process = subprocess.Popen(
            [program, "--marionette", "--no-remote", "--profile", self.profile, "about:blank"],
            env=dict(os.environ, HOME=self.profile, DISPLAY=display), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while True:
            try:
                self.wire = socket.create_connection(("127.0.0.1", port), 60)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
        self.receive()  # what it is
        self.version = self.tell("WebDriver:NewSession", capabilities={})["capabilities"]["browserVersion"]
        self.tell("WebDriver:SetWindowRect", width=1280, height=820)

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.display.terminate()
        self.display.wait(20)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        while b":" not in self.buffer:
            self.take()
        size, self.buffer = self.buffer.split(b":", 1)
        while len(self.buffer) < int(size):
            self.take()
        message, self.buffer = self.buffer[:int(size)], self.buffer[int(size):]
        return json.loads(message)

    def take(self):
        part = self.wire.recv(1 << 20)
        if not part:
            raise EOFError("Firefox has ended")
        self.buffer += part

    def tell(self, command, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters])
        self.wire.sendall(f"{len(text)}:{text}".encode())
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error}")
        return result

    def value(self, expression):
        return self.tell("WebDriver:ExecuteScript", script=f"return {expression}", args=[])["value"]

    def wait(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not self.value(condition):
            if time.monotonic() > end:
                raise TimeoutError(condition)
            time.sleep(0.05)

    def begin(self, link=""):
        self.tell("WebDriver:Navigate", url="about:blank")
        self.tell("WebDriver:Navigate", url=self.address + link)
        self.wait("window.stridescope !== undefined", 120)
        self.settle()

    def settle(self):
        for _ in range(2):
            self.wait("stridescope._page_is_settled() == 1")
            time.sleep(0.3)

    def round(self):
        return self.value("stridescope._page_round()")

    def key(self, value):
        self.tell("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]}])

    def key_with(self, modifier, value):
        self.tell("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": modifier}, {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value},
            {"type": "keyUp", "value": modifier}]}])

    def press_at(self, x, y, kind):
        """`kind`: a mouse or a touch."""
        self.tell("WebDriver:PerformActions", actions=[{"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": [
            {"type": "pointerMove", "x": x, "y": y, "duration": 50}, {"type": "pause", "duration": 100},
            {"type": "pointerDown", "button": 0}, {"type": "pause", "duration": 100},
            {"type": "pointerUp", "button": 0}]}])

    def picture(self, name):
        data = base64.b64decode(self.tell("WebDriver:TakeScreenshot", full=False)["value"])
        if self.pictures:
            pathlib.Path(self.pictures, name + ".png").write_bytes(data)
        return data


def check(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


ARROW_LEFT, ARROW_RIGHT, ENTER, CONTROL = "\ue012", "\ue014", "\ue007", "\ue009"


def try_out(page):
    begun = time.monotonic()
    page.begin()
    first = page.value("performance.getEntriesByName('first-picture')[0].startTime")
    print(f"settled {time.monotonic() - begun:.1f} s after it was asked for; the first picture after {first:.0f} ms")
    check(len(page.picture("firefox")) > 50_000, "the picture is empty")
    page.begin("#show/sequential?round=first")
    for key, expected in ((ARROW_RIGHT, 1), (ARROW_RIGHT, 2), (ARROW_LEFT, 1)):
        page.key(key)
        page.settle()
        check(page.round() == expected, f"round {page.round()} in place of {expected}")
    # A mouse and a finger on the button that steps; a finger on the field n, into which is typed then.
    bottom = page.value("innerHeight")
    for kind, expected in (("mouse", 2), ("touch", 3)):
        page.press_at(191, bottom - 40, kind)
        page.wait(f"stridescope._page_round() === {expected}", 10)
    page.press_at(520, 62, "touch")
    page.wait("document.activeElement.id === 'typing'", 10)
    for key in ("6", "4", ENTER):
        page.key(key)
    page.wait("stridescope._page_elements() === 64", 20)
    page.wait("document.activeElement.id !== 'typing'", 10)
    for variant in ("one_message", "k_way_merge", "warp_redux"):
        page.value(f"(location.hash = '#show/{variant}', 0)")
        time.sleep(0.3)
        page.settle()
        shown = page.value("stridescope.ccall('page_variant', 'string', [], [])")
        check(shown == variant, f"{shown} in place of {variant}")
    frames = page.value("stridescope._page_frames()")
    time.sleep(3)
    check(page.value("stridescope._page_frames()") == frames, "it draws while nothing happens")
    page.begin("#show/sequential?round=1")
    page.wait("document.getElementById('caption').textContent.startsWith('Stride 128')")
    # An export, whose pictures a worker draws: the whole page, as the form proposes it.
    page.key_with(CONTROL, "e")
    time.sleep(1)
    page.key(ENTER)
    end = time.monotonic() + 180
    while not (page.downloads / "sequential.html").exists():
        check(time.monotonic() < end, "nothing was exported: " + page.value("stridescope.ccall('page_message', 'string', [], [])"))
        time.sleep(0.2)


def main():
    program = next((path for path in map(shutil.which, NAMES) if path), None)
    if program is None or shutil.which("Xvfb") is None:
        print("SKIPPED: Firefox or Xvfb is not installed")
        sys.exit(77)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                             functools.partial(Handler, directory=sys.argv[1]))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = Firefox(program, f"http://127.0.0.1:{server.server_address[1]}/", sys.argv[2] if len(sys.argv) > 2 else None)
    try:
        try_out(page)
        print(f"Firefox {page.version}: all as it should be")
    finally:
        page.close()


main()
