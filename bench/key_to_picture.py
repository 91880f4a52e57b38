#!/usr/bin/env python3
"""From a key to the changed picture, in the real window on the display at hand.

  xvfb-run -a -s "-screen 0 1600x1000x24" bench/key_to_picture.py PROGRAM [KEYS]

Starts PROGRAM with settings of its own, at 1600x1000, and gives it KEYS (40 unless given) presses of the arrow keys through
the X server's XTest extension, half a second apart. After each it reads the window's caption, a strip of the picture, again
and again until a pixel of it is another, and prints the milliseconds in between: median, lowest and highest. Run it on an
idle machine, and give the machine and OpenGL's renderer with the figures. Needs libX11 and libXtst.
"""
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

X11 = ctypes.CDLL("libX11.so.6")
XTST = ctypes.CDLL("libXtst.so.6")
ALL_PLANES, Z_PIXMAP = ctypes.c_ulong(-1), 2


class XImage(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int), ("format", ctypes.c_int),
                ("data", ctypes.c_void_p), ("byte_order", ctypes.c_int), ("bitmap_unit", ctypes.c_int),
                ("bitmap_bit_order", ctypes.c_int), ("bitmap_pad", ctypes.c_int), ("depth", ctypes.c_int),
                ("bytes_per_line", ctypes.c_int), ("bits_per_pixel", ctypes.c_int)]


X11.XOpenDisplay.restype = ctypes.c_void_p
X11.XDefaultRootWindow.restype = ctypes.c_ulong
X11.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
X11.XGetImage.restype = ctypes.POINTER(XImage)
X11.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint,
                          ctypes.c_ulong, ctypes.c_int]
X11.XStringToKeysym.restype = ctypes.c_ulong
X11.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
X11.XFlush.argtypes = X11.XSync.argtypes = [ctypes.c_void_p]
X11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
XTST.XTestFakeKeyEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]


class Screen:
    def __init__(self):
        self.display = X11.XOpenDisplay(None)
        if not self.display:
            sys.exit("key_to_picture.py: there is no display; run it under xvfb-run.")
        self.root = X11.XDefaultRootWindow(self.display)

    def strip(self, y, height):
        """The bytes of the screen's rows y to y + height, 1000 pixels wide."""
        image = X11.XGetImage(self.display, self.root, 20, y, 1000, height, ALL_PLANES, Z_PIXMAP)
        size = image.contents.bytes_per_line * height
        data = ctypes.string_at(image.contents.data, size)
        X11.XDestroyImage(image)
        return data

    def press(self, name):
        code = X11.XKeysymToKeycode(self.display, X11.XStringToKeysym(name.encode()))
        XTST.XTestFakeKeyEvent(self.display, code, 1, 0)
        XTST.XTestFakeKeyEvent(self.display, code, 0, 0)
        X11.XSync(self.display, 0)


def wait_for_window(program):
    for _ in range(300):
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "Stridescope"], capture_output=True,
                               text=True, check=False).stdout.split()
        if found:
            subprocess.run(["xdotool", "windowmove", found[0], "0", "0"], check=False)
            subprocess.run(["xdotool", "windowfocus", "--sync", found[0]], check=False)
            return
        if program.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit("key_to_picture.py: the program opened no window.")


def changed_rows(before, after, width):
    """The first and the last of the rows in which two pictures differ, or None."""
    rows = [y for y in range(len(before) // width) if before[y * width:(y + 1) * width] != after[y * width:(y + 1) * width]]
    return (rows[0], rows[-1]) if rows else None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    keys = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
        program = subprocess.Popen([sys.argv[1]], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for_window(program)
            time.sleep(4)
            screen = Screen()
            screen.press("Escape")
            screen.press("3")
            time.sleep(2)
            # Where the picture of a step differs: the caption is the highest text of it.
            whole = screen.strip(0, 990)
            screen.press("Right")
            time.sleep(1)
            rows = changed_rows(whole, screen.strip(0, 990), len(whole) // 990)
            if rows is None:
                sys.exit("key_to_picture.py: the right arrow key changed nothing.")
            times = []
            for press in range(keys):
                before = screen.strip(rows[0], 40)
                start = time.monotonic()
                screen.press("Left" if press % 2 == 0 else "Right")
                while screen.strip(rows[0], 40) == before:
                    if time.monotonic() - start > 2:
                        sys.exit("key_to_picture.py: a key changed nothing in 2 s.")
                times.append((time.monotonic() - start) * 1000)
                time.sleep(0.5)
        finally:
            program.terminate()
            program.wait()
    print(f"{len(times)} keys: median {statistics.median(times):.1f} ms, {min(times):.1f} to {max(times):.1f} ms")


main()
