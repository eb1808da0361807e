// Shows the card of the first link in the composer, which the post will have. The server may need some
// seconds to fetch it. The cross hides the card here only: the post has it all the same.
export default ({ one, make, icon, tr, styled }, sheet, form, text, linkIn) => {
  let shown, hidden, card, timer;

  const clear = () => {
    card?.remove();
    card = null;
  };
  const show = (link, html) => {
    clear();
    const close = make('button', { type: 'button', class: 'quiet', 'aria-label': tr('Hide preview') }, icon('cross'));
    card = make('div', { class: 'previewed', role: 'group', 'aria-label': tr('Link preview') }, ...new DOMParser().parseFromString(html, 'text/html').body.children, close);
    close.addEventListener('click', () => {
      hidden = link;
      clear();
      text.focus();
    });
    one('.attached', form).after(card);
  };
  const ask = async (link, waits) => {
    try {
      const response = await fetch('/compose/preview?link=' + encodeURIComponent(link));
      if (shown !== link || !form.isConnected) return;
      if (response.status === 202 && waits.length) timer = setTimeout(ask, waits[0], link, waits.slice(1));
      if (response.status !== 200) return;
      const html = await response.text();
      await styled(sheet);
      if (shown === link && hidden !== link) show(link, html);
    } catch { /* the post gets its card all the same */ }
  };
  const look = () => {
    const link = one('[name=media], [name=quoted]', form) ? '' : linkIn(text.value);
    if (link === shown) return;
    shown = link;
    clear();
    clearTimeout(timer);
    if (link && link !== hidden) timer = setTimeout(ask, 800, link, [700, 1000, 1500, 2500, 4000, 6000]);
  };
  form.addEventListener('input', look);
  look();
};
