// Timelines: older posts below, newer ones when asked for, and where one was.

const rows = (root = document) => all('.posts > .post', root);
const idOf = (row) => row.id.replace(/^\D+/, '');

// enter focuses a post, as its reader goes on from there.
const enter = (row, block = 'nearest') => {
  if (!row) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block });
};

// fresh are the posts of another page that this one does not show yet.
const fresh = (other) => rows(other).filter((row) => row.id && !document.getElementById(row.id)).map((row) => document.adoptNode(row));

const more = async (link) => {
  const older = await page(link.href);
  const sheet = rows().at(-1)?.parentElement;
  const added = fresh(older);
  if (!sheet) return location.assign(link.href);
  history.replaceState({ ...history.state, more: [...(history.state?.more || []), link.getAttribute('href')] }, '');
  sheet.append(...added);
  const next = one('.pager [rel=next]', older);
  if (next) link.replaceWith(document.adoptNode(next));
  else link.remove();
  added.forEach(seen);
  return added[0];
};

const loadMore = async (link, asked) => {
  if (link.getAttribute('aria-busy')) return;
  link.setAttribute('aria-busy', true);
  try {
    const first = await more(link);
    if (asked) enter(first, 'start');
    ahead();
  } catch (e) {
    link.removeAttribute('aria-busy');
    if (asked) flash(e.message, true);
  }
};

// Older posts load automatically near the end of a timeline, unless the reader's settings say
// otherwise. After twenty pages the reader must press the button.
const end = 'paged' in document.documentElement.dataset ? null : new IntersectionObserver((entries) => {
  const { isIntersecting, target } = entries.at(-1);
  if (!isIntersecting) return;
  end.unobserve(target);
  loadMore(target);
}, { rootMargin: '0px 0px 50%' });
const ahead = () => {
  const link = one('.pager [rel=next]');
  if (link && rows().length && (history.state?.more || []).length < 20) end?.observe(link);
};

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest('a[href]');
  if (!link) return;
  if (link.matches('.leads [rel=next]')) {
    event.preventDefault();
    return goBack(link).catch((e) => flash(e.message, true));
  }
  if (!link.matches('.pager [rel=next]') || !rows().length) return link.closest('.post') && leaveAt(link.closest('.post'), true);
  event.preventDefault();
  loadMore(link, true);
});

// A click on a post or a quote opens it, except on elements that handle clicks themselves, and after
// text was selected.
const opener = ({ target }) => {
  const row = target.closest('.quote, .post');
  return row && !row.hasAttribute('aria-current') && !target.closest('a, button, input, select, textarea, label, summary, video, audio, form, .gallery') && one('.when', row);
};
const open = (event) => {
  const link = !event.defaultPrevented && event.button < 2 && !event.shiftKey && getSelection().isCollapsed && opener(event);
  if (!link) return;
  if (event.button || event.ctrlKey || event.metaKey) window.open(link.href, '_blank', 'noopener');
  else link.click();
};
document.addEventListener('click', open);
document.addEventListener('auxclick', open);
document.addEventListener('mousedown', (event) => { if (event.button === 1 && opener(event)) event.preventDefault(); }); // no scrolling by it

// goBack puts older messages above those of a conversation, which stay where they are.
const goBack = async (link) => {
  const older = await page(link.href), at = link.closest('li');
  const added = all('.talk > ol > li', older).filter((row) => !one('[rel=prev]', row)).map((row) => document.adoptNode(row));
  for (const row of added) if (row.id) document.getElementById(row.id)?.remove(); // the day goes on
  at.replaceWith(...added);
  enter(added.filter((row) => row.matches('.m')).at(-1));
};

// Going back returns to the same post, on whichever page it was. A post that was opened is focused. A
// post that was only scrolled to isn't.
const leaveAt = (row, opened) => history.replaceState({ ...history.state, at: row?.id, top: row?.getBoundingClientRect().top, opened }, '');
let resting;
if (rows().length) addEventListener('scroll', () => {
  clearTimeout(resting);
  resting = setTimeout(() => leaveAt(scrollY > innerHeight ? rows().find((row) => row.getBoundingClientRect().bottom > 0) : null), 400);
}, { passive: true });

const comeBack = async () => {
  const { more: pages = [], at, top, opened } = history.state || {};
  if (!at && !pages.length) return;
  history.replaceState({ at, top, opened }, '');
  try {
    for (const href of pages.slice(0, 20)) {
      const link = one('.pager [rel=next]');
      if (link?.getAttribute('href') === href) await more(link);
    }
  } catch { /* what is there has to do */ }
  const row = at && document.getElementById(at);
  if (!row) return;
  if (opened) enter(row);
  scrollBy({ top: row.getBoundingClientRect().top - top, behavior: 'instant' });
};

// How far home was read, for the reader's other devices.
const form = one('[data-read]');
let best = '', told = form ? idOf(one('.line + .post') || make('p')) : '';
const watch = form && new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting && newer(idOf(target), best) > 0) best = idOf(target);
  }
}, { threshold: 0.5 });
const seen = (row) => watch?.observe(row);

const tellRead = () => {
  if (!best || newer(best, told) <= 0) return;
  told = best;
  const fields = fieldsOf(form);
  fields.set('home', best);
  fetch(form.action, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', keepalive: true }).catch(() => {});
};
