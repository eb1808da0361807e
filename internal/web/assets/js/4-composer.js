// The composer: counter, draft, sending without leaving the page.

// Files that are chosen, dropped or pasted are uploaded by a module, which also has the buttons of the
// thumbnails. Until it is loaded they are in the input, so that the form can be sent with them.
const pictures = (form, text) => {
  const input = form.elements.pictures;
  let module;
  const load = async () => await (module ||= use(import('@pictures.js'), '@attached.css', form, text)) || (module = null);
  const upload = async (list) => {
    const chosen = new DataTransfer();
    for (const file of new Set([...input.files, ...list])) chosen.items.add(file);
    input.files = chosen.files;
    const send = await load();
    if (!send) return one('.pictures', form).open = true;
    if (input.files.length) send([...input.files]);
    input.value = '';
  };
  const brings = (event) => [...(event.dataTransfer || event.clipboardData).items].some((i) => i.kind === 'file');
  form.addEventListener('change', ({ target }) => { if (target === input) upload([]); });
  form.addEventListener('click', (event) => {
    if (!event.target.closest('.pictures > summary')) return;
    event.preventDefault(); // no panel: the files are uploaded when they are chosen
    input.click();
  });
  form.addEventListener('dragover', (event) => { if (brings(event)) event.preventDefault(); });
  form.addEventListener('drop', (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    upload(event.dataTransfer.files);
  });
  text.addEventListener('paste', (event) => {
    const { files } = event.clipboardData;
    if (!files.length) return;
    event.preventDefault();
    upload(files);
  });
  if (form.elements.media) queueMicrotask(load);
};

// renew replaces a composer whose post was sent with the one of a page that was fetched since, so
// that nothing of the post is left. typed is the text written while the post was being sent.
const renew = (form, read, typed) => {
  const fresh = all('[data-composer]', read).find((other) => other.dataset.draft === form.dataset.draft);
  const writing = form.contains(document.activeElement), text = fresh.elements.text;
  form.replaceWith(document.adoptNode(fresh));
  compose(fresh);
  if (typed) {
    fresh.classList.remove('brief');
    text.value = typed;
    text.dispatchEvent(new Event('input', { bubbles: true }));
  }
  if (writing) (text.offsetParent ? text : one('.opener', fresh)).focus();
};

const compose = (form) => {
  const text = form.elements.text, warning = form.elements.warning;
  const counter = one('.counter', form), ring = one('.ring use + use', form), button = one('.send .button', form);
  let draft = 'draft ' + form.dataset.composer + ' ' + (form.dataset.draft || (form.elements.in_reply_to?.value || '') + ' ' + (form.elements.redraft?.value || '') + (form.elements.edit ? ' edit ' + form.elements.edit.value : '') + (form.elements.plan ? ' plan ' + form.elements.plan.value : '') + (form.elements.thread ? ' thread ' + form.elements.thread.value : '') + (form.elements.group ? ' in ' + form.elements.group.value : '') + (form.elements.quoted ? ' quote ' + form.elements.quoted.value : '')) + (location.search.startsWith('?text=') ? location.search : '');
  const auto = autosave(form, draft, (opened) => { draft += ' draft ' + opened; });
  const max = Number(counter.dataset.max);
  const opener = one('.opener', form);
  const unfold = () => form.classList.remove('brief');
  opener?.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    unfold();
    text.focus();
  });
  let sending = false;

  const show = () => {
    const left = max - count(text.value) - count(warning?.value || '');
    const said = left < 0 ? trn('%s characters too many', '%s characters too many', -left) : trn('%s characters left', '%s characters left', left);
    counter.replaceChildren(...said.split(/(%s)/).filter(Boolean).map((part) => part === '%s' ? String(left) : make('span', { class: 'unseen' }, part)));
    counter.classList.toggle('over', left < 0);
    counter.classList.toggle('unseen', left > 60);
    ring.setAttribute('stroke-dasharray', Math.min(100, Math.max(0, 100 - left / max * 100)) + ' 100');
    button.disabled = left < 0 || sending || !!one('progress', form);
  };
  const keep = () => { if (!sending) kept.set(draft, text.value === text.defaultValue ? '' : text.value); };

  const saved = kept.get(draft);
  if (saved && text.value === text.defaultValue && !one('.wrong', form)) { text.value = saved; auto.restored(); }
  if (text.value !== text.defaultValue) unfold();
  let preview;
  const links = () => { if (text.value.includes('://')) preview ||= use(import('@preview.js'), '@preview.css', form, text, linkIn); };
  form.addEventListener('input', () => { show(); keep(); auto.changed(); links(); });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    if (!button.disabled) form.requestSubmit(button);
  });
  form.addEventListener('submit', async (event) => {
    if (event.submitter?.name === 'do' || form.elements.pictures?.files.length || form.elements.scheduled_at?.value || form.elements.plan) return auto.end(), kept.set(draft, ''); // these lead to another page
    event.preventDefault();
    if (sending || one('progress', form)) return;
    sending = true;
    show();
    try {
      const talk = form.dataset.draft && talking;
      const described = all('[name^="alt-"]', form).every((alt) => alt.value.trim()); // or else the server may ask about it
      const hold = form.dataset.hold && described;
      if (hold) await auto.store();
      await auto.end();
      const sent = text.value;
      const fields = fieldsOf(form, event.submitter);
      fields.delete('pictures');
      if (hold && !await use(import('@hold.js'), form, fields, () => kept.set(draft, ''))) {
        sending = false;
        auto.resume();
        show();
        return text.focus();
      }
      const response = await send(form.action, fields, talk ? 'manual' : 'follow');
      kept.set(draft, '');
      auto.sent();
      const top = !talk && sheet && response.ok && new URL(response.url).pathname === location.pathname && await parse(response);
      if (!talk && !top) return location.assign(response.url);
      if (top) flash([...one('.posted', top)?.childNodes || tr('Posted.')]);
      const read = await (talk ? comeIn() : loadNew(false, top)).catch(() => location.assign(location.href));
      if (read) renew(form, read, text.value.startsWith(sent) ? text.value.slice(sent.length) : text.value);
    } catch (e) {
      sending = false;
      keep();
      if (e.code === 403 || e.code === 422 && form.elements.media) return form.submit(); // the page of the log-in gives the text back, and others ask about descriptions
      flash(e.message, true);
      auto.resume(e.draft);
      show();
    }
  });
  const smile = one('a[href="/emoji"]', form);
  smile?.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    use(import('@emoji.js'), '@emoji.css', smile, text);
  });
  complete(text, () => { show(); keep(); auto.changed(); });
  pictures(form, text);
  show();
  queueMicrotask(links); // after the last file, which defines use
};

const composers = () => {
  all('[data-composer]').forEach(compose);
  if (one('main .posted')) history.replaceState(history.state, '', location.pathname); // it is not confirmed again
};
