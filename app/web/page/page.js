// Starts the program in the page, and does for it what a desktop does: files, clipboard, settings, time.
'use strict';

(() => {
  const canvas = document.getElementById('canvas');
  const typing = document.getElementById('typing');
  const status = document.getElementById('status');
  const end = document.getElementById('end');
  const leadToProgram = document.getElementById('program');
  const kFonts = ['Inter-Regular.otf', 'Inter-SemiBold.otf', 'Inter-Bold.otf', 'JetBrainsMono-Regular.ttf', 'JetBrainsMono-Bold.ttf'];
  const kRecordings = '/share/stridescope/assets/recordings', kFontFolder = '/usr/share/fonts/inter';
  // ?embed=PANEL shows that panel alone, for a frame in another page. It keeps nothing, and is the same for everybody.
  const kAlone = new URLSearchParams(location.search).get('embed'); // null: the whole window
  const kHome = '/home/web_user';
  const kKeepAfter = 1000; // ms without a frame
  const kKeptWithin = 3000; // ms: a browser whose database does not answer by then keeps nothing, in this visit
  const kRoundAfter = 5000; // ms: a round that is not shown by then may never be, as where a link leads nowhere
  let program = null, compiled = null, tellSoon = () => {};

  const tell = sentence => {
    status.hidden = false;
    status.textContent = sentence;
  };
  const failed = error => {
    console.error(error);
    const why = String(error?.message ?? error).replace(/\.+$/, '');
    tell(`Stridescope could not start: ${why}. Load the page again. If that does not help: a current Chrome, Firefox or Safari can show it.`);
  };

  // ---- Frames: when the program says that the next is due, and at once when something happens.

  let frame = 0, timer = 0, isRoundShown = false, tellRoundShown = () => {};
  const roundShown = new Promise(resolve => { tellRoundShown = resolve; });
  const draw = () => {
    frame = 0;
    let seconds = 0.25;
    try {
      seconds = program._page_frame();
    } catch (error) {
      console.error(error);
      return ended();
    }
    clearTimeout(timer);
    if (!isRoundShown && program._page_is_settled() === 1) {
      isRoundShown = true;
      performance.mark('first-round');
      tellRoundShown();
    }
    leadToProgram.hidden = program._page_offers_program() === 0;
    end.hidden = !isByFinger() || program._page_end_of_present() < 0; // who has no key for it
    placeLinks();
    if (program._page_wants_recordings() === 1) fetchRecordings();
    if (document.hidden) return;
    if (seconds < 0.03) wake();
    else if (isFinite(seconds)) timer = setTimeout(wake, seconds * 1000);
    keepSoon();
    tellSoon();
  };
  // Where the window leads to the program for a machine, the page has a link over what is drawn.
  const links = [];
  let placed = '[]';
  const placeLinks = () => {
    const now = program.ccall('page_program_links', 'string', [], []);
    if (now === placed) return;
    placed = now;
    const places = JSON.parse(now);
    while (links.length < places.length) {
      const link = leadToProgram.cloneNode(true);
      link.removeAttribute('id');
      link.className = 'over';
      links.push(link);
      leadToProgram.after(link);
    }
    links.forEach((link, at) => {
      link.hidden = at >= places.length;
      if (link.hidden) return;
      const [left, top, width, height] = places[at];
      Object.assign(link.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    });
  };
  // What the program is called for otherwise, a key or a file, may end it, too.
  const ended = () => {
    clearTimeout(timer);
    program = null;
    tell('Stridescope has ended: something went wrong in it, and what was on the screen is lost. Load the page again; settings are kept.');
  };
  const isOfProgram = error => error instanceof WebAssembly.RuntimeError || error instanceof WebAssembly.Exception;
  addEventListener('error', event => { if (isOfProgram(event.error)) ended(); });
  addEventListener('unhandledrejection', event => { if (isOfProgram(event.reason)) ended(); });
  const wake = () => { if (program && frame === 0) frame = requestAnimationFrame(draw); };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) wake();
    else keepNow();
  });
  addEventListener('pagehide', () => keepNow());

  // ---- What is kept from one visit to the next: the folder of settings, in the browser's database.

  // A page that is loaded again goes on in its mode. A new visit explores, as the window on a machine does, so that the mode is
  // kept for this tab alone.
  const kMode = 'stridescope mode';
  const isLoadedAgain = () => ['reload', 'back_forward'].includes(performance.getEntriesByType('navigation')[0]?.type);
  const resumeMode = module => {
    try {
      const mode = isLoadedAgain() ? sessionStorage.getItem(kMode) : null;
      if (mode && keepsFiles) module.ccall('page_resume', null, ['string'], [mode]);
    } catch (error) { // a browser that keeps nothing
      console.warn(error);
    }
  };
  const keepNow = () => {
    if (!program) return;
    program._page_keep_settings();
    try {
      if (keepsFiles) sessionStorage.setItem(kMode, program.ccall('page_mode', 'string', [], []));
    } catch (error) {
      console.warn(error);
    }
  };
  let keeping = 0, framesKept = 0, keepsFiles = kAlone === null;
  const keepSoon = () => {
    if (keeping !== 0) return;
    keeping = setTimeout(() => {
      keeping = 0;
      if (!program || program._page_frames() === framesKept) return;
      framesKept = program._page_frames();
      keepNow();
    }, kKeepAfter);
  };
  const kept = module => new Promise(resolve => {
    module.FS.mkdirTree(kHome);
    if (!keepsFiles) return resolve();
    try {
      module.FS.mount(module.FS.filesystems.IDBFS, {}, kHome);
      const giveUp = setTimeout(() => {
        console.warn('The browser does not say what it has kept.');
        keepsFiles = false;
        resolve();
      }, kKeptWithin);
      module.FS.syncfs(true, error => {
        clearTimeout(giveUp);
        if (error) console.warn(error);
        resolve();
      });
    } catch (error) { // a browser that keeps nothing, as in private windows
      console.warn(error);
      resolve();
    }
  });

  // ---- What the program calls (canvas_context.cpp, file_dialog_web.cpp, file_moves_web.cpp, main.cpp, page_export.cpp).

  const download = (name, blob) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  const tellInWindow = sentence => {
    program?.ccall('page_tell', null, ['string'], [sentence]);
    wake();
  };
  const dialogs = [];
  const copyIn = async file => {
    const name = file.name.replaceAll('/', '_');
    const path = '/opened/' + name;
    program.FS.mkdirTree('/opened');
    program.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
    return path;
  };
  let isTextWanted = false, isTouched = () => false, isByFinger = () => false;
  const page = {
    setCursor(name) { canvas.style.cursor = name; },
    copy(text) { navigator.clipboard?.writeText(text).catch(error => console.warn(error)); },
    // A browser keeps what has the focus in view above its keyboard: it lies where the window's field is. A press gives the
    // canvas the focus, so that who has put the keyboard away has it again by a tap; it comes for a finger that goes up.
    wantText(wanted, left, top, height) {
      if (wanted) Object.assign(typing.style, { left: `${left}px`, top: `${top}px`, height: `${height}px` });
      const isNews = !isTextWanted || document.activeElement === canvas;
      if (wanted && isNews && !isTouched()) typing.focus({ preventScroll: true });
      if (!wanted && document.activeElement === typing) canvas.focus({ preventScroll: true });
      isTextWanted = wanted;
    },
    chooseFile(accept) {
      const input = document.createElement('input');
      const dialog = { state: 0, path: '' };
      input.type = 'file';
      input.accept = accept.split(' ').filter(Boolean).map(pattern => pattern.replace('*', '')).join(',');
      input.hidden = true;
      input.addEventListener('cancel', () => {
        input.remove();
        dialog.state = 2;
        wake();
      });
      input.addEventListener('change', async () => {
        input.remove();
        const [file] = input.files; // none: what was chosen is chosen no more
        try {
          if (file) dialog.path = await copyIn(file);
          dialog.state = file ? 1 : 2;
        } catch (error) {
          dialog.state = 2;
          tellInWindow(`${file.name} could not be opened: ${error?.message ?? error}.`);
        }
        wake();
      });
      document.body.append(input); // some browsers tell one that is nowhere nothing
      input.click();
      return dialogs.push(dialog) - 1;
    },
    chosen(dialog) { return dialogs[dialog].state; },
    chosenPath(dialog) { return dialogs[dialog].path; },
    saved(path) { download(path.split('/').pop(), new Blob([program.FS.readFile(path)])); },
    // The worker has the program, and what it reads: the fonts, and the recordings where they are shown.
    exportAsk(question, path, withRecordings) {
      const folders = [kFontFolder, ...(withRecordings ? [kRecordings] : [])];
      const files = folders.filter(folder => program.FS.analyzePath(folder).exists).flatMap(folder =>
        program.FS.readdir(folder).filter(name => !name.startsWith('.')).map(name => `${folder}/${name}`));
      return program.exporters.ask({
        program: compiled, question, path, files: files.map(file => ({ path: file, bytes: program.FS.readFile(file) })),
      });
    },
    // A folder of pictures is one download.
    exportTakeAnswer(number) {
      const { answer, files, isFolder, path } = program.exporters.reply(number);
      if (isFolder) download(path.split('/').findLast(Boolean) + '.zip', zipOf(files));
      else for (const { name, bytes } of files) download(name, new Blob([bytes]));
      return answer;
    },
    keepFiles() { if (keepsFiles) program.FS.syncfs(false, error => { if (error) console.warn(error); }); },
  };

  end.addEventListener('click', () => {
    const command = program?._page_end_of_present() ?? -1;
    if (command >= 0) program._page_give(command);
    canvas.focus({ preventScroll: true });
    wake();
  });
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', async event => {
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) {
      let path = '';
      try {
        path = await copyIn(file);
      } catch (error) { // a folder, a file that went away, no memory for it
        tellInWindow(`${file.name} could not be opened: ${error?.message ?? error}.`);
        continue;
      }
      program?.ccall('page_open', null, ['string'], [path]);
      wake();
    }
  });
  canvas.addEventListener('webglcontextlost', event => {
    event.preventDefault();
    keepNow();
    program = null;
    tell('The browser has taken the graphics away. Load the page again; settings are kept.');
  });

  // ---- The start.

  const followAddress = () => {
    const part = location.hash.slice(1);
    if (!program || part === '') return;
    try {
      program.ccall('page_follow', null, ['string'], [decodeURIComponent(part)]);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      tellInWindow('A % of the address, behind the #, begins no character. Copy the whole link again.');
    }
    wake();
  };
  addEventListener('hashchange', followAddress);

  // What stands behind the ? of the address: ?tour=FILE.md and ?recording=FILE.stride open a file of the same origin.
  const openAsked = async () => {
    const asked = new URLSearchParams(location.search);
    for (const kind of ['recording', 'tour']) {
      if (!asked.has(kind)) continue;
      let url = { href: asked.get(kind) };
      try {
        url = new URL(asked.get(kind), location.href);
        if (url.origin !== location.origin)
          throw new Error('it is not where this page is from. Put it beside the page, or save it and drop it here');
        const answer = await fetch(url);
        if (!answer.ok) throw new Error(`the server answers ${answer.status}. Check the address`);
        const name = decodeURIComponent(url.pathname.split('/').pop());
        if (name === '') throw new Error('it names no file. Check the address');
        if (kind === 'tour' && !name.endsWith('.md')) throw new Error('the file of a tour ends in .md');
        program.ccall('page_open', null, ['string'], [await copyIn({ name, arrayBuffer: () => answer.arrayBuffer() })]);
      } catch (error) {
        tellInWindow(`The ${kind} ${url.href} could not be opened: ${error.message}.`);
      }
      wake();
    }
  };

  // The recordings are large, and who only steps needs none of them: they come when something is shown that they have. Once
  // they have come, the browser keeps them for a visit without a network, and the next visit has them at once.
  let recordings = []; // [{ name, bytes }]
  const fileOf = ({ name }) => `recordings/${name}`;
  const fetchRecordings = async () => {
    try {
      program.FS.mkdirTree(kRecordings);
      for (const each of recordings) program.FS.writeFile(`${kRecordings}/${each.name}`, await unpackedBytes(fileOf(each)));
      program._page_take_recordings();
      navigator.serviceWorker?.ready.then(worker => worker.active.postMessage({ keep: recordings.map(each => fileOf(each) + '.gz') }));
    } catch (error) {
      program?.ccall('page_lose_recordings', null, ['string'], [error?.message ?? String(error)]);
    }
    wake();
  };
  const areKept = async () => {
    for (const each of recordings) if (!await globalThis.caches?.match(fileOf(each) + '.gz')) return false;
    return recordings.length > 0;
  };
  const offerRecordings = async () => {
    recordings = await (await fetch('recordings.json')).json();
    if (await areKept()) return fetchRecordings();
    program._page_offer_recordings(recordings.reduce((sum, each) => sum + each.bytes, 0));
    wake();
  };

  const start = async () => {
    const executors = new Workers('worker.js', wake, true);
    executors.prepare();
    const fonts = Promise.all(kFonts.map(async name => ({ name, bytes: await unpackedBytes(`fonts/${name}`) })));
    const module = await makeStridescope({
      canvas,
      page,
      executors,
      exporters: new Workers('export_worker.js', wake, false),
      instantiateWasm: instantiateUnpacked('stridescope_web.wasm', failed, wasm => { compiled = wasm; }),
      printErr: text => console.error(text),
    });
    module.FS.mkdirTree(kFontFolder);
    for (const { name, bytes } of await fonts) module.FS.writeFile(`${kFontFolder}/${name}`, bytes);
    await kept(module);
    program = module;
    if (module.callMain(kAlone === null ? [] : [kAlone]) !== 0) throw new Error('the window could not be opened, as the console says');
    ({ isTouched, isByFinger } = listenToPerson(canvas, typing, module, wake));
    tellSoon = tellInWords(module, wake);
    resumeMode(module);
    followAddress();
    openAsked().catch(failed);
    draw();
    status.hidden = true;
    window.stridescope = module; // for tests
    performance.mark('first-picture');
    // A frame in another page takes the keyboard from nobody there.
    if (window === window.parent || document.hasFocus()) canvas.focus({ preventScroll: true });
    await Promise.race([roundShown, new Promise(resolve => setTimeout(resolve, kRoundAfter))]);
    await offerRecordings().catch(error => console.warn(error));
    // Browsers allow it for pages of https and of this machine alone.
    navigator.serviceWorker?.register('offline.js').catch(error => console.warn(error));
  };
  start().catch(error => { program = null; failed(error); });
})();
