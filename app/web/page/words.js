// The window for those who cannot see it: the shown round's caption, in a line what there is as text, and what the window says,
// in a region that a screen reader reads when it changes; the text in a region of its own, which nobody is read unasked, and so
// the open lesson or stop of a tour, with a button for each of its links; what Predict asks, with a button for each answer; and a
// button for each command of the mode.
'use strict';

// Gives a function that is called after each frame. `program`: the module; `wake`: after a command.
function tellInWords(program, wake) {
  const kAfter = 200; // ms: while rounds play, what changes faster is not read
  const caption = document.getElementById('caption');
  const summary = document.getElementById('summary');
  const message = document.getElementById('told');
  const maps = document.getElementById('maps');
  const asked = document.getElementById('questions');
  const list = document.getElementById('commands');
  const opened = document.getElementById('opened');
  const reading = document.getElementById('reading');
  let timer = 0, told = 0, commands = '', questions = '', read = '';

  const tell = (element, now) => { if (element.textContent !== now) element.textContent = now; }; // what stays is not read again
  const showRound = () => {
    const words = JSON.parse(program.ccall('page_words', 'string', [], []));
    for (const [element, now] of [[caption, words.caption], [summary, words.summary], [message, words.told], [maps, words.text]])
      tell(element, now);
  };

  // What is there stays there, with the focus of who stands on it: a new command or answer gets its element, by its name, and
  // the others keep theirs. `make` makes the element of one, and `update` tells it how it is now.
  const keepChildren = (parent, all, make, update) => {
    const before = new Map([...parent.children].map(child => [child.dataset.key, child]));
    all.forEach((each, at) => {
      const element = before.get(each.key) ?? make(each);
      element.dataset.key = each.key;
      before.delete(each.key);
      if (parent.children[at] !== element) parent.insertBefore(element, parent.children[at] ?? null);
      update(element, each);
    });
    for (const element of before.values()) element.remove();
  };
  const newButton = press => {
    const button = document.createElement('button');
    button.type = 'button';
    button.tabIndex = -1; // Tab is the window's; a screen reader has its own way to buttons
    button.addEventListener('click', () => {
      if (button.getAttribute('aria-disabled') === 'true') return;
      press(button);
      wake();
    });
    return button;
  };

  const elementOf = { heading: 'h3', text: 'p', code: 'pre' };
  const showReading = () => {
    const now = program.ccall('page_reading', 'string', [], []);
    if (now === read) return;
    read = now;
    const { title, paragraphs } = JSON.parse(now);
    const [heading, text] = reading.children;
    reading.hidden = title === '';
    tell(heading, title);
    tell(opened, title);
    text.replaceChildren(...paragraphs.map(({ kind, pieces }) => {
      const element = document.createElement(elementOf[kind]);
      element.append(...pieces.map(([words, link]) => {
        if (link === '') return words;
        const button = newButton(() => program.ccall('page_follow', null, ['string'], [link]));
        button.textContent = words;
        return button;
      }));
      return element;
    }));
  };

  const showCommands = () => {
    const now = program.ccall('page_commands', 'string', [], []);
    if (now === commands) return;
    commands = now;
    const menus = new Map();
    for (const command of JSON.parse(now)) {
      if (!menus.has(command.menu)) menus.set(command.menu, []);
      menus.get(command.menu).push({ ...command, key: String(command.index) });
    }
    keepChildren(list, [...menus].map(([key, all]) => ({ key, all })), ({ key }) => {
      const menu = document.createElement('section');
      menu.setAttribute('aria-label', key);
      return menu;
    }, (menu, { all }) => keepChildren(menu, all, () => newButton(button => program._page_give(Number(button.dataset.key))), (button, command) => {
      tell(button, command.keys === '' ? command.name : `${command.name} (${command.keys})`);
      // A button that is disabled while somebody stands on it would lose the focus.
      const isHeld = document.activeElement === button;
      button.disabled = !command.enabled && !isHeld;
      button.setAttribute('aria-disabled', String(!command.enabled));
    }));
  };

  const newQuestion = ({ at, field }) => {
    const question = document.createElement('section');
    const text = document.createElement('h3'), state = document.createElement('p'), answers = document.createElement('div');
    question.append(text, state, answers);
    if (field === '') return question;
    const form = document.createElement('div'), input = document.createElement('input');
    input.tabIndex = -1;
    input.autocomplete = 'off';
    const give = () => {
      program.ccall('page_answer_typed', null, ['number', 'string'], [at, input.value]);
      wake();
    };
    input.addEventListener('keydown', event => { if (event.key === 'Enter' && !event.isComposing) give(); });
    const button = newButton(give);
    button.textContent = 'Answer';
    form.append(input, button);
    question.append(form);
    return question;
  };
  const showQuestions = () => {
    const now = program.ccall('page_questions', 'string', [], []);
    if (now === questions) return;
    questions = now;
    // A question whose text, or whose kind, is another one is a new one.
    const all = JSON.parse(now).map((each, at) => ({ ...each, at, key: `${each.text} ${each.field}` }));
    asked.hidden = all.length === 0;
    keepChildren(asked, all, newQuestion, (question, { text, state, answers, at, field }) => {
      const [heading, below, choices] = question.children;
      tell(heading, text);
      tell(below, state);
      const input = question.querySelector('input');
      if (input) input.setAttribute('aria-label', `${text} Type ${field}`);
      keepChildren(choices, answers.map((each, place) => ({ ...each, key: String(place) })),
        () => newButton(button => program._page_answer(at, Number(button.dataset.key))), (button, answer) => {
          tell(button, answer.name);
          button.setAttribute('aria-pressed', String(answer.chosen));
        });
    });
  };

  return () => {
    if (timer !== 0) return;
    timer = setTimeout(() => {
      timer = 0;
      if (program._page_frames() === told) return;
      told = program._page_frames();
      showRound();
      showReading();
      showQuestions();
      showCommands();
    }, kAfter);
  };
}
