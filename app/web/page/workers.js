// The page's side of the workers that it asks for something: one question a worker at a time (executor_engine.cpp,
// page_export.cpp).
'use strict';

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
  }

  // The number of the question. The worker answers with {answer, ...}, and before with {fraction, doing} as often as it likes.
  ask(question) {
    const worker = this.idle.pop() ?? new Worker(this.script);
    const one = { worker, reply: null, isLost: false, progress: { fraction: -1, doing: '' } };
    worker.onerror = worker.onmessageerror = event => {
      console.error(event.message ?? 'a message of a worker could not be read');
      worker.terminate();
      one.isLost = true;
      this.changed();
    };
    worker.onmessage = ({ data }) => {
      if (data.answer) {
        one.reply = data;
        if (this.keeps) this.idle.push(worker);
        else worker.terminate();
      } else {
        one.progress = data;
      }
      this.changed();
    };
    worker.postMessage(question);
    this.asked.set(this.next, one);
    return this.next++;
  }

  // The answer's bytes; -1: it is not there yet; -2: there will be none.
  answerBytes(number) {
    const one = this.asked.get(number);
    return one.isLost ? -2 : one.reply ? one.reply.answer.length : -1;
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
