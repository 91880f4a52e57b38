"""What the page may take: time to the first picture, transfer, memory, script time of a frame."""
import statistics
import time

from page import VARIANTS, check

FIRST_PICTURE = 3000  # ms
TRANSFER = 4_000_000  # bytes
FRAME = 8  # ms of script at 1600x1000, drawing left out


def first_picture(page):
    """Cold: nothing is in the browser's cache."""
    page.forget()
    page.begin()
    picture = page.value("performance.getEntriesByName('first-picture')[0].startTime")
    names = set(page.value(f"""performance.getEntriesByType('resource').filter(each => each.startTime < {picture})
        .map(each => each.name.split('/course/')[1].split('?')[0])"""))
    names |= {"index.html"}
    sizes = {name: (page.folder / name).stat().st_size for name in names}
    total = sum(sizes.values())
    # What runs the first variant is fetched meanwhile, by its worker, whose files the page's list does not have.
    later = sum((page.folder / name).stat().st_size for name in ("worker.js", "stridescope_web_executor.js", "stridescope_web_executor.wasm.gz"))
    print(f"the first picture after {picture:.0f} ms, {total / 1e6:.2f} MB in {len(sizes)} files; with the executor, for the first round, "
          f"{(total + later) / 1e6:.2f} MB")
    check("fonts/Inter-Regular.otf.gz" in names and "stridescope_web.wasm.gz" in names, f"not all was fetched anew: {names}")
    check(picture < FIRST_PICTURE, f"the first picture takes {picture:.0f} ms")
    check(total <= TRANSFER, f"{total} bytes until the first picture: {sizes}")


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
    nothing. What counts is the processor's time of the page's thread, which others on the machine do not lengthen."""
    page.tell("Performance.enable", timeDomain="threadTicks")
    page.begin(width=1600, height=1000, link="#show/sequential?round=first")
    page.wait("performance.getEntriesByType('resource').some(each => each.name.endsWith('h100-variants.stride.gz'))", 60)
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
    print(f"{len(taken)} frames at 1600x1000 without drawing: {script:.1f} ms of script each; by the clock the median takes {median:.1f} ms, "
          f"95 % up to {late:.1f} ms")
    check(len(taken) > 100, f"{len(taken)} frames were drawn")
    check(script < FRAME, f"the script of a frame takes {script:.1f} ms")


PARTS = [first_picture, many_variants, frames]
