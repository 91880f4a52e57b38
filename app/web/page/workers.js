// The page's side of the workers that execute: one run a worker at a time (executor_engine.cpp).
'use strict';

class Executors {
  constructor(changed) {
    this.changed = changed; // called when there is something new to ask for
    this.runs = new Map();
    this.idle = []; // workers that wait for a run
    this.next = 1;
  }

  // The number of the run.
  ask(question) {
    const worker = this.idle.pop() ?? new Worker('worker.js');
    const run = { worker, answer: null, isLost: false, fraction: -1 };
    worker.onerror = worker.onmessageerror = event => {
      console.error(event.message ?? 'a message of the executor could not be read');
      worker.terminate();
      run.isLost = true;
      this.changed();
    };
    worker.onmessage = ({ data }) => {
      if (data.answer) {
        run.answer = data.answer;
        this.idle.push(worker);
      } else {
        run.fraction = data.fraction;
      }
      this.changed();
    };
    worker.postMessage(question);
    this.runs.set(this.next, run);
    return this.next++;
  }

  answerBytes(number) {
    const run = this.runs.get(number);
    if (run.isLost) this.runs.delete(number);
    return run.isLost ? -2 : run.answer ? run.answer.length : -1;
  }

  takeAnswer(number) {
    const { answer } = this.runs.get(number);
    this.runs.delete(number);
    return answer;
  }

  fraction(number) { return this.runs.get(number).fraction; }

  // Nobody wants it any more.
  end(number) {
    const run = this.runs.get(number);
    if (!run.answer) run.worker.terminate();
    this.runs.delete(number);
  }
}
