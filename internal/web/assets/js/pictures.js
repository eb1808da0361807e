// The attachments of a composer: uploads files at once, and removes, moves, describes and focuses
// the thumbnails in place. The server does the same when the buttons submit the form.
export default async ({ one, all, make, tr, flash, styled }, sheet, form, text) => {
  await styled(sheet);
  const row = one('.attached ul', form), tool = one('.pictures', form);
  const items = () => all('li:has([name=media])', row);
  const changed = () => {
    items().forEach((item, i, { length }) => {
      for (const e of all('button, summary', item)) e.ariaLabel = e.ariaLabel.replace(/\d+/, i + 1);
      const [earlier, later] = all('.moves button', item);
      earlier.disabled = !i;
      later.disabled = i === length - 1;
    });
    form.dispatchEvent(new Event('input'));
    form.dispatchEvent(new Event('change'));
  };
  const said = (page) => all('.attached > :not(ul)', page);

  const upload = (files) => new Promise((done) => {
    const progress = make('progress', { max: '1', 'aria-label': tr('Upload') }), stop = make('button', { type: 'button', class: 'quiet' }, tr('Cancel'));
    const shown = row.appendChild(make('li', { class: 'busy' }, progress, stop)), fields = new FormData(form), up = new XMLHttpRequest();
    const before = fields.getAll('media'); // one of them may be removed meanwhile
    fields.delete('pictures');
    for (const file of files) fields.append('pictures', file);
    fields.set('do', 'attach');
    up.responseType = 'document';
    up.upload.onprogress = (event) => { progress.value = event.loaded / event.total; };
    up.onload = () => {
      const fresh = up.response && one('.attached', up.response);
      if (!fresh) return up.onerror();
      const added = all('li', fresh).filter((item) => !before.includes(one('[name=media]', item).value));
      said(form).forEach((e) => e.remove());
      row.after(...said(up.response));
      added.forEach((item) => { one('details', item).open = false; });
      row.append(...added);
      tool.hidden = one('.pictures', up.response).hidden;
      all('.points', row).forEach(mark);
      end();
      if (document.activeElement !== text && added[0]) one('summary', added[0]).focus();
    };
    up.onerror = () => {
      end();
      flash((up.response && one('main .wrong, main p:not(.errorcode)', up.response)?.textContent.trim()) || tr('Connection failed. Try again.'), true);
    };
    const end = () => {
      shown.remove();
      changed();
      done();
    };
    stop.addEventListener('click', () => {
      up.abort();
      end();
      text.focus();
    });
    up.open('POST', form.action);
    up.send(fields);
    changed();
  });

  const remove = (item) => {
    const fields = new FormData(form), next = item.nextElementSibling || item.previousElementSibling;
    fields.delete('pictures');
    fields.set('do', one('.drop', item).value);
    const gone = () => fetch(form.action, { method: 'POST', body: fields, redirect: 'manual' }).catch(() => {}); // otherwise the server deletes it after a day
    last = last.then(gone); // an upload that has begun still names it
    item.remove();
    said(form).forEach((e) => e.remove());
    tool.hidden = false;
    changed();
    one(next ? '.drop' : 'summary', next || tool).focus();
  };

  const move = (item, button) => {
    if (button.value.startsWith('earlier')) item.after(item.previousElementSibling);
    else item.before(item.nextElementSibling);
    changed();
    if (button.disabled) one('.moves :enabled', item).focus();
  };

  // mark shows the exact focus in the picture and in its thumbnail.
  const mark = (field) => {
    const radio = one(':checked', field), [x, y] = radio.value.split(',').map(Number), i = all('input', field).indexOf(radio);
    radio.style.setProperty('--x', ((x + 1) * 1.5 - i % 3) * 100 + '%');
    radio.style.setProperty('--y', ((1 - y) * 1.5 - Math.floor(i / 3)) * 100 + '%');
    one('img', field.closest('li')).style.objectPosition = (x + 1) * 50 + '% ' + (1 - y) * 50 + '%';
  };
  const aim = (radio, event) => {
    const field = radio.closest('.points'), box = field.getBoundingClientRect(), i = all('input', field).indexOf(radio);
    const x = event.detail ? (event.clientX - box.left) / box.width * 2 - 1 : (i % 3 - 1) * 0.67;
    const y = event.detail ? 1 - (event.clientY - box.top) / box.height * 2 : (1 - Math.floor(i / 3)) * 0.67;
    radio.value = x.toFixed(2) + ',' + y.toFixed(2);
    mark(field);
    changed();
  };

  let dragged;
  row.addEventListener('click', (event) => {
    const item = event.target.closest('li'), button = event.target.closest('button[name=do]');
    if (button) {
      event.preventDefault();
      button.className === 'drop' ? remove(item) : move(item, button);
    } else if (event.target.matches('.points input')) aim(event.target, event);
    else if (event.target.matches('li > img, .clip, .clip *') && !dragged) one('details', item).open = true;
  });
  row.addEventListener('toggle', ({ target }) => { if (target.open) one('textarea', target).focus(); }, true);
  row.addEventListener('keydown', (event) => {
    const open = event.target.closest('details[open]');
    if (event.key !== 'Escape' || !open) return;
    event.preventDefault();
    open.open = false;
    one('summary', open).focus();
  });
  row.addEventListener('pointerdown', (event) => {
    dragged = false;
    const item = event.target.matches('li > img, .clip, .clip *') && event.target.closest('li');
    if (!item || event.button || event.pointerType === 'touch') return;
    const over = ({ clientX, clientY }) => {
      const at = document.elementFromPoint(clientX, clientY)?.closest('.attached li');
      if (!at || at === item || at.parentNode !== row) return;
      dragged = true;
      item.classList.add('moving');
      item.compareDocumentPosition(at) & 4 ? at.after(item) : at.before(item);
    };
    addEventListener('pointermove', over);
    addEventListener('pointerup', () => {
      removeEventListener('pointermove', over);
      item.classList.remove('moving');
      if (dragged) changed();
    }, { once: true });
  });

  let last = Promise.resolve();
  all('.points', row).forEach(mark);
  return (files) => { last = last.then(() => upload(files)); };
};
