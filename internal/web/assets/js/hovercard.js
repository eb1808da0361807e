// Cards about people, next to links to their profiles. A card appears if the pointer or the keyboard
// focus rests on such a link, and stays while either is on the link or the card. Escape and scrolling
// hide it. Touches never show it. With Tab, the card comes between its link and the next control.
export default ({ one, all, me, styled }, sheet, first) => {
  const cards = new Map(); // by path; null if the reader may not see the profile
  let card, link, wanted, dismissed, timer, asking, byKeys, returning;

  const linkAt = (target) => {
    const found = target.closest?.('a[href*="/@"]');
    return found && found.origin === location.origin && /^\/@\w+$/.test(found.pathname) && found.pathname !== location.pathname
      && !found.matches('.nav *, .tabs *, .menu *, .hovercard *, .quiet, .button, .act') && found;
  };
  const hide = () => {
    clearTimeout(timer);
    asking?.abort();
    wanted = null;
    if (!card) return;
    const focused = card.contains(document.activeElement);
    card.remove();
    card = null;
    link.ariaExpanded = null;
    if (focused) back();
  };
  const dismiss = () => {
    dismissed = wanted || link;
    hide();
  };
  const back = () => {
    returning = true;
    link.focus({ preventScroll: true });
    returning = false;
  };
  const read = async (path) => {
    asking?.abort();
    asking = new AbortController();
    const response = await fetch(path + '?as=' + (me() || ''), { signal: asking.signal });
    if (response.ok) return one('.hovercard', new DOMParser().parseFromString(await response.text(), 'text/html'));
    if (response.status !== 404 && response.status !== 410) throw new Error(response.status);
    return null;
  };
  const show = async (at, keys) => {
    const path = at.pathname + '/card';
    try {
      if (!cards.has(path)) cards.set(path, await read(path));
    } catch {
      return; // the next time asks again
    }
    await styled(sheet);
    const found = cards.get(path);
    if (wanted !== at || !at.isConnected || !found) return;
    hide();
    [card, link, wanted, byKeys] = [document.body.appendChild(found), at, at, keys];
    link.ariaExpanded = true;
    const box = at.getBoundingClientRect(), { offsetWidth: wide, offsetHeight: high } = card, { clientWidth, clientHeight } = document.documentElement;
    const below = box.bottom + high + 8 < clientHeight || box.top < high + 8;
    const x = document.dir === 'rtl' ? box.right - wide : box.left;
    card.style.left = Math.max(8, Math.min(x, clientWidth - wide - 8)) + 'px';
    card.style.top = Math.max(8, below ? Math.min(box.bottom + 4, clientHeight - high - 8) : box.top - high - 4) + 'px';
  };
  const arrive = (at, keys) => {
    if (at === wanted || at === dismissed && !keys) return;
    clearTimeout(timer);
    dismissed = null;
    wanted = at;
    if (!card || at !== link) timer = setTimeout(show, keys ? 700 : 500, at, keys);
  };
  const leave = () => {
    dismissed = null;
    if (!wanted || byKeys && card) return;
    clearTimeout(timer);
    asking?.abort();
    wanted = null;
    if (card) timer = setTimeout(hide, 300);
  };
  const moves = ({ pointerType, target }) => {
    if (pointerType !== 'mouse') return;
    const at = linkAt(target);
    if (card?.contains(target)) {
      clearTimeout(timer);
      wanted = link;
    } else if (at) arrive(at);
    else leave();
  };
  const focuses = ({ target }) => {
    if (returning || card?.contains(target)) return;
    const at = target.matches(':focus-visible') && linkAt(target);
    if (at) arrive(at, true);
    else if (card) hide();
  };
  document.addEventListener('pointermove', moves);
  document.addEventListener('focusin', focuses);
  document.documentElement.addEventListener('pointerleave', leave);
  document.addEventListener('pointerdown', ({ target }) => { if (!card?.contains(target)) dismiss(); });
  document.addEventListener('submit', () => cards.clear());
  addEventListener('scroll', ({ target }) => { if (!card?.contains(target)) dismiss(); }, { capture: true, passive: true });
  addEventListener('pagehide', hide);
  document.addEventListener('keydown', (event) => {
    if (!card) return;
    const stops = all('a:not([tabindex]), button:enabled', card), at = document.activeElement;
    if (event.key === 'Escape') dismiss();
    else if (event.key !== 'Tab') return;
    else if (at === link && !event.shiftKey) stops[0].focus();
    else if (at === stops[0] && event.shiftKey) back();
    else {
      if (at === stops.at(-1) && !event.shiftKey) back(); // the browser continues with the next control
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }, true);
  // The pointer or the focus may have moved while this module was loaded.
  first.type === 'focusin' ? focuses({ target: document.activeElement }) : moves({ pointerType: 'mouse', target: all(':hover').at(-1) || document.body });
};
