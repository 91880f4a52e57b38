
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const variants = [...document.querySelectorAll(".variant")].map((element) => ({
    element,
    title: element.querySelector("h2").textContent,
    steps: [...element.querySelectorAll(".step")],
  }));
  const bar = document.querySelector(".variants"), transport = document.querySelector(".transport");
  const both = $("both"), scrub = $("scrub"), back = $("back"), next = $("next");
  let variant = 0, at = 0, comparing = false;

  const steps = () => variants[variant].steps;
  const isAsked = (step) => step.matches(".asks:not(.revealed)");
  const hides = (step) => !comparing && isAsked(step);
  const text = (step, kind) => [...step.querySelectorAll(kind)].map((each) => each.textContent).join(" ");
  const wordsOf = (step) => [text(step, ".trouble"), text(step, ".caption")].filter(Boolean).join(" ");
  const titleOf = (step) => step.querySelector("h3").firstChild.textContent.trim();
  const pictureOf = (step) => {
    const picture = step.querySelector(".pictures picture");
    return picture ? picture.cloneNode(true) : document.createTextNode("");
  };

  function announce(words) {
    $("live").textContent = words;
  }

  function tell(step) {
    announce(titleOf(step) + ". " +
             (hides(step) ? text(step, ".ask") : wordsOf(step)));
  }

  // The step of the right variant that goes with one of the left: of the same round, or of the same name.
  function partnerOf(step) {
    const others = variants[$("right").value].steps;
    if ($("same").value === "name") return others.find((each) => each.dataset.name === step.dataset.name);
    return others[at];
  }

  function side(id, name, step, last) {
    const caption = $(id + "caption");
    caption.replaceChildren();
    const heading = document.createElement("h3"), words = document.createElement("p");
    heading.textContent = (id === "left" ? "Left: " : "Right: ") + name + (step ? ", " + titleOf(step) : "");
    words.className = "caption";
    words.textContent = step && isAsked(step) ? "Hidden until you answer its question and reveal it."
      : step ? wordsOf(step)
      : isAsked(last) ? "It has no such round."
      : "It has no such round. The picture is that of its last one: " + titleOf(last) + ".";
    caption.append(heading, words);
    return heading.textContent + ". " + words.textContent;
  }

  function showBoth() {
    const left = steps()[at], others = variants[$("right").value].steps;
    const right = partnerOf(left), last = others[others.length - 1];
    const shown = (step) => isAsked(step) ? document.createTextNode("") : pictureOf(step);
    both.querySelector(".over").replaceChildren(shown(left));
    both.querySelector(".under").replaceChildren(shown(right || last));
    announce(side("left", variants[variant].title, left) + " " +
             side("right", variants[$("right").value].title, right, last));
    divide();
  }

  function divide() {
    const share = $("divider").value;
    both.querySelector(".over").style.clipPath = "inset(0 " + (100 - share) + "% 0 0)";
    both.querySelector(".rule").style.left = "calc(" + share + "% - 1px)";
  }

  // What was seen before the question: the picture of the step before.
  function showBefore(step) {
    const before = step.querySelector(".before");
    if (!before || before.hasChildNodes() || at === 0) return;
    const note = document.createElement("p");
    note.className = "key";
    note.textContent = "Before it, " + titleOf(steps()[at - 1]) + ":";
    before.append(note, pictureOf(steps()[at - 1]));
  }

  function show(quietly) {
    const step = steps()[at];
    for (const each of variants) {
      each.element.classList.toggle("now", !comparing && each === variants[variant]);
      for (const one of each.steps) one.classList.toggle("now", one === step);
    }
    scrub.max = steps().length - 1;
    scrub.value = at;
    scrub.setAttribute("aria-valuetext", titleOf(step) + ", " + step.querySelector("small").textContent);
    $("place").textContent = (at + 1) + " of " + steps().length + " \u00b7 " + titleOf(step);
    back.setAttribute("aria-disabled", String(at === 0));
    next.setAttribute("aria-disabled", String(at === steps().length - 1 && !hides(step)));
    next.textContent = hides(step) ? "Reveal" : "Next";
    if (bar) {
      bar.querySelectorAll(".show").forEach((each, i) =>
        each.setAttribute("aria-pressed", String(!comparing && i === variant)));
      $("compare").setAttribute("aria-pressed", String(comparing));
      both.hidden = !comparing;
    }
    if (hides(step)) showBefore(step);
    if (comparing) showBoth();
    else if (!quietly) tell(step);
    try {
      history.replaceState(null, "", "#" + step.id.slice("at-".length));
    } catch (error) {
      // a page in a frame of its own has no address to change
    }
  }

  function go(to) {
    const bounded = Math.max(0, Math.min(steps().length - 1, to));
    if (bounded === at) return;
    at = bounded;
    show();
  }

  function choose(which) {
    variant = which;
    at = Math.min(at, steps().length - 1);
    show();
  }

  // What tells of all rounds waits until each of them was revealed.
  function tellWhole(one) {
    const asks = one.element.querySelector(".asks:not(.revealed)") !== null;
    one.element.querySelectorAll(".whole").forEach((each) => { each.hidden = asks; });
  }

  function reveal(step) {
    step.classList.add("revealed");
    variants.forEach(tellWhole);
    step.querySelectorAll(".choice").forEach((each) => {
      const chosen = each.getAttribute("aria-pressed") === "true", right = "right" in each.dataset;
      each.querySelector(".verdict").textContent = right ? (chosen ? " \u2713 right, your answer" : " \u2713 right")
                                                         : chosen ? " \u2715 your answer" : "";
    });
    if (document.activeElement === document.body || step.contains(document.activeElement)) next.focus();
    show();
  }

  function forward() {
    const step = steps()[at];
    if (hides(step)) reveal(step);
    else go(at + 1);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("pre, .scroll, input, select, .large")) return;
    const keys = {
      ArrowRight: forward,
      ArrowLeft: () => go(at - 1),
      PageDown: forward,
      PageUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(steps().length - 1),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  // A swipe goes across, with one finger, on a page that is not enlarged.
  let touch = null;
  document.addEventListener("touchstart", (event) => {
    const zoomed = window.visualViewport && window.visualViewport.scale > 1.05;
    const taken = event.target.closest("pre, .scroll, input, .large, .transport, .stack");
    touch = event.touches.length === 1 && !zoomed && !taken
      ? {x: event.touches[0].clientX, y: event.touches[0].clientY} : null;
  }, {passive: true});
  document.addEventListener("touchend", (event) => {
    if (!touch || event.changedTouches.length !== 1) return;
    const x = event.changedTouches[0].clientX - touch.x, y = event.changedTouches[0].clientY - touch.y;
    touch = null;
    if (Math.abs(x) < 40 || Math.abs(x) < 1.5 * Math.abs(y)) return;
    if (x < 0) forward();
    else go(at - 1);
  }, {passive: true});

  back.addEventListener("click", () => go(at - 1));
  next.addEventListener("click", forward);
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  document.querySelectorAll(".reveal").forEach((each) =>
    each.addEventListener("click", () => reveal(each.closest(".step"))));
  document.querySelectorAll(".choice").forEach((each) => each.addEventListener("click", () => {
    if (!hides(each.closest(".step"))) return;
    each.parentElement.querySelectorAll(".choice").forEach((other) =>
      other.setAttribute("aria-pressed", String(other === each)));
  }));
  document.querySelectorAll(".enlarge").forEach((each) => {
    each.hidden = false;
    each.setAttribute("aria-label", "Enlarge " + each.parentElement.firstChild.textContent.trim());
    each.addEventListener("click", () => {
      const figure = each.closest("figure"), large = figure.classList.toggle("large");
      figure.querySelector(".frame").tabIndex = large ? 0 : -1;
      each.setAttribute("aria-pressed", String(large));
      each.textContent = large ? "Fit" : "Enlarge";
    });
  });
  // What is opened in one step is open in all.
  document.querySelectorAll(".step details").forEach((each) => each.addEventListener("toggle", () => {
    document.querySelectorAll(".step details." + each.className).forEach((other) => {
      if (other.open !== each.open) other.open = each.open;
    });
  }));
  if (bar) {
    bar.querySelectorAll(".show").forEach((each, i) => each.addEventListener("click", () => {
      comparing = false;
      choose(i);
    }));
    $("compare").addEventListener("click", () => {
      comparing = !comparing;
      $("left").value = variant;
      if ($("right").value === String(variant)) $("right").value = (variant + 1) % variants.length;
      show();
    });
    $("left").addEventListener("change", () => choose(Number($("left").value)));
    for (const id of ["right", "same"]) $(id).addEventListener("change", () => show());
    $("divider").addEventListener("input", divide);
    const stack = both.querySelector(".stack");
    const follow = (event) => {
      if (event.buttons === 0) return;
      const area = stack.getBoundingClientRect();
      $("divider").value = Math.round(100 * (event.clientX - area.left) / area.width);
      divide();
    };
    stack.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      stack.setPointerCapture(event.pointerId);
      follow(event);
    });
    stack.addEventListener("pointermove", follow);
    // Of two, both are shown: there is nothing to choose.
    for (const id of ["left", "right"]) $(id).parentElement.hidden = variants.length === 2;
    bar.hidden = false;
  }

  const given = /^#v(\d+)s(\d+)$/.exec(location.hash);
  if (given && variants[given[1]] && variants[given[1]].steps[given[2]]) {
    variant = Number(given[1]);
    at = Number(given[2]);
  }
  document.documentElement.classList.add("js");
  document.body.classList.add("steps");
  transport.hidden = false;
  variants.forEach(tellWhole);
  show(true);
})();
