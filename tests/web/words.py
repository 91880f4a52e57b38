"""Parts of page_in_a_browser.py: what a screen reader has, and the keys that are the page's."""
import json
import time

from modes import can_be_chosen
from page import check

BUTTONS = "[...document.querySelectorAll('#commands button')]"
CODES = {"Right": "ArrowRight", "Left": "ArrowLeft", "Up": "ArrowUp", "Down": "ArrowDown", "PgDn": "PageDown", "PgUp": "PageUp",
         "Esc": "Escape"}


def text_of(page, id):
    return page.value(f"document.getElementById('{id}').textContent")


def in_words(page):
    """The round's caption is read when it changes, the maps are to be gone to, and there is a button for each command."""
    page.begin(link="#show/sequential?round=first")
    page.wait("document.getElementById('caption').textContent.startsWith('Load')", 10)
    live = "document.querySelector('[aria-live=polite]')"
    check(page.value(f"{live}.contains(document.getElementById('caption')) && {live}.contains(document.getElementById('summary'))"),
          "nobody is told of a new caption")
    page.value(f"""(() => {{
        window.read = [];
        new MutationObserver(all => read.push(...all.map(each => each.target.textContent)))
          .observe({live}, {{ subtree: true, childList: true, characterData: true }});
    }})()""")
    page.value(f"{BUTTONS}.find(each => each.textContent.startsWith('Step forward')).click(); 0")
    page.settle()
    check(page.round() == 1, f"the button steps to round {page.round()}")
    page.wait("document.getElementById('caption').textContent.startsWith('Stride 128')", 10)
    read = page.value("read.join(' ')")
    check(read.startswith("Stride 128") and len(read) < 600, f"at a step {len(read)} characters are read: {read}")
    check(text_of(page, "summary").startswith("As text: Shared memory, "), text_of(page, "summary"))
    maps = text_of(page, "maps")
    check("data" in maps and len(maps) > 1000, "the maps have shared memory as text")
    check(not page.value(f"{live}.contains(document.getElementById('maps'))"), "the maps are read at each step")
    # What is a region, and what it is called, is the browser's to say.
    found = [each for each in page.tell("Accessibility.getFullAXTree")["nodes"] if each["role"]["value"] == "region"]
    check("The round as text" in [each["name"]["value"] for each in found], f"the regions are {found}")
    count = page.value(f"{BUTTONS}.length")
    check(count > 40, f"{count} commands")

    page.value("location.hash = '#predict/active/sequential'")
    page.settle()
    page.wait("document.getElementById('caption').textContent.includes('hidden until you reveal')", 10)
    check("Question 1 of " in text_of(page, "caption"), "what is asked is not told: " + text_of(page, "caption"))
    page.command("Next question")
    page.wait("document.getElementById('caption').textContent.includes('Question 2 of ')", 10)

    page.value("location.hash = '#compare/interleaved_contiguous/sequential'")
    page.wait("document.getElementById('maps').textContent.includes('The right side: ')", 30)
    page.settle()
    maps = text_of(page, "maps")
    for part in maps[maps.index("The left side: "):maps.index("The right side: ")], maps[maps.index("The right side: "):]:
        check("Shared memory" in part and "Source" in part, "a side has no maps: " + part[:200])


def stand_on(page, button):
    page.wait(f"{button} !== undefined", 10)
    page.value(f"{button}.focus(); 0")


def stands_on(page, text):
    """The focus stays for a while on the button that is called so."""
    time.sleep(0.8)
    now = page.value("document.activeElement.tagName + ' ' + document.activeElement.textContent.slice(0, 60)")
    check(now.startswith("BUTTON " + text), f"the focus is on {now}, not on {text}")


def buttons_by_keys(page):
    """A command's button is pressed by Enter and by Space, which then are none of the window's, and who stands on it stays there."""
    page.begin(link="#show/sequential?round=first")
    step = f"{BUTTONS}.find(each => each.textContent.startsWith('Step forward'))"
    stand_on(page, step)
    for key, code, number, text, round in (("Enter", "Enter", 13, "\r", 1), (" ", "Space", 32, " ", 2), ("Enter", "Enter", 13, "\r", 3)):
        page.key(key, code, number, text)
        page.wait(f"stridescope._page_round() === {round}", 10)
        stands_on(page, "Step forward")
        check(page.round() == round, f"{code} on the button has led on to round {page.round()}")
    page.right()  # other keys are the window's
    page.wait("stridescope._page_round() === 4", 10)
    # At the end the command is none any more, and whoever stands on it does not fall off.
    page.key("End", "End", 35)
    page.wait(f"{step}.getAttribute('aria-disabled') === 'true'", 10)
    stands_on(page, "Step forward")
    last = page.round()
    page.key("Enter", "Enter", 13, "\r")
    stands_on(page, "Step forward")
    check(page.round() == last, "a command that cannot be given is given")
    # What the window says is read, too.
    page.value("location.hash = '#show/no_such_variant'; 0")
    page.wait("document.getElementById('told').textContent.startsWith(\"There is no variant 'no_such_variant'\")", 10)


def answered_in_words(page):
    """Each question of Predict is answered without the window: by buttons, or in a field; what it was worth is read."""
    page.forget()
    page.begin(link="#predict/active/sequential?stride=16")
    asked = "[...document.querySelectorAll('#questions > section')]"
    page.wait(f"{asked}.length === 4 && !document.getElementById('questions').hidden", 10)

    def of(question):
        return f"{asked}.find(each => each.textContent.includes({json.dumps(question)}))"

    def state(question, text):
        page.wait(f"{of(question)}.querySelector('p').textContent === {json.dumps(text)}", 10)
    # Letters and Enter are the field's; G and S would lead elsewhere, and Enter would reveal.
    page.value(f"{of('Which threads')}.querySelector('input').focus(); 0")
    for typed, told in (("gs", "names no threads"), ("0 to 999", "There is no thread 999")):
        page.type(typed)
        page.key("Enter", "Enter", 13, "\r")
        page.wait(f"document.getElementById('told').textContent.includes({json.dumps(told)})", 10)
        page.value("document.activeElement.select(); 0")
    page.type("0 to 15")
    page.key("Enter", "Enter", 13, "\r")
    state("Which threads", "your answer: 0 to 15.")
    page.wait("document.getElementById('told').textContent === ''", 10)  # what was wrong before is right now
    check(page.value("document.activeElement.tagName") == "INPUT", "who types has lost the field")
    check("hidden until you reveal" in text_of(page, "caption"), "Enter in the field reveals the round")
    # A button by its key, and it says that it is chosen.
    warp = f"[...{of('partial')}.querySelectorAll('button')].find(each => each.textContent === 'W0')"
    stand_on(page, warp)
    page.key("Enter", "Enter", 13, "\r")
    state("partial", "your answer: W0.")
    stands_on(page, "W0")
    check(page.value(f"{warp}.getAttribute('aria-pressed')") == "true", "nothing says that W0 is chosen")
    page.value(f"[...{of('How many ways')}.querySelectorAll('button')].find(each => each.textContent === '2').click(); 0")
    state("How many ways", "your answer: 2.")
    page.value(f"{of('hold?')}.querySelector('input').value = '1'; {of('hold?')}.querySelector('input + button').click(); 0")
    state("hold?", "your answer: 1.")
    page.picture("answered_in_words")
    page.command("Reveal the round")
    page.wait("document.getElementById('caption').textContent.startsWith('Question 1: right.')", 10)
    caption = text_of(page, "caption")
    check("Question 3: wrong; the answer is 1." in caption and "Stride 16" in caption, caption)
    check(not page.value("document.querySelector('#questions button, #questions input')"), "what is told can be answered")
    page.key("e", "KeyE", 69, "e")
    page.wait("document.getElementById('questions').hidden", 10)
    page.forget()


def summed_up_in_words(page):
    """At the end of Predict the score and what was wrong are read."""
    page.forget()
    page.begin(link="#predict/active/sequential?round=last")
    page.wait("document.getElementById('caption').textContent.includes('hidden until you reveal')", 10)
    page.value("document.querySelector('#questions button').click(); 0")
    page.wait("document.querySelector('#questions p').textContent.startsWith('your answer: ')", 10)
    page.command("Reveal the round")
    page.wait("document.getElementById('caption').textContent.startsWith('Question 1: ')", 10)
    page.command("Step forward")
    page.wait("document.getElementById('caption').textContent.startsWith('You have predicted 1 of ')", 10)
    check("Next: " in text_of(page, "caption"), text_of(page, "caption"))
    page.forget()


def lesson_in_words(page):
    """An open lesson, and the stop of a tour, is a region with the text and a button for each link; that it has opened is read."""
    page.begin(link="#show/sequential?round=first")
    check(page.value("document.getElementById('reading').hidden"), "there is a lesson before any is open")
    page.key("F2", "F2", 113)
    page.wait("document.getElementById('opened').textContent.startsWith('Lesson: ')", 10)
    check(page.value("document.querySelector('[aria-live=polite]').contains(document.getElementById('opened'))"), "nobody is told of the lesson")
    found = [each for each in page.tell("Accessibility.getFullAXTree")["nodes"] if each["role"]["value"] == "region"]
    title = text_of(page, "opened")
    check(title in [each["name"]["value"] for each in found], f"the regions are {[each['name']['value'] for each in found]}")
    check(len(text_of(page, "reading-text")) > 500, text_of(page, "reading-text"))
    links = "[...document.querySelectorAll('#reading-text button')]"
    page.settle_measured()
    before = page.text("page_variant"), page.round()
    tried = set()
    for at in range(page.value(f"{links}.length")):
        page.value(f"{links}[{at}]?.click(); 0")
        page.settle()
        tried.add((page.text("page_variant"), page.round()))
    check(tried - {before}, f"no link of the lesson leads anywhere: {tried}")
    page.command("Ten-minute tour")
    page.wait("document.getElementById('opened').textContent.startsWith('Stop 1 of ')", 10)
    page.command("Next stop of the tour")
    page.wait("document.getElementById('opened').textContent.startsWith('Stop 2 of ')", 10)
    check(len(text_of(page, "reading-text")) > 100, text_of(page, "reading-text"))
    # A lesson may tell what is asked.
    page.begin(link="#predict/active/sequential?stride=16")
    page.wait("document.getElementById('caption').textContent.includes('hidden until you reveal')", 10)
    page.command("Lesson of this variant")
    page.wait("document.getElementById('reading-text').textContent.startsWith('The lesson may tell what is asked.')", 10)
    page.command("Reveal the round")
    page.wait("document.getElementById('reading-text').textContent.length > 500", 10)
    page.forget()


def event_of(keys):
    """What a browser tells of keys that are called so."""
    *modifiers, key = keys.removesuffix("+").split("+") if keys.endswith("++") else keys.split("+")
    key = key or "+"
    if keys.endswith("++"):
        modifiers, key = [*modifiers, *([key] if key != "+" else [])], "+"
    name = CODES.get(key, key)
    code = name if len(name) > 1 else f"Key{name}" if name.isalpha() else f"Digit{name}" if name.isdigit() else ""
    typed = name.lower() if len(name) == 1 and "Shift" not in modifiers else name
    return {"key": " " if name == "Space" else typed, "code": code, "ctrlKey": "Ctrl" in modifiers, "shiftKey": "Shift" in modifiers,
            "altKey": "Alt" in modifiers, "bubbles": True, "cancelable": True}


def is_taken(page, keys):
    """Whether the page keeps the keys from the browser."""
    event = json.dumps(event_of(keys))
    return page.value(f"(() => {{ const isTaken = !canvas.dispatchEvent(new KeyboardEvent('keydown', {event})); "
                      f"canvas.dispatchEvent(new KeyboardEvent('keyup', {event})); return isTaken; }})()")


def keys_of_the_browser(page):
    """What is offered as a command's key reaches the window, and none of it is the browser's."""
    page.begin()
    for keys in ("F5", "Shift+F5", "Ctrl+F5", "F11", "F12", "Ctrl+R", "Ctrl+Shift+R", "Ctrl+T", "Ctrl+W", "Ctrl+N", "Ctrl+L", "Ctrl+Q",
                 "Ctrl+Tab", "Ctrl+PgDn"):
        check(not is_taken(page, keys), f"the page takes {keys} from the browser")
    page.settle()
    can_be_chosen(page, "End Present", False)
    tried = 0
    for command in json.loads(page.text("page_commands")):
        for keys in filter(None, command["keys"].split(" / ")):
            check(is_taken(page, keys), f"{keys} of {command['name']} is the browser's")
            tried += 1
    check(tried > 50, f"{tried} keys")
    page.forget()


PARTS = [in_words, buttons_by_keys, answered_in_words, summed_up_in_words, lesson_in_words, keys_of_the_browser]
