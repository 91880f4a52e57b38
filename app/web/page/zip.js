// Several files as one ZIP archive, each as it is: pictures are packed already.
'use strict';

// `files`: [{name, bytes}]; at most 65,535 of them, below 4 GiB together.
function zipOf(files) {
  const table = Uint32Array.from({ length: 256 }, (_, value) => {
    for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
  const crcOf = bytes => {
    let crc = 0xffffffff;
    for (const byte of bytes) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
    return (crc ^ 0xffffffff) >>> 0;
  };
  // [bytes of the number, the number]...
  const header = fields => {
    const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
    let at = 0;
    for (const [size, number] of fields) {
      if (size === 2) view.setUint16(at, number, true);
      else view.setUint32(at, number, true);
      at += size;
    }
    return new Uint8Array(view.buffer);
  };
  const kVersion = 20, kUtf8 = 1 << 11, kFirstDay = 33; // 1980-01-01: the archive tells no time
  const parts = [], directory = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const path = new TextEncoder().encode(name);
    const told = [[2, kVersion], [2, kUtf8], [2, 0], [2, 0], [2, kFirstDay], [4, crcOf(bytes)], [4, bytes.length], [4, bytes.length], [2, path.length], [2, 0]];
    const local = header([[4, 0x04034b50], ...told]);
    parts.push(local, path, bytes);
    directory.push(header([[4, 0x02014b50], [2, kVersion], ...told, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]), path);
    at += local.length + path.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = header([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, at], [2, 0]]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}
