"""File > Export in the page: each kind of file is saved by keys, downloaded, and opened."""
import io
import json
import pathlib
import struct
import tempfile
import time
import zipfile

from page import check

# As the form lists the kinds, with where the button Save then lies, and the field of the path above it.
KINDS = {"picture": (0, 314), "pictures": (1, 348), "film": (2, 348), "page": (3, 402), "csv": (4, 314), "markdown": (5, 314), "quiz": (6, 266)}
ROUNDS = 10  # of interleaved_contiguous: the load, eight strides, the result


def save(page, kind, name=None):
    """Opens the form by its key in a window of 1280x720, chooses the kind in its list, and saves under the name that it
    proposes, or another."""
    page.key("e", "KeyE", 69, modifiers=2)
    page.settle()
    place, y = KINDS[kind]
    page.click_at(704, 148)
    page.settle()
    page.click_at(560, 179 + 24 * place)
    page.settle()
    if name:
        page.click_at(640, y - 34)
        page.key("a", "KeyA", 65, modifiers=2)
        page.type(name)
        page.settle()
    page.picture(f"export_{kind}")
    if name:
        page.key("Enter", "Enter", 13)
    else:
        page.click_at(384, y)


def size_of_png(data):
    check(data[:8] == b"\x89PNG\r\n\x1a\n", f"no PNG: {data[:8]!r}")
    return struct.unpack(">II", data[16:24])


def opened_in_browser(page, data):
    """The page that was exported, as a browser opens it: steps it, and tells what it shows."""
    events = list(page.events)  # those of the edition itself
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "exported.html")
        file.write_bytes(data)
        page.open(str(file))
        count = page.value("document.querySelectorAll('img').length")
        drawn = page.value("[...document.images].filter(each => each.complete && each.naturalWidth > 0).length")
        before = page.value("document.body.innerText")
        page.press("ArrowRight")
        page.wait(f"document.body.innerText !== {json.dumps(before)}")
        page.picture("exported_page")
        check(not page.complaints(), f"the exported page: {page.complaints()}")
    page.events[:] = events
    return count, drawn, before


def exported(page):
    page.begin(link="#show/interleaved_contiguous?round=4")
    page.longest_task()
    save(page, "page")
    html = page.downloaded("interleaved_contiguous.html", 240)
    print(f"while the page was made, the longest task was {page.longest_task():.0f} ms")
    save(page, "csv")
    csv = page.downloaded("interleaved_contiguous.csv").decode().splitlines()
    check(len(csv) == 1 + ROUNDS, f"the table has {len(csv)} lines")
    check(page.text("page_remark") == "The browser downloads interleaved_contiguous.csv.", page.text("page_remark"))
    page.picture("downloaded")
    save(page, "markdown")
    check(page.downloaded("interleaved_contiguous.md").decode().startswith("## interleaved, contiguous"), "the table in Markdown")
    save(page, "quiz")
    sheet = page.downloaded("interleaved_contiguous-questions.html").decode()
    check(sheet.count("<li>") == 24, f"the sheet has {sheet.count('<li>')} questions and answers")
    save(page, "picture")
    check(size_of_png(page.downloaded("interleaved_contiguous.png")) == (1280, 720), "the picture has another size")
    save(page, "film")
    film = page.downloaded("interleaved_contiguous.gif", 240)
    check(film[:6] == b"GIF89a" and struct.unpack("<HH", film[6:10]) == (1280, 720), f"no film: {film[:10]!r}")
    save(page, "pictures")
    with zipfile.ZipFile(io.BytesIO(page.downloaded("interleaved_contiguous.zip", 240))) as archive:
        check(page.text("page_remark") == "The browser downloads interleaved_contiguous.zip.", page.text("page_remark"))
        check(archive.testzip() is None, "the archive is damaged")
        names = archive.namelist()
        check(sorted(names) == [f"round-{number:03}.png" for number in range(ROUNDS)], f"the archive has {names}")
        check(all(size_of_png(archive.read(name)) == (1280, 720) for name in names), "a picture has another size")
    check(page.text("page_message") == "", page.text("page_message"))
    count, drawn, text = opened_in_browser(page, html)
    check(count >= 4 * ROUNDS and drawn > 0, f"of {count} pictures of the exported page {drawn} are drawn")
    check("Stride 8" in text or "load" in text.lower(), text[:200])


def export_cancelled(page):
    """The page goes on while a film is made, and Cancel ends the worker."""
    page.begin(link="#show/interleaved_contiguous?round=first")
    save(page, "film", "cancelled.gif")
    page.wait("[...document.querySelectorAll('#commands button')].some(each => each.textContent.startsWith('Cancel') && !each.disabled)", 20)
    before = page.frames()
    time.sleep(1)
    check(page.frames() > before, "nothing is drawn while a film is made")
    page.value("[...document.querySelectorAll('#commands button')].find(each => each.textContent.startsWith('Cancel')).click()")
    page.wait("stridescope.exporters.asked.size === 0", 10)
    time.sleep(2)
    check(not list(page.downloads.glob("cancelled*")), "what was cancelled was downloaded")


PARTS = [exported, export_cancelled]
