// The window for those who cannot see it: the shown round in words, in a region that a screen reader reads when it
// changes, and a button for each command of the mode.
'use strict';

// Gives a function that is called after each frame. `program`: the module; `wake`: after a command.
function tellInWords(program, wake) {
  const kAfter = 200; // ms: while rounds play, what changes faster is not read
  const caption = document.getElementById('caption');
  const maps = document.getElementById('maps');
  const list = document.getElementById('commands');
  let timer = 0, told = 0, commands = '';

  const showRound = () => {
    const words = program.ccall('page_words', 'string', [], []);
    const end = words.indexOf('\n\n');
    const first = (end < 0 ? words : words.slice(0, end)).replaceAll('\n', ' ').trim();
    if (caption.textContent !== first) caption.textContent = first;
    maps.textContent = end < 0 ? '' : words.slice(end + 2);
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
