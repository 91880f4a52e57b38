// For the page's workers: what the program of a worker answers to a question, bytes to bytes (worker_question.h).
'use strict';

function answerOf(program, question) {
  const at = program._malloc(question.length);
  program.HEAPU8.set(question, at);
  program._worker_ask(at, question.length);
  program._free(at);
  const from = program._worker_answer();
  return program.HEAPU8.slice(from, from + program._worker_answer_bytes());
}
