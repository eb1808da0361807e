// Keys, as Mastodon and its other clients have them.

let last, going;
const showHelp = () => use(import('@help.js'));

const current = () => document.activeElement.closest('.post, .m') || (last?.isConnected ? last : null);

const step = (by) => {
  const list = all('.posts > .post, .above > .post, .opened > .post, .tree .post, .talk .m').filter((row) => row.getClientRects().length);
  let i = list.indexOf(current());
  if (i >= 0) i += by;
  else i = list.findIndex((row) => row.getBoundingClientRect().bottom > 0);
  if (list[i]) enter(last = list[i]);
};

const press1 = (selector) => one(selector, current() || make('p'))?.click();

const write = () => {
  const text = one('[data-composer] textarea');
  if (!text) return location.assign('/compose');
  text.form.classList.remove('brief');
  text.focus();
};

const commands = {
  j: () => step(1),
  k: () => step(-1),
  o: () => press1('.when'),
  r: () => press1('.reply'),
  f: () => press1('.favourite'),
  b: () => press1('[value$=boost]:enabled'),
  q: () => press1('.quoting'),
  x: () => { const d = one('.warned', current() || make('p')); if (d) d.open = !d.open; },
  '.': () => sheet && loadNew().catch((e) => flash(e.message, true)),
  n: write,
  c: write,
  '/': () => { const box = one('main input[type=search]'); box ? box.focus() : location.assign('/search'); },
  '?': showHelp,
};

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || one('dialog[open]')) return;
  if (key === 'Escape') {
    const menu = one('details.more[open], details.drop[open], details.audience[open]');
    if (menu) { menu.open = false; one('summary', menu).focus(); }
    else if (target.matches('textarea, input')) target.blur();
    return;
  }
  if (target.closest('input, textarea, select, [contenteditable]')) return;
  const went = going;
  going = false;
  if (went && (key === 'h' || key === 'n')) location.assign(key === 'h' ? '/' : '/notifications');
  else if (key === 'g') { going = true; setTimeout(() => { going = false; }, 1500); return; }
  else if (key === 'Enter' && target.matches('.post')) commands.o();
  else if (commands[key] && !went) commands[key]();
  else return;
  event.preventDefault();
});

// The link back leads to where the reader came from, as the browser's button does.
document.addEventListener('click', (event) => {
  if (!event.target.closest('.back[href="/"]') || event.ctrlKey || event.metaKey || event.shiftKey || history.length < 2 || !document.referrer.startsWith(location.origin + '/')) return;
  event.preventDefault();
  history.back();
});

// What was a minute ago does not stay so.
const ago = (time) => {
  const then = new Date(time.dateTime), minutes = Math.floor((Date.now() - then) / 60000);
  if (minutes < 1) return tr('now');
  if (minutes < 60) return tr('%d min', minutes);
  return minutes < 1440 ? tr('%d h', Math.floor(minutes / 60)) : '';
};
const someAgo = [tr('now'), tr('%d min', 0), tr('%d h', 0)];
setInterval(() => {
  for (const time of all('time')) {
    if (someAgo.includes(time.textContent.replace(/\d+/, 0))) time.textContent = ago(time) || time.title.replace(/[,،]? \d+:.*| 20\d\d.*/g, '');
  }
}, 30000);

composers();
rows().forEach(seen);
comeBack().finally(() => { listen(); ahead(); });
