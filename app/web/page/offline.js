// The page's service worker: keeps the files of the edition, so that a later visit needs no network. `kFiles`, `kAskedFor`,
// which are kept once somebody has asked for them, and `kEdition`, which changes with any of them, are written before this
// text (cmake/web_page.sh). A new edition is kept beside the old one, and takes its place when no page of the old one is open: a page never gets files of two editions.
'use strict';

const kKept = 'stridescope ' + kEdition;

addEventListener('install', event => event.waitUntil(
  // 'no-cache': the server is asked whether what the browser has already is that of this edition, and sends it if not.
  caches.open(kKept).then(cache => cache.addAll(kFiles.map(file => new Request(file, { cache: 'no-cache' }))))));

addEventListener('activate', event => event.waitUntil(
  caches.keys().then(names => Promise.all(
    names.filter(name => name.startsWith('stridescope ') && name !== kKept).map(name => caches.delete(name))))));

// The recordings, which the page has fetched because somebody asked for them.
addEventListener('message', event => {
  const files = (event.data?.keep ?? []).filter(file => kAskedFor.includes(file));
  event.waitUntil(caches.open(kKept).then(cache => cache.addAll(files.map(file => new Request(file, { cache: 'no-cache' })))));
});

// Tours and recordings that a lecturer put beside the page are not kept: they come from the server, as they are now.
addEventListener('fetch', event => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  event.respondWith(caches.open(kKept)
    .then(cache => cache.match(event.request, { ignoreSearch: event.request.mode === 'navigate' }))
    .then(kept => kept ?? fetch(event.request)));
});
