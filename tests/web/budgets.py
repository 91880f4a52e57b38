"""What the page may take: time to the first picture, transfer, memory, script time of a frame."""
import statistics
import time

from page import Handler, VARIANTS, check, in_time

FIRST_PICTURE = 3000  # ms
TRANSFER = 4_000_000  # bytes
MANY_BLOCKS = 3000  # ms
FRAME = 8  # ms of script at 1600x1000, drawing left out


def first_picture(page):
    """Cold: nothing is in the browser's cache. What counts is the first round on the screen, with what runs it."""
    page.forget()
    Handler.sent.clear()
    page.begin()
    page.wait("performance.getEntriesByName('first-round').length > 0")
    begun = page.value("performance.timeOrigin") / 1000

    def until(mark):
        after = page.value(f"performance.getEntriesByName('{mark}')[0].startTime")
        sizes = {path.split("/course/")[1].split("?")[0]: size for when, path, size in Handler.sent if when <= begun + after / 1000}
        return after, sizes, sum(sizes.values())

    (after, sizes, total), (picture, _, before) = until("first-round"), until("first-picture")
    print(f"the first round after {after:.0f} ms, {total / 1e6:.2f} MB in {len(sizes)} files; the window, without a round, after {picture:.0f} ms, "
          f"{before / 1e6:.2f} MB")
    needed = {"", "fonts/Inter-Regular.otf.gz", "stridescope_web.wasm.gz", "worker.js", "stridescope_web_executor.wasm.gz"}
    check(needed <= set(sizes), f"not all was fetched anew: {sizes}")
    check(not [name for name in sizes if name.startswith("recordings/")], f"recordings are fetched before the first round: {sizes}")
    in_time(after < FIRST_PICTURE, f"the first round takes {after:.0f} ms")
    check(total <= TRANSFER, f"{total} bytes until the first round: {sizes}")
    page.value("navigator.serviceWorker.ready.then(() => { window.isKept = true; }); 0")
    page.wait("window.isKept", 60)
    without = sum(size for _, _, size in Handler.sent)
    page.fetch_recordings()
    page.wait_kept_recordings()
    visit = sum(size for _, _, size in Handler.sent)
    there = sum(file.stat().st_size for file in page.folder.rglob("*") if file.is_file() and "packages" not in file.parts)
    print(f"the first visit, kept for one without a network: {without / 1e6:.2f} MB; with recordings {visit / 1e6:.2f} MB of {there / 1e6:.2f} MB")
    check(without < there - 5_000_000, "the first visit has transferred recordings")
    check(visit < 1.05 * there, "files are sent twice")


def many_blocks(page):
    """A grid of 4,096 blocks: from the link to the round. That the results are right webTracesAgree() of ./dev compares."""
    page.begin(link="#show/interleaved_contiguous")
    page.settle_measured()
    for variant, elements in (("sequential", 4096 * 256), ("warp_shuffle", 4096 * 2048)):
        begun = page.value("performance.now()")
        page.value(f"location.hash = '#show/{variant}?n={elements}'; 0")
        page.wait(f"stridescope.ccall('page_variant', 'string', [], []) == '{variant}' && stridescope._page_is_settled() == 1", 120)
        taken = page.value("performance.now()") - begun
        check(page.text("page_message") == "", page.text("page_message"))
        print(f"{variant} with 4,096 blocks: the round after {taken:.0f} ms")
        in_time(taken < MANY_BLOCKS, f"4,096 blocks of {variant} take {taken:.0f} ms")


def many_variants(page):
    page.begin()
    memory = []
    for count in range(3 * len(VARIANTS)):
        variant = VARIANTS[count % len(VARIANTS)]
        page.value(f"location.hash = '#show/{variant}'")
        page.wait(f"stridescope.ccall('page_variant', 'string', [], []) == '{variant}' && stridescope._page_is_settled() == 1", 60)
        if (count + 1) % len(VARIANTS) == 0:
            page.tell("HeapProfiler.collectGarbage")
            scripts = page.tell("Runtime.getHeapUsage")["usedSize"]
            memory.append((page.value("stridescope.HEAPU8.length"), scripts))
    print(f"memory after each {len(VARIANTS)} variants: " + ", ".join(f"{wasm >> 20} + {scripts / 2**20:.1f} MiB" for wasm, scripts in memory))
    check(memory[2][0] == memory[0][0], f"the program's memory grows: {memory}")
    check(memory[2][1] < memory[0][1] + (1 << 20), f"the scripts' memory grows: {memory}")


def script_seconds(page):
    return next(each["value"] for each in page.tell("Performance.getMetrics")["metrics"] if each["name"] == "ScriptDuration")


def frames(page):
    """The script of each frame while rounds are stepped, with nothing drawn: WebGL's functions that take what is drawn do
    nothing. The clock's time counts, and the processor's time of the page's thread, which others on the machine do not lengthen."""
    page.tell("Performance.enable", timeDomain="threadTicks")
    page.begin(width=1600, height=1000, link="#show/sequential?round=first")
    page.fetch_recordings()
    time.sleep(3)
    before = script_seconds(page)
    page.value("""(() => {
        for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced', 'bufferData', 'bufferSubData', 'clear'])
          WebGL2RenderingContext.prototype[name] = () => {};
        window.taken = [];
        const draw = stridescope._page_frame;
        let steps = 0;
        const next = () => {
          const before = stridescope._page_frames(), begun = performance.now();
          draw();
          if (stridescope._page_frames() > before) taken.push(performance.now() - begun);
          if (++steps % 8 === 0) stridescope._page_step(steps % 128 < 64 ? 1 : -1);
          if (steps < 400) requestAnimationFrame(next);
          else window.isDone = true;
        };
        requestAnimationFrame(next);
    })()""")
    page.wait("window.isDone", 60)
    taken = sorted(page.value("taken"))
    script = 1000 * (script_seconds(page) - before) / len(taken)
    median, late = statistics.median(taken), taken[len(taken) * 95 // 100]
    print(f"{len(taken)} frames at 1600x1000 without drawing: by the clock the median takes {median:.1f} ms, 95 % up to {late:.1f} ms; of the "
          f"processor's time each takes {script:.1f} ms")
    check(len(taken) > 100, f"{len(taken)} frames were drawn")
    in_time(median < FRAME, f"a frame takes {median:.1f} ms by the clock")
    in_time(script < FRAME, f"a frame takes {script:.1f} ms of the processor's time")


PARTS = [first_picture, many_blocks, many_variants, frames]
