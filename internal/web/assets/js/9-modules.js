// Modules are files without a number. They are fetched by the pages and at the moments that need them,
// so that the first visit stays small. Each exports one function, which gets the tools below.

// styled waits until a style sheet is loaded that only some pages have from the beginning.
const styled = (sheet) => one('link[href="' + sheet + '"]') || new Promise((done) => {
  const link = document.head.appendChild(make('link', { rel: 'stylesheet', href: sheet }));
  link.onload = link.onerror = done;
});

// icon copies an icon of the page under the name of another one.
const icon = (name, classes = 'i') => {
  const svg = one('.i').cloneNode(true), use = one('use', svg);
  svg.setAttribute('class', classes);
  use.setAttribute('href', use.getAttribute('href').replace(/#.*/, '#' + name));
  return svg;
};

const tools = { one, all, make, icon, tr, trn, lang, me, send, page, fieldsOf, flash, styled, kept, offer, suggest, emojis, sayCounts };

// use loads a module and starts it, for example use(import('@push.js')). The server replaces the name.
const use = (module, ...values) => module.then((m) => m.default(tools, ...values), () => flash(tr('Connection failed. Try again.'), true));

if (one('form[data-passkey]')) use(import('@passkey.js'));

// The form may be sent before the module has loaded, so it waits for it.
one('form[action="/settings/push"]')?.addEventListener('submit', (event) => {
  event.preventDefault();
  use(import('@push.js'), event.target);
});

if (one('[data-link], .copy')) use(import('@copy.js'));
if (one('.slide')) use(import('@slide.js'));
if (one('.frame')) use(import('@frame.js'));
if (one('#find-place, .line-up')) use(import('@places.js'));

const searches = ({ target }) => {
  if (target.matches('form[action="/search"] [name=q]:not([aria-controls]), #whom:not([aria-controls])')) use(import('@search.js'), target);
};
document.addEventListener('focusin', searches);
searches({ target: document.activeElement });

// Pictures and videos open over the page. With a modifier key, or if the module cannot be loaded, the link leads to
// the page of the picture.
document.addEventListener('click', (event) => {
  const link = event.target.closest('.shot > a, a[data-full]');
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  import('@lightbox.js').then((m) => m.default(tools, '@lightbox.css', link), () => location.assign(link.href));
});

// The numbers below posts are read again from time to time.
if (one('.acts')) setTimeout(() => import('@counts.js').then((m) => m.default(tools), () => {}), 30000);

// A card about a person appears next to a link to them, if the pointer or the keyboard rests on it.
const rests = (event) => {
  if (event.pointerType === 'touch' || !event.target.closest('a[href*="/@"]')) return;
  for (const type of ['pointermove', 'focusin']) document.removeEventListener(type, rests);
  import('@hovercard.js').then((m) => m.default(tools, '@hovercard.css', event), () => {});
};
document.addEventListener('pointermove', rests);
document.addEventListener('focusin', rests);

document.addEventListener('toggle', ({ target }) => { if (target.open && target.matches('.more')) use(import('@menu.js'), target); }, true);

// "Copy link" waits for the module of its menu. If the module cannot be loaded, the link opens.
document.addEventListener('click', (event) => {
  const copy = event.target.closest('[data-copy=""]');
  if (!copy || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  import('@menu.js').then((m) => { m.default(tools, copy.closest('.more')); copy.click(); }, () => location.assign(copy.href));
});

// The service worker has the page for lost connections, so an installed app always needs it.
if (matchMedia('(display-mode: standalone)').matches) navigator.serviceWorker?.register('/sw.js').catch(() => {});
