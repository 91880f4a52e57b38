// Keys, pointer, touch, clipboard: what a person does to the canvas, told to the program (canvas_input.cpp).
'use strict';

// `program`: the module; `wake`: called after each. Gives two functions: whether a finger is on the canvas; whether what
// pressed there last was one.
function listenToPerson(canvas, typing, program, wake) {
  const modifiersOf = event => (event.ctrlKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0) | (event.metaKey ? 8 : 0);

  // A panel alone in a frame of another page: what is before and after it can be reached from there.
  const isEmbedded = window !== window.parent && new URLSearchParams(location.search).has('embed');
  if (isEmbedded) canvas.style.touchAction = 'pan-y'; // a finger scrolls that page

  // Whether it is the browser's key, which the program has no command for (isBrowsers() in command_table.h).
  const tellKey = (key, code, character, down, repeats, modifiers) =>
    program.ccall('page_key', 'boolean', ['string', 'string', 'number', 'number', 'number', 'number'],
      [key, code, character, down ? 1 : 0, repeats ? 1 : 0, modifiers]);
  // A button or a link of the page, as a screen reader has them, is pressed by its keys, and its field is typed into.
  const isOfElement = event => {
    const on = event.target instanceof Element ? event.target.closest('button, a, input') : null;
    if (!on) return false;
    return on.tagName === 'INPUT' ? !/^F\d+$/.test(event.key) && event.key !== 'Escape' : event.key === 'Enter' || event.key === ' ';
  };
  const onKey = (event, down) => {
    if ((event.ctrlKey || event.metaKey) && event.code === 'KeyV') return; // `paste` follows
    if (isEmbedded && event.code === 'Tab' && !event.ctrlKey) return; // the next link or field of that page
    if (isOfElement(event)) return;
    if (event.isComposing || ['Unidentified', 'Process', 'Dead'].includes(event.key)) return; // an input method: `input` follows
    if (down) forgetTyped();
    const isCharacter = [...event.key].length === 1;
    const isBrowsers = tellKey(event.key, event.code, isCharacter ? event.key.codePointAt(0) : 0, down, event.repeat, modifiersOf(event));
    if (!isBrowsers) event.preventDefault();
    wake();
  };
  addEventListener('keydown', event => onKey(event, true));
  addEventListener('keyup', event => onKey(event, false));

  // On-screen keyboards and input methods write into the page's field, and change there what they have written: they compose
  // a word letter by letter, and correct it. The window's field is told each change as keys and characters.
  let told = []; // the characters of the page's field that the window's has
  const forgetTyped = () => {
    typing.value = '';
    told = [];
  };
  const strike = key => [true, false].forEach(down => tellKey(key, key, 0, down, false, 0));
  const takeTyped = () => {
    const now = [...typing.value];
    const differs = told.findIndex((character, at) => character !== now[at]), same = differs < 0 ? told.length : differs;
    for (let at = same; at < told.length; ++at) strike('Backspace');
    const [text, ...lines] = now.slice(same).join('').split('\n');
    if (text !== '') program.ccall('page_text', null, ['string'], [text]);
    told = now;
    if (lines.length > 0) {
      strike('Enter');
      forgetTyped();
    }
    wake();
  };
  typing.addEventListener('input', takeTyped);
  typing.addEventListener('blur', forgetTyped);

  // Ctrl+V reaches the window as keys once the text is there.
  addEventListener('paste', event => {
    if (event.target instanceof HTMLInputElement) return; // a field of the page
    const text = event.clipboardData?.getData('text/plain');
    if (text) program.ccall('page_pasted', null, ['string'], [text]);
    for (const down of [1, 0]) tellKey('v', 'KeyV', 118, down, false, down);
    event.preventDefault();
    wake();
  });

  // The page's middle button is its second.
  const buttonOf = event => [0, 2, 1][event.button] ?? -1;

  // On a phone a finger that goes across the panels steps; below them it drags the scrub bar.
  const kPhone = 600, kSwipe = 48, kSwipeTime = 500, kBars = 90; // units of the page, ms
  let swipe = null;
  const beginSwipe = event => {
    const isOnPanels = event.clientY > kBars && event.clientY < innerHeight - kBars;
    swipe = innerWidth < kPhone && isOnPanels ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
  };
  const endSwipe = event => {
    if (!swipe) return;
    const across = event.clientX - swipe.x, down = event.clientY - swipe.y, isQuick = event.timeStamp - swipe.time < kSwipeTime;
    swipe = null;
    if (!isQuick || Math.abs(across) < kSwipe || Math.abs(across) < 2 * Math.abs(down)) return;
    program._page_step(across < 0 ? 1 : -1); // as a page is turned
    wake();
  };
  const tellPointer = (x, y, button, down, isTouch) => {
    const box = canvas.getBoundingClientRect();
    program._page_pointer(x - box.left, y - box.top, button, down ? 1 : 0, isTouch ? 1 : 0);
    wake();
  };
  const onPointer = (event, button, down) => tellPointer(event.clientX, event.clientY, button, down, event.pointerType === 'touch');

  // Two fingers zoom the map between them: by a notch of the wheel each time their distance has grown or shrunk so much.
  const kNotch = 1.6;
  const fingers = new Map(); // by pointerId: where each is
  let pinch = 0; // their distance at the last notch; 0: they do not zoom
  const distanceOfFingers = () => {
    const [a, b] = fingers.values();
    return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  };
  const turnByFingers = () => {
    const distance = distanceOfFingers(), notch = distance >= pinch * kNotch ? 1 : distance * kNotch <= pinch ? -1 : 0;
    if (notch === 0) return;
    pinch = distance;
    const [a, b] = fingers.values();
    tellPointer((a.x + b.x) / 2, (a.y + b.y) / 2, -1, false, true);
    program._page_wheel(0, notch);
  };

  // The first finger presses only once it is clear that no second one comes, so that zooming pins nothing.
  const kAlone = 60, kStill = 8; // ms; units of the page that a finger trembles
  const kFarAway = 1e6; // where nothing is, for Dear ImGui
  let press = null; // how it is let through; null: it has been, or none is to come
  const letPressThrough = () => {
    press?.();
    press = null;
  };
  const beginTouch = event => {
    const at = { x: event.clientX, y: event.clientY };
    fingers.set(event.pointerId, { ...at, from: at });
    if (fingers.size === 1) {
      beginSwipe(event);
      const timer = isEmbedded ? 0 : setTimeout(letPressThrough, kAlone); // a finger that is to scroll that page presses nothing
      press = () => {
        clearTimeout(timer);
        onPointer(event, 0, true);
      };
      return;
    }
    swipe = null;
    if (press === null) tellPointer(event.clientX, event.clientY, 0, false, true); // what the first one drags is let go
    press = null;
    pinch = fingers.size === 2 ? distanceOfFingers() : 0;
  };
  const moveTouch = event => {
    const at = fingers.get(event.pointerId);
    if (!at) return;
    Object.assign(at, { x: event.clientX, y: event.clientY });
    if (pinch > 0 && fingers.size === 2) turnByFingers();
    if (pinch > 0 || fingers.size > 1) return;
    const across = Math.abs(at.x - at.from.x), down = Math.abs(at.y - at.from.y);
    if (press && (Math.hypot(across, down) < kStill || (isEmbedded && down > across))) return;
    letPressThrough();
    onPointer(event, -1, false);
  };
  const endTouch = event => {
    const wasAlone = fingers.size === 1 && pinch === 0;
    fingers.delete(event.pointerId);
    if (fingers.size === 0) pinch = 0;
    if (!wasAlone) return;
    if (event.type !== 'pointerup') { // the browser has taken it, to scroll: it clicks nothing
      if (press === null) tellPointer(-kFarAway, -kFarAway, 0, false, true);
      press = swipe = null;
      return;
    }
    letPressThrough();
    onPointer(event, 0, false);
    endSwipe(event);
    program._page_answer_tap(); // at once: a browser shows its keyboard, and files to choose, while a tap is told, and not later
  };

  let isByFinger = false;
  canvas.addEventListener('pointerdown', event => {
    isByFinger = event.pointerType === 'touch';
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') beginTouch(event);
    else onPointer(event, buttonOf(event), true);
    event.preventDefault();
  });
  canvas.addEventListener('pointermove', event => { event.pointerType === 'touch' ? moveTouch(event) : onPointer(event, -1, false); });
  const onUp = event => {
    if (event.pointerType === 'touch') return endTouch(event);
    onPointer(event, Math.max(0, buttonOf(event)), false);
  };
  canvas.addEventListener('pointerup', onUp);
  canvas.addEventListener('pointercancel', onUp);
  canvas.addEventListener('pointerleave', event => {
    if (event.buttons !== 0) return;
    program._page_pointer_gone();
    wake();
  });
  // No mouse's press follows a tap, by which a browser could take the keyboard from the field that the tap has opened.
  canvas.addEventListener('touchend', event => { if (event.cancelable) event.preventDefault(); }, { passive: false });
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('wheel', event => {
    if (isEmbedded && !document.hasFocus()) return; // that page scrolls, until somebody clicks in the frame
    const notches = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 0.01 : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 1 / 3 : 1;
    program._page_wheel(-event.deltaX * notches, -event.deltaY * notches);
    event.preventDefault();
    wake();
  }, { passive: false });

  addEventListener('focus', () => { program._page_focus(1); wake(); });
  addEventListener('blur', () => { program._page_focus(0); wake(); });
  addEventListener('resize', wake);
  return { isTouched: () => fingers.size > 0, isByFinger: () => isByFinger };
}
