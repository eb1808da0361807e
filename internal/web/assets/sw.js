// Linnet's service worker: it shows what is pushed, and a page that says so where the
// server cannot be reached. It keeps that page with its design, and nothing else.
const offline = '$OFFLINE';
const files = [offline, '$STYLE', '$ICONS'];
const name = 'offline $VERSION';

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const kept = await caches.open(name);
    // Without cookies: the page is a stranger's, with nobody's name on it.
    await kept.addAll(files.map((f) => new Request(f, { credentials: 'omit', cache: 'reload' })));
    await self.skipWaiting();
  })());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const other of await caches.keys()) if (other !== name) await caches.delete(other);
    await self.clients.claim();
  })());
});

const kept = async (what) => (await caches.open(name)).match(what);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const path = new URL(request.url).pathname;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(async (e) => (await kept(offline)) || Promise.reject(e)));
  else if (files.includes(path) && path !== offline) event.respondWith(fetch(request).catch(async (e) => (await kept(path)) || Promise.reject(e)));
});

self.addEventListener('push', (event) => {
  let told = {};
  try {
    told = event.data.json();
  } catch {
    // Something has to be shown all the same, or browsers end the subscription.
  }
  event.waitUntil(self.registration.showNotification(told.title || 'You have a new notification', {
    body: told.body || '', icon: told.icon, badge: '$BADGE', tag: told.notification_id, lang: told.preferred_locale, data: told.account,
  }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const account = event.notification.data; // another account may be active
  const path = account ? '$SWITCH?' + new URLSearchParams({ account, next: '/notifications' }) : '/notifications';
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: 'window' });
    if (!open.length) return self.clients.openWindow(path);
    await open[0].focus();
    return open[0].navigate(path);
  })());
});
