// The emoji picker: Unicode emoji and the emoji of this server, with a search, categories and recent
// emoji, which only this browser stores. Without script, a page lists the emoji of this server.
const recentPlace = 'recent emoji';
let built, dialog, start;

const build = async ({ one, all, make, tr, kept, page, emojis, flash }) => {
  const recent = () => JSON.parse(kept.get(recentPlace) || '[]');
  const titles = [tr('Smileys and emotion'), tr('People and body'), tr('Animals and nature'), tr('Food and drink'), tr('Travel and places'), tr('Activities'), tr('Objects'), tr('Symbols'), tr('Flags')];
  const [known, custom] = await Promise.all([emojis(), page('/emoji').catch(() => null)]);
  if (!known.length) {
    built = null;
    return flash(tr('Connection failed. Try again.'), true);
  }
  const own = custom ? all('.emojis', custom).map((list) => [one('h2', list.parentElement).textContent, all('li', list).map((item) => {
    const code = one('code', item).textContent;
    return { emoji: code, name: code.slice(1, -1), also: '', picture: one('img', item).getAttribute('src') };
  })]) : [];
  const groups = [...own, ...known.map(([, list], i) => [titles[i], list])].filter(([, list]) => list.length);
  const every = groups.flatMap(([, list]) => list), byText = new Map(every.map((e) => [e.emoji, e]));

  const cell = (e) => make('button', { type: 'button', tabindex: -1, title: e.name, 'aria-label': e.name, 'data-emoji': e.emoji }, e.picture ? make('img', { src: e.picture, alt: '', class: 'emoji', loading: 'lazy' }) : e.emoji);
  const section = (title, list) => make('section', { 'aria-label': title }, make('h3', {}, title), make('div', { class: 'cells' }, ...list.map(cell)));
  const search = make('input', { type: 'search', 'aria-label': tr('Search emoji'), placeholder: tr('Search emoji'), autocomplete: 'off', maxlength: 60 });
  const lately = section(tr('Recent'), []), results = section(tr('Results'), []), none = make('p', { class: 'hint', role: 'status' });
  const sections = groups.map(([title, list]) => section(title, list));
  const tabs = make('div', { class: 'kinds', role: 'group', 'aria-label': tr('Categories') }, ...groups.map(([title, list], i) => {
    const tab = make('button', { type: 'button', title, 'aria-label': title }, ...one('button', sections[i]).cloneNode(true).childNodes);
    tab.addEventListener('click', () => {
      sections[i].scrollIntoView({ block: 'start' });
      reach(one('button', sections[i]));
    });
    return tab;
  }));
  const grid = make('div', { class: 'grid' }, results, none, lately, ...sections);
  const shut = make('button', { type: 'button', class: 'quiet' }, tr('Close'));
  dialog = make('dialog', { class: 'card emoji-picker', 'aria-label': tr('Emoji') }, make('p', { class: 'search' }, search, shut), tabs, grid);

  // One cell can be reached with Tab; the arrow keys move from there.
  const cells = () => all('.cells button', grid).filter((b) => b.getClientRects().length);
  const reach = (b, focus = true) => {
    for (const other of all('[tabindex="0"]', grid)) other.tabIndex = -1;
    if (!b) return;
    b.tabIndex = 0;
    if (focus) b.focus();
  };
  const move = (from, key) => {
    const list = cells(), at = list.indexOf(from), here = from.getBoundingClientRect();
    const forward = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (key === 'Home') return list[0];
    if (key === 'End') return list.at(-1);
    if (key === 'ArrowLeft' || key === 'ArrowRight') return list[at + (key === forward ? 1 : -1)];
    const down = key === 'ArrowDown', beyond = (down ? list.slice(at) : list.slice(0, at).reverse()).map((b) => [b, b.getBoundingClientRect()]).filter(([, r]) => down ? r.top > here.top + 4 : r.top < here.top - 4);
    const row = beyond.filter(([, r]) => Math.abs(r.top - beyond[0][1].top) < 4);
    return row.sort(([, a], [, b]) => Math.abs(a.left - here.left) - Math.abs(b.left - here.left))[0]?.[0];
  };
  const show = () => {
    const typed = search.value.trim().toLowerCase().replaceAll('_', ' '), words = typed.split(/\s+/);
    const hit = (e, text) => words.every((word) => (' ' + text.toLowerCase().replaceAll('_', ' ')).includes((e.picture ? '' : ' ') + word));
    const named = typed ? every.filter((e) => hit(e, e.name)) : [], also = typed ? every.filter((e) => !named.includes(e) && hit(e, e.name + ' ' + e.also)) : [];
    const found = [...named, ...also].slice(0, 80), last = recent().map((text) => byText.get(text)).filter(Boolean);
    one('.cells', results).replaceChildren(...found.map(cell));
    one('.cells', lately).replaceChildren(...last.map(cell));
    results.hidden = !found.length;
    lately.hidden = !!typed || !last.length;
    for (const e of [tabs, ...sections]) e.hidden = !!typed;
    none.textContent = typed && !found.length ? tr('Nothing matches “%s”. Try another word.', search.value.trim()) : '';
    reach(one(typed ? '.cells button' : 'section:not([hidden]) .cells button', grid), false);
    grid.scrollTop = 0;
  };
  const pick = (emoji) => {
    kept.set(recentPlace, JSON.stringify([emoji, ...recent().filter((other) => other !== emoji)].slice(0, 24)));
    dialog.close(emoji);
  };
  search.addEventListener('input', show);
  shut.addEventListener('click', () => dialog.close(''));
  grid.addEventListener('click', (event) => {
    const b = event.target.closest('[data-emoji]');
    if (b) pick(b.dataset.emoji);
  });
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(''); });
  dialog.addEventListener('cancel', () => { dialog.returnValue = ''; });
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    const { key, target } = event;
    if (target === search) {
      if (key === 'ArrowDown') reach(one('[tabindex="0"]', grid));
      else if (key === 'Enter') one('.cells button', results)?.click();
      else return;
    } else if (target.dataset.emoji && /^(Arrow|Home$|End$)/.test(key)) {
      const to = move(target, key);
      if (to) reach(to);
      else if (key === 'ArrowUp') search.focus();
    } else return;
    event.preventDefault();
  });
  start = () => {
    search.value = '';
    show();
  };
  document.body.append(dialog);
};

export default async (tools, sheet, opener, text) => {
  await (built ||= Promise.all([tools.styled(sheet), build(tools)]));
  if (!dialog || dialog.open) return;
  start();
  dialog.returnValue = '';
  dialog.onclose = () => {
    const emoji = dialog.returnValue, { selectionStart: from, selectionEnd: to, value } = text;
    text.focus();
    if (!emoji) return;
    // The picture of a shortcode appears only between blanks.
    const code = emoji[0] === ':', lead = code && /\S$/.test(value.slice(0, from)) ? ' ' : '';
    text.setRangeText(lead + emoji + (code && !/^\s/.test(value.slice(to)) ? ' ' : ''), from, to, 'end');
    text.dispatchEvent(new Event('input', { bubbles: true }));
  };
  dialog.showModal();
  const at = opener.getBoundingClientRect(), wide = innerWidth > 640;
  dialog.style.margin = wide ? 0 : '';
  dialog.style.left = wide ? Math.max(8, Math.min(at.left, innerWidth - dialog.offsetWidth - 8)) + 'px' : '';
  dialog.style.top = wide ? Math.max(8, Math.min(at.bottom + 4, innerHeight - dialog.offsetHeight - 8)) + 'px' : '';
};
