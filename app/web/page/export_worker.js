// The page's program in a worker, for one export: it is sent the question's bytes with what the program needs, and sends back
// the answer's with the files.
'use strict';
importScripts('answer.js', 'stridescope_web.js');

onmessage = async ({ data }) => {
  const program = await makeStridescope({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(data.program, imports).then(instance => done(instance, data.program));
      return {};
    },
    page: { saved() {} }, // what was written is looked for below
    print: console.log,
    printErr: console.error,
  });
  for (const { path, bytes } of data.files) {
    program.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    program.FS.writeFile(path, bytes);
  }
  const answer = answerOf(program, data.question);
  const files = [];
  const { exists, object } = program.FS.analyzePath(data.path), isFolder = exists && program.FS.isDir(object.mode);
  if (isFolder) {
    for (const name of program.FS.readdir(data.path)) {
      if (!['.', '..'].includes(name)) files.push({ name, bytes: program.FS.readFile(`${data.path}/${name}`) });
    }
  } else if (exists) {
    files.push({ name: data.path.split('/').pop(), bytes: program.FS.readFile(data.path) });
  }
  postMessage({ answer, files, path: data.path, isFolder }, [answer.buffer, ...files.map(file => file.bytes.buffer)]);
};
// What fails in a promise would otherwise reach nobody.
addEventListener('unhandledrejection', event => { throw event.reason; });
