/**
 * The service worker: keeps the page itself, so that it opens without a connection.
 *
 * Nothing of the API is kept. Pages come from the network while there is one, so a new version shows at the next
 * visit; its worker takes over, and the files of the old one are deleted, once no page of the old one is open.
 *
 * The build (vite.config.ts) defines VERSION and FILES.
 */

const PREFIX = "parure-";
const CACHE = PREFIX + VERSION;

self.addEventListener("install", (event) => {
  const files = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(PREFIX) && name !== CACHE;
  const deleteOld = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter(isOld).map((name) => caches.delete(name)));
  };
  event.waitUntil(deleteOld().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => stored("/")));
  else if (FILES.includes(pathname)) event.respondWith(stored(pathname).catch(() => fetch(request)));
});

/** Return a file of this version; fail if it is not stored. */
async function stored(file) {
  const found = await caches.match(file, { cacheName: CACHE });
  if (!found) throw new TypeError(`${file} is not stored`);
  return found;
}
