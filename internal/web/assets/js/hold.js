// Holds a post back for some seconds, so that its author can undo sending it. Leaving the page sends it at
// once. If the author returns to the page as it was, the post is sent again, which the server recognizes
// by its key. It resolves to false if the author undid it.
export default ({ make, tr, flash }, form, fields, left) => new Promise((done) => {
  const seconds = Number(form.dataset.hold), undo = make('button', { type: 'button', class: 'quiet' }, tr('Undo'));
  const end = (goes) => {
    clearTimeout(timer);
    removeEventListener('pagehide', leave);
    removeEventListener('keydown', key);
    document.removeEventListener('submit', logsOut, true);
    form.inert = false;
    flash('');
    done(goes);
  };
  const post = () => fetch(form.action, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', keepalive: true }).catch(() => {});
  const leave = () => {
    post();
    left();
    clearTimeout(timer);
    addEventListener('pageshow', () => end(true), { once: true });
  };
  const key = (event) => {
    if (event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    end(false);
  };
  // Logging out or switching accounts waits for the post, which needs the session. If the post is refused, the
  // composer shows why, and nothing else happens.
  const logsOut = async (event) => {
    const { target, submitter } = event;
    if (!/^\/log/.test(target.getAttribute('action'))) return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(timer);
    if ((await post())?.type !== 'opaqueredirect') return end(true);
    removeEventListener('pagehide', leave);
    document.removeEventListener('submit', logsOut, true);
    left();
    target.requestSubmit(submitter);
  };
  const timer = setTimeout(end, seconds * 1000, true);
  undo.addEventListener('click', () => end(false));
  addEventListener('pagehide', leave);
  addEventListener('keydown', key);
  document.addEventListener('submit', logsOut, true);
  form.inert = true;
  flash([tr('Posting in %s seconds.', seconds), ' ', undo], false, seconds * 1000 + 2000);
});
