// Starts the program in the page, and does for it what a desktop does: files, clipboard, settings, time.
'use strict';

(() => {
  const canvas = document.getElementById('canvas');
  const typing = document.getElementById('typing');
  const status = document.getElementById('status');
  const kFonts = ['Inter-Regular.otf', 'Inter-SemiBold.otf', 'Inter-Bold.otf', 'JetBrainsMono-Regular.ttf', 'JetBrainsMono-Bold.ttf'];
  const kRecordings = '/share/stridescope/assets/recordings';
  const kHome = '/home/web_user';
  const kKeepAfter = 1000; // ms without a frame
  let program = null, tellSoon = () => {};

  const tell = sentence => {
    status.hidden = false;
    status.textContent = sentence;
  };
  const failed = error => {
    console.error(error);
    tell(`Stridescope could not start: ${error?.message ?? error}. A current Chrome, Firefox or Safari can show it.`);
  };

  // ---- Frames: when the program says that the next is due, and at once when something happens.

  let frame = 0, timer = 0;
  const draw = () => {
    frame = 0;
    let seconds = 0.25;
    try {
      seconds = program._page_frame();
    } catch (error) {
      clearTimeout(timer);
      program = null;
      console.error(error);
      tell('Stridescope has ended: something went wrong in it, and what was on the screen is lost. Load the page again; settings are kept.');
      return;
    }
    clearTimeout(timer);
    if (document.hidden) return;
    if (seconds < 0.03) wake();
    else timer = setTimeout(wake, seconds * 1000);
    keepSoon();
    tellSoon();
  };
  const wake = () => { if (program && frame === 0) frame = requestAnimationFrame(draw); };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) wake();
    else if (program) program._page_keep_settings();
  });
  addEventListener('pagehide', () => { if (program) program._page_keep_settings(); });

  // ---- What is kept from one visit to the next: the folder of settings, in the browser's database.

  let keeping = 0, framesKept = 0;
  const keepSoon = () => {
    if (keeping !== 0) return;
    keeping = setTimeout(() => {
      keeping = 0;
      if (!program || program._page_frames() === framesKept) return;
      framesKept = program._page_frames();
      program._page_keep_settings();
    }, kKeepAfter);
  };
  const kept = module => new Promise(resolve => {
    module.FS.mkdirTree(kHome);
    try {
      module.FS.mount(module.FS.filesystems.IDBFS, {}, kHome);
      module.FS.syncfs(true, error => { if (error) console.warn(error); resolve(); });
    } catch (error) { // a browser that keeps nothing, as in private windows
      console.warn(error);
      resolve();
    }
  });

  // ---- What the program calls (canvas_context.cpp, file_dialog_web.cpp, file_moves_web.cpp, main.cpp).

  const dialogs = [];
  const copyIn = async file => {
    const name = file.name.replaceAll('/', '_');
    const path = '/opened/' + name;
    program.FS.mkdirTree('/opened');
    program.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
    return path;
  };
  const page = {
    setCursor(name) { canvas.style.cursor = name; },
    copy(text) { navigator.clipboard?.writeText(text).catch(error => console.warn(error)); },
    wantText(wanted) {
      if (wanted === (document.activeElement === typing)) return;
      if (wanted) typing.focus({ preventScroll: true });
      else canvas.focus({ preventScroll: true });
    },
    chooseFile(accept) {
      const input = document.createElement('input');
      const dialog = { state: 0, path: '' };
      input.type = 'file';
      input.accept = accept.split(' ').filter(Boolean).map(pattern => pattern.replace('*', '')).join(',');
      input.addEventListener('cancel', () => { dialog.state = 2; wake(); });
      input.addEventListener('change', async () => {
        dialog.path = await copyIn(input.files[0]);
        dialog.state = 1;
        wake();
      });
      input.click();
      return dialogs.push(dialog) - 1;
    },
    chosen(dialog) { return dialogs[dialog].state; },
    chosenPath(dialog) { return dialogs[dialog].path; },
    saved(path) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([program.FS.readFile(path)]));
      link.download = path.split('/').pop();
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
    keepFiles() { program.FS.syncfs(false, error => { if (error) console.warn(error); }); },
  };

  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', async event => {
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) {
      const path = await copyIn(file);
      program.ccall('page_open', null, ['string'], [path]);
      wake();
    }
  });
  canvas.addEventListener('webglcontextlost', event => {
    event.preventDefault();
    program?._page_keep_settings();
    program = null;
    tell('The browser has taken the graphics away. Load the page again; settings are kept.');
  });

  // ---- The start.

  const followAddress = () => {
    const link = decodeURIComponent(location.hash.slice(1));
    if (!program || link === '') return;
    program.ccall('page_follow', null, ['string'], [link]);
    wake();
  };
  addEventListener('hashchange', followAddress);

  // What stands behind the ? of the address: ?tour=FILE.md and ?recording=FILE.stride open a file of the same origin,
  // ?embed=PANEL shows that panel alone, for a frame in another page.
  const openAsked = async () => {
    const asked = new URLSearchParams(location.search);
    if (asked.has('embed')) program.ccall('page_embed', null, ['string'], [asked.get('embed')]);
    for (const kind of ['recording', 'tour']) {
      if (!asked.has(kind)) continue;
      const url = new URL(asked.get(kind), location.href);
      try {
        if (url.origin !== location.origin)
          throw new Error('it is not where this page is from. Put it beside the page, or save it and drop it here');
        const answer = await fetch(url);
        if (!answer.ok) throw new Error(`the server answers ${answer.status}. Check the address`);
        const name = decodeURIComponent(url.pathname.split('/').pop());
        program.ccall('page_open', null, ['string'], [await copyIn({ name, arrayBuffer: () => answer.arrayBuffer() })]);
      } catch (error) {
        program.ccall('page_tell', null, ['string'], [`The ${kind} ${url.href} could not be opened: ${error.message}.`]);
      }
      wake();
    }
  };

  // After the first picture: recorded times are not what a person waits for.
  const fetchRecordings = async () => {
    const names = await (await fetch('recordings.json')).json();
    program.FS.mkdirTree(kRecordings);
    for (const name of names) program.FS.writeFile(`${kRecordings}/${name}`, await unpackedBytes(`recordings/${name}`));
    program._page_take_recordings();
    wake();
  };

  const start = async () => {
    const fonts = Promise.all(kFonts.map(async name => ({ name, bytes: await unpackedBytes(`fonts/${name}`) })));
    const module = await makeStridescope({
      canvas,
      page,
      executor: new Executors(wake),
      instantiateWasm: instantiateUnpacked('stridescope_web.wasm', failed),
      printErr: text => console.error(text),
    });
    module.FS.mkdir('/fonts');
    for (const { name, bytes } of await fonts) module.FS.writeFile(`/fonts/${name}`, bytes);
    await kept(module);
    program = module;
    if (module.callMain([]) !== 0) throw new Error('the window could not be opened, as the console says');
    listenToPerson(canvas, typing, module, wake);
    tellSoon = tellInWords(module, wake);
    followAddress();
    openAsked().catch(failed);
    draw();
    status.hidden = true;
    window.stridescope = module; // for tests
    performance.mark('first-picture');
    canvas.focus({ preventScroll: true });
    setTimeout(() => fetchRecordings().catch(error => console.warn(error)), 200);
    // Browsers allow it for pages of https and of this machine alone.
    navigator.serviceWorker?.register('offline.js').catch(error => console.warn(error));
  };
  start().catch(error => { program = null; failed(error); });
})();
