// The page's side of the workers that it asks for something: one question a worker at a time (executor_engine.cpp,
// page_export.cpp).
'use strict';

// What ends a worker then: Emscripten's check, Asyncify (by an instruction that is never to be reached), or the browser.
const kFullStack = /stack|recursion|unreachable/i;
// What a worker says that could not load its program (worker.js); one that could not be fetched itself says nothing.
const kNeverStarted = /could not be loaded/;
// ms: a frame for each step of a worker would take the processor from it.
const kBetweenProgress = 250;

class Workers {
  // `script`: the worker's; `changed`: called when there is something new to ask for; `keeps`: whether one that has answered
  // waits for another question.
  constructor(script, changed, keeps) {
    this.script = script;
    this.changed = changed;
    this.keeps = keeps;
    this.asked = new Map();
    this.idle = [];
    this.next = 1;
    this.told = 0;
  }

  // The first question finds a worker that has fetched its files meanwhile.
  prepare() {
    const worker = new Worker(this.script);
    worker.onerror = event => {
      console.error(event.message ?? `${this.script} could not be fetched`);
      this.idle = this.idle.filter(each => each !== worker);
    };
    this.idle.push(worker);
  }

  // The number of the question. The worker answers with {answer, ...}, and before with {fraction, doing} as often as it likes.
  ask(question) {
    const worker = this.idle.pop() ?? new Worker(this.script);
    const one = { worker, reply: null, lost: 0, progress: { fraction: -1, doing: '' } };
    worker.onerror = worker.onmessageerror = event => {
      const why = event.message ?? (event.type === 'error' ? `${this.script} could not be loaded` : 'a message of a worker could not be read');
      console.error(why);
      worker.terminate();
      this.idle = this.idle.filter(each => each !== worker);
      one.lost = kNeverStarted.test(why) ? -4 : kFullStack.test(why) ? -3 : -2;
      this.changed();
    };
    worker.onmessage = ({ data }) => {
      if (data.answer) {
        one.reply = data;
        if (this.keeps) this.idle.push(worker);
        else worker.terminate();
      } else {
        one.progress = data;
        if (performance.now() - this.told < kBetweenProgress) return;
        this.told = performance.now();
      }
      this.changed();
    };
    worker.postMessage(question);
    this.asked.set(this.next, one);
    return this.next++;
  }

  // The answer's bytes; -1: it is not there yet; -2: there will be none; -3: there will be none, because a stack was full; -4: because
  // the worker's program could not be loaded.
  answerBytes(number) {
    const one = this.asked.get(number);
    return one.reply ? one.reply.answer.length : one.lost || -1;
  }

  reply(number) { return this.asked.get(number).reply; }

  progress(number) { return this.asked.get(number).progress; }

  // Nobody wants it any more.
  end(number) {
    const one = this.asked.get(number);
    if (one && !one.reply) one.worker.terminate();
    this.asked.delete(number);
  }
}
