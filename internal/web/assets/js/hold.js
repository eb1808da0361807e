// Holds a post back for some seconds, so that its author can undo sending it. Leaving the page sends it at
// once. If the author returns to the page as it was, the post is sent again, which the server recognizes
// by its key. It resolves to false if the author undid it.
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
    clearTimeout(timer);
    addEventListener('pageshow', () => end(true), { once: true });
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
