// Completion of names, tags and emoji that are begun in a text, as a listbox.
// https://www.w3.org/WAI/ARIA/apg/patterns/listbox/

// offer shows options below a field while the user types. find returns the options for what begun returns,
// and take is called with the chosen one. In a text the first option is marked; in an input, where
// Enter sends the form, none is.
const offer = (field, { begun, find, take, wait = 120, id = 'suggestions' }) => {
  const list = make('ul', { id, role: 'listbox', 'aria-label': tr('Suggestions'), class: 'suggestions', hidden: '' });
  const input = field.matches('input');
  let shown = [], asked, at = -1, timer;
  field.after(list);
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-controls', list.id);
  if (input) field.setAttribute('role', 'combobox');

  const close = () => {
    clearTimeout(timer);
    asked = null;
    list.hidden = true;
    list.replaceChildren();
    at = -1;
    field.removeAttribute('aria-activedescendant');
    if (input) field.setAttribute('aria-expanded', false);
  };
  const mark = (i) => {
    at = (i + shown.length) % shown.length;
    [...list.children].forEach((o, n) => o.setAttribute('aria-selected', n === at));
    field.setAttribute('aria-activedescendant', list.children[at].id);
    list.children[at].scrollIntoView({ block: 'nearest' });
  };
  const choose = (option) => {
    close();
    take(option);
  };
  const ask = async () => {
    const word = asked = begun();
    const found = word === null ? [] : await find(word);
    if (asked !== word || document.activeElement !== field) return;
    close();
    shown = found;
    list.append(...found.map((s, i) => make('li', { id: id + i, role: 'option', 'aria-selected': false },
      s.picture || s.face ? make('img', { src: s.picture || s.face, alt: '', class: s.face ? 'avatar' : 'emoji' }) : '', s.says || s.text, s.name ? make('span', { class: 'handle' }, ' ' + s.name) : '')));
    list.hidden = !found.length;
    if (input) field.setAttribute('aria-expanded', !list.hidden);
    else if (found.length) mark(0);
  };

  field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(ask, wait); });
  field.addEventListener('blur', close);
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
    const option = event.target.closest('[role=option]');
    if (option) choose(shown[[...list.children].indexOf(option)]);
  });
  field.addEventListener('keydown', (event) => {
    if (list.hidden || event.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowDown') mark(at + 1);
    else if (event.key === 'ArrowUp') mark(at < 0 ? -1 : at - 1);
    else if (at >= 0 && (event.key === 'Enter' || event.key === 'Tab' && !input)) choose(shown[at]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return ask;
};

// suggest reads suggestions from the server.
const suggest = async (query) => {
  try {
    const response = await fetch('/complete?' + new URLSearchParams({ ...query, as: me() }));
    if (response.ok && !response.redirected) return await response.json();
  } catch { /* then there is nothing to offer */ }
  return [];
};

// emojis are the emoji of Unicode, by category.
const emojis = () => import('@emojis.js').then((m) => m.default, () => []);

const complete = (text, changed) => {
  const begun = () => /(?:^|[^\p{L}\p{N}_/@#:])((?:[@#]|:(?=\w\w))[\p{L}\p{M}\p{N}_]+)$/u.exec(text.value.slice(0, text.selectionStart))?.[1] || null;
  offer(text, {
    begun,
    find: async (word) => {
      const [found, known] = await Promise.all([suggest({ q: word }), word[0] === ':' ? emojis() : []]);
      const start = ' ' + word.slice(1).replaceAll('_', ' ').toLowerCase(), all = known.flatMap(([, list]) => list);
      const named = all.filter((e) => (' ' + e.name).includes(start)), also = all.filter((e) => !named.includes(e) && (' ' + e.also).includes(start));
      return [...found, ...[...named, ...also].map((e) => ({ text: e.emoji, name: e.name }))].slice(0, 6);
    },
    take: (option) => {
      const end = text.selectionStart;
      text.setRangeText(option.text + ' ', end - (begun()?.length || 0), end, 'end');
      changed();
    },
  });
};
