// The CPU executor in a worker: it is sent an experiment's bytes, and sends back a trace's or an error's.
'use strict';
importScripts('unpack.js', 'answer.js', 'stridescope_web_executor.js');

const ready = new Promise((resolve, reject) =>
  makeExecutor({ instantiateWasm: instantiateUnpacked('stridescope_web_executor.wasm', reject), print: console.log, printErr: console.error })
    .then(resolve, reject));
ready.catch(() => {}); // it is told with the first question

onmessage = async ({ data }) => {
  const executor = await ready.catch(error => { throw new Error(`the executor could not be loaded: ${error?.message ?? error}`); });
  const answer = answerOf(executor, data);
  postMessage({ answer }, [answer.buffer]);
};
// What fails in a promise would otherwise reach nobody.
addEventListener('unhandledrejection', event => { throw event.reason; });
