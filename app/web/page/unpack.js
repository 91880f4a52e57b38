// The files of this edition are packed with gzip, so that every server sends them small. For the page and its workers.
'use strict';

// The bytes of the file `name` as a stream of a response; its real type lets WebAssembly be compiled while it arrives.
async function unpacked(name, type) {
  const answer = await fetch(name + '.gz');
  if (!answer.ok) throw new Error(`${name}.gz could not be fetched (${answer.status})`);
  return new Response(answer.body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': type } });
}

async function unpackedBytes(name) {
  return new Uint8Array(await (await unpacked(name, 'application/octet-stream')).arrayBuffer());
}

// For Emscripten's Module.instantiateWasm. `compiled` is given the module, which other workers may run, too.
function instantiateUnpacked(name, failed, compiled = () => {}) {
  return (imports, done) => {
    WebAssembly.instantiateStreaming(unpacked(name, 'application/wasm'), imports)
      .then(({ instance, module }) => {
        compiled(module);
        done(instance, module);
      })
      .catch(failed);
    return {};
  };
}
