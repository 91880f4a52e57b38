// The window for those who cannot see it: the shown round's caption, and in a line what there is as text, in a region that a
// screen reader reads when it changes; the text in a region of its own, which nobody is read unasked; and a button for each
// command of the mode.
'use strict';

// Gives a function that is called after each frame. `program`: the module; `wake`: after a command.
function tellInWords(program, wake) {
  const kAfter = 200; // ms: while rounds play, what changes faster is not read
  const caption = document.getElementById('caption');
  const summary = document.getElementById('summary');
  const maps = document.getElementById('maps');
  const list = document.getElementById('commands');
  let timer = 0, told = 0, commands = '';

  const showRound = () => {
    const words = JSON.parse(program.ccall('page_words', 'string', [], []));
    for (const [element, now] of [[caption, words.caption], [summary, words.summary], [maps, words.text]])
      if (element.textContent !== now) element.textContent = now; // what stays is not read again
  };
  const buttonOf = command => {
    const button = document.createElement('button');
    button.tabIndex = -1; // Tab is the window's; a screen reader has its own way to buttons
    button.textContent = command.keys === '' ? command.name : `${command.name} (${command.keys})`;
    button.disabled = !command.enabled;
    button.addEventListener('click', () => {
      program._page_give(command.index);
      wake();
    });
    return button;
  };
  const showCommands = () => {
    const now = program.ccall('page_commands', 'string', [], []);
    if (now === commands) return;
    commands = now;
    const menus = new Map();
    for (const command of JSON.parse(now)) {
      if (!menus.has(command.menu)) {
        const menu = document.createElement('section');
        menu.setAttribute('aria-label', command.menu);
        menus.set(command.menu, menu);
      }
      menus.get(command.menu).append(buttonOf(command));
    }
    list.replaceChildren(...menus.values());
  };

  return () => {
    if (timer !== 0) return;
    timer = setTimeout(() => {
      timer = 0;
      if (program._page_frames() === told) return;
      told = program._page_frames();
      showRound();
      showCommands();
    }, kAfter);
  };
}
