"""Parts of page_in_a_browser.py: what a finger opens, an on-screen keyboard or an input method types, and a file chooser gives."""
import pathlib
import time

from modes import can_be_chosen
from page import check

ROOT = pathlib.Path(__file__).resolve().parents[2]
HAS_KEYBOARD = "document.activeElement.id === 'typing'"  # for that field a browser shows its keyboard
N = (540, 62)  # the experiment bar's n at 820x1180


def elements(page, number):
    page.wait(f"stridescope._page_elements() === {number}", 20)
    page.settle()


def compose(page, *states):
    """What an on-screen keyboard or an input method makes of a word, one after the other."""
    for text in states:
        page.tell("Input.imeSetComposition", text=text, selectionStart=len(text), selectionEnd=len(text))
        time.sleep(0.1)


def write(page, *states):
    """The same; the last stays."""
    compose(page, *states)
    page.tell("Input.insertText", text=states[-1])


def keyboard(page):
    """It comes by a tap on a field, while the tap is told, types, and goes with the field."""
    page.begin(width=820, height=1180, scale=2, touch=True, link="#show/interleaved_contiguous?round=first")
    page.value("""
        window.gotKeyboard = [];
        let isTold = false;
        addEventListener('pointerup', () => { isTold = true; }, true);
        addEventListener('pointerup', () => { isTold = false; });
        document.getElementById('typing').addEventListener('focus', () => gotKeyboard.push(isTold)); 0""")
    check(not page.value(HAS_KEYBOARD), "there is a keyboard before anything is typed into")
    page.touch_at(*N)
    page.wait(HAS_KEYBOARD, 10)
    check(page.value("gotKeyboard") == [True], f"no keyboard comes for what gets it after the tap: {page.value('gotKeyboard')}")
    box = page.value("(box => [box.left, box.top])(document.getElementById('typing').getBoundingClientRect())")
    check(abs(box[0] - N[0]) < 150 and N[1] < box[1] < N[1] + 80, f"the page's field is at {box}, below the keyboard perhaps")
    page.picture("typed_by_touch")
    page.tell("Input.insertText", text="1000")
    page.key("Enter", "Enter", 13, "\r")
    elements(page, 1000)
    page.wait("!(" + HAS_KEYBOARD + ")", 10)
    page.right()  # the field is closed: it steps
    page.wait("stridescope._page_round() === 1", 10)

    # A word that is composed, and corrected; a keyboard whose Enter is a line.
    page.touch_at(*N)
    page.wait(HAS_KEYBOARD, 10)
    write(page, "2", "20", "200", "2000", "3000", "300")
    page.picture("composed_by_touch")
    page.tell("Input.insertText", text="\n")
    elements(page, 300)

    # Who puts the keyboard away has it again by a tap on the field.
    page.right()
    page.settle()
    page.touch_at(*N)
    page.wait(HAS_KEYBOARD, 10)
    page.value("document.activeElement.blur(); 0")
    time.sleep(1.5)
    check(not page.value(HAS_KEYBOARD), "the keyboard that was put away comes by itself")
    page.touch_at(box[0] + 60, box[1] + 8)
    page.wait(HAS_KEYBOARD, 10)
    page.key("Escape", "Escape", 27)
    page.wait("!(" + HAS_KEYBOARD + ")", 10)
    check(page.value("stridescope._page_elements()") == 300, "Escape takes what was typed")

    # One tap opens it again, where it was closed by Escape, too, or by Enter.
    for text in ("", "", "400", "500", ""):
        page.settle()
        page.touch_at(*N)
        page.wait(HAS_KEYBOARD, 10)
        if text:
            page.tell("Input.insertText", text=text)
            page.key("Enter", "Enter", 13, "\r")
            elements(page, int(text))
        else:
            page.key("Escape", "Escape", 27)
        page.wait("!(" + HAS_KEYBOARD + ")", 10)

    # A key opens a field, too, before any pointer has moved.
    page.begin(width=820, height=1180, scale=2, touch=True)
    page.key("p", "KeyP", 80, modifiers=2)
    page.wait(HAS_KEYBOARD, 10)
    page.key("Escape", "Escape", 27)
    page.wait("!(" + HAS_KEYBOARD + ")", 10)


def composed_in_palette(page):
    """An input method composes into the palette's field: a part of it is taken back, its own keys are none of the window's, and keys
    that write go on behind it."""
    page.begin(link="#show/sequential?round=first")
    page.key("p", "KeyP", 80, modifiers=2)
    page.key("Control", "ControlLeft", 17)
    page.wait(HAS_KEYBOARD, 10)
    write(page, "w", "wa", "war")
    compose(page, "q", "qu", "")  # and is given up
    page.tell("Input.dispatchKeyEvent", type="rawKeyDown", key="Process", code="Enter", windowsVirtualKeyCode=229)
    page.settle()
    page.picture("composed_in_palette")
    check(page.value(HAS_KEYBOARD) and page.text("page_variant") == "sequential", "a key of the input method is the palette's")
    page.type("p shu")
    page.settle()
    page.key("Enter", "Enter", 13, "\r")
    page.wait("stridescope.ccall('page_variant', 'string', [], []) === 'warp_shuffle'", 20)


def choose(page, press, file):
    """Gives the file to the chooser that `press` opens; None: it is closed without one."""
    page.tell("Page.setInterceptFileChooserDialog", enabled=True)
    page.events[:] = [each for each in page.events if each.get("method") != "Page.fileChooserOpened"]
    press()
    opened, end = [], time.monotonic() + 10
    while not opened:
        check(time.monotonic() < end, "no file chooser opens")
        page.value("0")
        opened = [each["params"] for each in page.events if each.get("method") == "Page.fileChooserOpened"]
        time.sleep(0.05)
    page.picture("chooser")
    if file is None:
        page.value("document.querySelector('body > input').dispatchEvent(new Event('cancel')); 0")  # no window that could be closed is there
    else:
        page.tell("DOM.setFileInputFiles", files=[str(file)], backendNodeId=opened[0]["backendNodeId"])
    page.tell("Page.setInterceptFileChooserDialog", enabled=False)


def chosen_file(page):
    """A recording, by Browse... in the form; at first the chooser is closed without one."""
    page.begin(link="#show/interleaved_contiguous?round=first")
    page.key("o", "KeyO", 79, modifiers=2)
    page.settle()
    for file in (None, ROOT / "tests/archive/older/format4.stride"):
        choose(page, lambda: page.click_at(459, 232), file)
        page.settle()
        check(page.value("document.querySelectorAll('body > input').length") == 0, "the chooser stays")
    page.wait("stridescope.ccall('page_variant', 'string', [], []) !== 'interleaved_contiguous'", 20)
    page.settle()
    check(page.text("page_message") == "", page.text("page_message"))
    page.picture("chosen_file")


def end_of_present(page):
    """Who has no key Escape ends Present by a button; who has one sees none, nor does a panel alone."""
    end = "document.getElementById('end')"
    page.begin(width=390, height=844, scale=3, touch=True, link="#show/sequential?round=2")
    page.touch_at(184, 12)  # the menu View
    page.settle()
    page.touch_at(195, 93)  # Present
    page.wait(f"!{end}.hidden", 10)
    page.settle()
    page.picture("end_of_present")
    box = page.value(f"(box => [box.left + box.width / 2, box.top + box.height / 2])({end}.getBoundingClientRect())")
    page.touch_at(*box)
    page.wait(f"{end}.hidden", 10)
    can_be_chosen(page, "End Present", False)
    page.begin(width=390, height=400, scale=2, touch=True, link="?embed=banks")
    page.touch_at(200, 200)
    time.sleep(1)
    check(page.value(f"{end}.hidden"), "a panel alone can be left")
    page.begin(link="#show/sequential?round=2")
    page.key("p", "KeyP", 80, "p")
    can_be_chosen(page, "End Present", True)
    check(page.value(f"{end}.hidden"), "a button over what is presented with a keyboard")


PARTS = [end_of_present, keyboard, composed_in_palette, chosen_file]
