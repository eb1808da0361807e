// Holds a post back for some seconds, so that its author can undo sending it. The server has it as a
// draft meanwhile. Leaving the page sends it at once. It resolves to false if the author undid it.
export default ({ make, tr, flash }, form, fields, left) => new Promise((done) => {
  const seconds = Number(form.dataset.hold), undo = make('button', { type: 'button', class: 'quiet' }, tr('Undo'));
  const end = (goes) => {
    clearTimeout(timer);
    removeEventListener('pagehide', leave);
    removeEventListener('keydown', key);
    form.inert = false;
    flash('');
    done(goes);
  };
  const leave = () => {
    fetch(form.action, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', keepalive: true }).catch(() => {});
    left();
  };
  const key = (event) => {
    if (event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    end(false);
  };
  const timer = setTimeout(end, seconds * 1000, true);
  undo.addEventListener('click', () => end(false));
  addEventListener('pagehide', leave);
  addEventListener('keydown', key);
  form.inert = true;
  flash([tr('Posting in %s seconds.', seconds), ' ', undo], false, seconds * 1000 + 2000);
});
