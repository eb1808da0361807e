// Completion of names, tags and emoji that are begun in a text, as a listbox.
// https://www.w3.org/WAI/ARIA/apg/patterns/listbox/

const complete = (text, changed) => {
  const list = make('ul', { id: 'suggestions', role: 'listbox', 'aria-label': tr('Suggestions'), class: 'suggestions', hidden: '' });
  text.after(list);
  text.setAttribute('aria-autocomplete', 'list');
  text.setAttribute('aria-controls', list.id);
  let asked = '', at = -1, timer;

  const begun = () => /(?:^|[^\p{L}\p{N}_/@#:])((?:[@#]|:(?=\w\w))[\p{L}\p{M}\p{N}_]+)$/u.exec(text.value.slice(0, text.selectionStart))?.[1] || '';
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    at = -1;
    text.removeAttribute('aria-activedescendant');
  };
  const mark = (i) => {
    at = (i + list.children.length) % list.children.length;
    [...list.children].forEach((o, n) => o.setAttribute('aria-selected', n === at));
    text.setAttribute('aria-activedescendant', list.children[at].id);
    list.children[at].scrollIntoView({ block: 'nearest' });
  };
  const take = (option) => {
    const word = begun(), end = text.selectionStart;
    text.setRangeText(option.dataset.text + ' ', end - word.length, end, 'end');
    close();
    changed();
  };
  const ask = async () => {
    const word = asked = begun();
    if (!word) return close();
    let found = [];
    try {
      const response = await fetch('/complete?q=' + encodeURIComponent(word));
      if (response.ok && !response.redirected) found = await response.json();
    } catch { /* then there is nothing to offer */ }
    if (asked !== word || document.activeElement !== text) return;
    close();
    list.append(...found.map((s, i) => make('li', { id: 'suggestion' + i, role: 'option', 'aria-selected': false, 'data-text': s.text },
      s.picture ? make('img', { src: s.picture, alt: '', class: 'emoji' }) : '', s.text, s.name ? make('span', { class: 'handle' }, ' ' + s.name) : '')));
    list.hidden = !found.length;
    if (found.length) mark(0);
  };

  text.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  text.addEventListener('blur', close);
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
    const option = event.target.closest('[role=option]');
    if (option) take(option);
  });
  text.addEventListener('keydown', (event) => {
    if (list.hidden || event.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowDown') mark(at + 1);
    else if (event.key === 'ArrowUp') mark(at - 1);
    else if (event.key === 'Enter' || event.key === 'Tab') take(list.children[at]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
};
