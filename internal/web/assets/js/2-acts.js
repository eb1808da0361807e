// Buttons that say whether something is so: favourite, boost, bookmark, follow.

const press = (button, on) => {
  const act = button.value.replace(/^un/, '');
  button.setAttribute('aria-pressed', on);
  button.value = (on ? 'un' : '') + act;
  if (act === 'follow') {
    button.className = on ? 'quiet' : 'button small-button';
    button.textContent = on ? tr('Following') : tr('Follow');
  }
  if (act !== 'favourite' && act !== 'boost') return;
  const menu = button.closest('.boosting'), shown = menu ? one('summary', menu) : button;
  if (menu) {
    shown.classList.toggle('on', on);
    button.lastChild.data = on ? tr('Undo boost') : tr('Boost');
    if (menu.contains(document.activeElement)) shown.focus();
    menu.open = false;
  }
  tally(shown, Number((one('span', shown)?.textContent || '0').replace(/\D/g, '')) + (on ? 1 : -1));
};

// tally shows the number of replies, boosts or favourites on the control for them.
const tally = (control, n) => {
  let count = one('span', control);
  if (!count) control.append(count = make('span'));
  if (n > 0) count.textContent = n.toLocaleString(lang);
  else count.remove();
  control.setAttribute('aria-label', n > 0 ? tr('%s, %s so far', control.title, n) : control.title);
};

// alike are the buttons of a page that say the same: of the same post, or person.
const alike = (button, form) => {
  const id = button.closest('[data-id]')?.dataset.id;
  return all('button[name=act][value="' + button.value + '"]').filter((b) =>
    id ? b.closest('[data-id]')?.dataset.id === id : b.form?.getAttribute('action') === form.getAttribute('action'));
};

// showRelation replaces the parts of a profile or card that depend on whether the reader follows the
// person.
const showRelation = async (form) => {
  const shown = form.closest('.profile, .hovercard'), read = shown && await page(form.action);
  if (read) for (const part of ['.handle', '.menu']) one(part, shown)?.replaceWith(document.adoptNode(one('.profile ' + part, read)));
};

// act shows the new state at once. Acts of a form are sent one after another, so that a click during a
// slow request is not lost.
const underWay = new WeakMap();
const act = (button, form) => {
  const on = button.getAttribute('aria-pressed') !== 'true';
  const fields = fieldsOf(form, button);
  const buttons = alike(button, form);
  buttons.forEach((b) => press(b, on));
  form.dataset.busy = 1;
  const sent = Promise.resolve(underWay.get(form)).then(async () => {
    const last = () => underWay.get(form) === sent;
    try {
      await send(form.action, fields);
      if (last()) await showRelation(form).catch(() => {}); // then they stay until the next page
    } catch (e) {
      buttons.forEach((b) => { if (b.getAttribute('aria-pressed') === String(on)) press(b, !on); });
      flash(e.message, true);
    }
    if (last()) delete form.dataset.busy;
  });
  underWay.set(form, sent);
};

const chooseTheme = async (button, form) => {
  const root = document.documentElement;
  const before = root.dataset.theme || '';
  const show = (theme) => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    one('meta[name=color-scheme]').content = theme || 'light dark';
    all('button', form).forEach((b) => b.setAttribute('aria-pressed', b.value === theme));
  };
  show(button.value);
  try {
    await send(form.action, fieldsOf(form, button));
  } catch (e) {
    show(before);
    flash(e.message, true);
  }
};

document.addEventListener('submit', (event) => {
  const button = event.submitter, form = event.target;
  if (event.defaultPrevented || !button?.hasAttribute('aria-pressed') || form.method !== 'post') return;
  if (button.name === 'theme') {
    event.preventDefault();
    chooseTheme(button, form);
  } else if (button.name === 'act') {
    event.preventDefault();
    act(button, form);
  }
});
