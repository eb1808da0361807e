// A post's menu: its entries get icons. "Copy link" copies instead of opening the post, and "Share"
// opens the system's dialog.
export default ({ one, all, make, icon, tr, flash }, menu) => {
  for (const entry of all('[data-icon]', menu)) {
    entry.prepend(icon(entry.dataset.icon));
    entry.removeAttribute('data-icon');
  }
  const copy = one('[data-copy]', menu);
  if (!copy || copy.dataset.copy) return;
  copy.dataset.copy = 'ready';
  const act = (does) => async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    menu.open = false;
    one('summary', menu).focus();
    try {
      await does();
    } catch (e) {
      if (e.name !== 'AbortError') flash(e.message, true); // otherwise the dialog was closed
    }
  };
  if (navigator.clipboard) {
    copy.addEventListener('click', act(async () => {
      await navigator.clipboard.writeText(copy.href);
      flash(tr('Link copied'));
    }));
  }
  if (!navigator.share) return;
  const share = make('button', { type: 'button' }, icon('share'), tr('Share'));
  share.addEventListener('click', act(() => navigator.share({ url: copy.href })));
  copy.after(share);
};
