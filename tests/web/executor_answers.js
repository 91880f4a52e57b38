// node executor_answers.js EXECUTOR FOLDER: the executor of the browser edition, built as the file EXECUTOR.js beside
// EXECUTOR.wasm, answers each N.question of the folder as N.answer. It runs as in a worker of the page, without one.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const [executorPath, folder] = process.argv.slice(2);
// What Emscripten looks for to know that it is in a worker.
globalThis.self = globalThis;
globalThis.importScripts = () => {};
globalThis.location = { href: 'http://localhost/worker.js' };
globalThis.postMessage = () => {}; // progress
vm.runInThisContext(fs.readFileSync(path.join(__dirname, '../../app/web/page/answer.js'), 'utf8'));
vm.runInThisContext(fs.readFileSync(executorPath + '.js', 'utf8') + ';globalThis.makeExecutor = makeExecutor;');

const answerAll = async () => {
  const module = await WebAssembly.compile(fs.readFileSync(executorPath + '.wasm'));
  const executor = await makeExecutor({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(module, imports).then(instance => done(instance, module));
      return {};
    },
  });
  let answered = 0;
  for (; fs.existsSync(`${folder}/${answered}.question`); ++answered) {
    const question = fs.readFileSync(`${folder}/${answered}.question`);
    fs.writeFileSync(`${folder}/${answered}.answer`, answerOf(executor, question));
  }
  console.log(`${answered} questions answered by ${executorPath}.wasm`);
};
answerAll().catch(error => {
  console.error(error);
  process.exit(1);
});
