// Drafts on the server: the composer saves by itself some seconds after the last change, and
// when the page is hidden. What the browser keeps goes on to work while the server is away.

// A draft is named by its id and version, and by the key with which it was written last if the
// answer to that may have got lost.
const autosave = (form, place, open) => {
  const name = form.elements.draft, nothing = () => {};
  if (!name || form.dataset.draft) return { changed: nothing, restored: nothing, store: nothing, resume: nothing, sent: nothing, end: nothing }; // messages are saved in the browser only
  const said = one('.send', form).appendChild(make('span', { class: 'saved', role: 'status' }));
  const opened = name.value.split('.')[0];
  const body = () => {
    const fields = new FormData(form);
    for (const left of ['pictures', 'draft', 'do']) fields.delete(left);
    return new URLSearchParams(fields);
  };
  let state = String(body()), timer, ready = 0, under, ended = false;
  const remember = () => kept.set(place + ' of', (name.value.split('.').slice(0, 2).join('.') || '0.0') + '.' + form.elements.key.value);
  const later = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(save, Math.max(wait, ready - Date.now()));
  };
  const send = async (fields, now) => {
    let wait = 10;
    try {
      const response = await fetch('/drafts', { method: 'POST', body: fields, redirect: 'manual', keepalive: true });
      if (!response.ok) throw response;
      const answer = await response.json();
      name.value = answer.draft;
      state = now;
      remember();
      if (opened) kept.set(place, '');
      if (![tr('Draft saved.'), tr('Draft deleted.'), ''].includes(answer.says)) flash(answer.says);
      else if (!ended) said.textContent = answer.says;
    } catch (failed) {
      wait = Math.max(60, Number(failed.headers?.get('Retry-After')));
      if (failed.status === 403) ended = true; // the log-in has ended
      else if (failed.status !== 422) later(wait * 1000);
      else if (!ended) flash((await refusal(failed)).message);
    }
    ready = Date.now() + wait * 1000;
    under = null;
  };
  const save = () => {
    const fields = body(), now = String(fields);
    clearTimeout(timer);
    if (ended || now === state) return;
    if (under) return later(3000);
    remember();
    fields.set('draft', name.value);
    under = send(fields, now);
  };
  addEventListener('visibilitychange', () => { if (document.hidden) save(); });
  addEventListener('pagehide', save);
  form.addEventListener('change', () => later(3000));
  if (opened) {
    if (kept.get(place + ' of')?.startsWith(opened + '.') || kept.get(place) === form.elements.text.value) [place, place + ' of'].forEach((slot) => kept.set(slot, '')); // it goes on here
    open(opened);
    place += ' draft ' + opened;
  }
  return {
    changed: () => { said.textContent = ''; later(3000); },
    restored: () => { name.value = kept.get(place + ' of') || name.value; },
    store: async () => {
      await under;
      save();
      await under;
    },
    resume: (draft) => {
      ended = false;
      name.value = draft ?? name.value;
    },
    sent: () => kept.set(place + ' of', ''),
    end: () => {
      ended = true;
      clearTimeout(timer);
      return under;
    },
  };
};
