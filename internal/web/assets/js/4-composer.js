// The composer: counter, draft, sending without leaving the page.

const freshKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');

const composers = () => {
  for (const form of all('[data-composer]')) {
    const text = form.elements.text, warning = form.elements.warning;
    const counter = one('.counter', form), button = one('.send .button', form);
    const draft = 'draft ' + form.dataset.composer + ' ' + (form.elements.in_reply_to?.value || '') + ' ' + (form.elements.redraft?.value || '') + (form.elements.edit ? ' edit ' + form.elements.edit.value : '') + (form.elements.group ? ' in ' + form.elements.group.value : '');
    const max = Number(counter.dataset.max);
    let sending = false;

    const show = () => {
      const left = max - count(text.value) - count(warning?.value || '');
      const said = make('span', { class: 'unseen' }, left < 0 ? ' characters too many' : ' characters left');
      counter.replaceChildren(String(left), said);
      counter.classList.toggle('over', left < 0);
      button.disabled = left < 0 || sending;
    };
    const keep = () => kept.set(draft, text.value === text.defaultValue ? '' : text.value);

    const saved = kept.get(draft);
    if (saved && text.value === text.defaultValue && !one('.wrong', form)) text.value = saved;
    form.addEventListener('input', () => { show(); keep(); });
    form.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      event.preventDefault();
      if (!button.disabled) form.requestSubmit(button);
    });
    form.addEventListener('submit', async (event) => {
      if (event.submitter?.name === 'do' || form.elements.pictures?.files.length || form.elements.media) return kept.set(draft, ''); // a page of its own
      event.preventDefault();
      if (sending) return;
      sending = true;
      show();
      try {
        const home = form.elements.then?.value === 'home';
        const fields = fieldsOf(form, event.submitter);
        fields.delete('pictures');
        const response = await send(form.action, fields, home ? 'manual' : 'follow');
        kept.set(draft, '');
        if (!home) return location.assign(response.url);
        text.value = text.defaultValue = '';
        if (warning) warning.value = warning.defaultValue = '';
        form.elements.key.value = freshKey();
        await loadNew(false);
        flash('Posted.');
      } catch (e) {
        keep();
        if (e.code === 403) return form.submit(); // the log-in has ended: its page gives the text back
        flash(e.message, true);
      }
      sending = false;
      show();
    });
    complete(text, () => { show(); keep(); });
    show();
  }
};
