// Shows the pictures and videos of a post, or of a page of tiles, over the page. A picture is zoomed by click, wheel,
// keys or two fingers, and moved while it is zoomed. Otherwise arrows and swipes lead to the next one.
export default async ({ one, all, make, icon, tr, styled }, sheet, opener) => {
  const links = all('.shot > a, [data-full]', opener.closest('.gallery, .shots'));
  const mirrored = document.dir === 'rtl';
  await styled(sheet);
  if (one('.lightbox')) return; // opened by an earlier click
  const button = (name, sign, label) => make('button', { type: 'button', class: name, 'aria-label': label }, icon(sign, 'i flip'));
  const close = button('close', 'cross', tr('Close')), near = button('zoom', 'plus', '');
  const prev = button('prev', 'back', tr('Previous picture')), next = button('next', 'forth', tr('Next picture'));
  const img = make('img', {}), stage = make('div', { class: 'stage' }, img), caption = make('div', { class: 'caption', role: 'status' });
  const box = document.body.appendChild(make('dialog', { class: 'lightbox' }, close, near, prev, stage, next, caption));
  let at = links.indexOf(opener), video, scale = 1, x = 0, y = 0;

  // room is by how much the shown picture exceeds the stage on both sides.
  const room = () => {
    const wide = stage.clientWidth, high = stage.clientHeight;
    const fit = Math.min(wide / (img.naturalWidth || 1), high / (img.naturalHeight || 1), img.className ? Infinity : 1);
    return [(img.naturalWidth * fit * scale - wide) / 2, (img.naturalHeight * fit * scale - high) / 2];
  };
  const place = (byX = 0, byY = 0) => {
    const [mostX, mostY] = room().map((n) => Math.max(0, n));
    x = Math.min(mostX, Math.max(-mostX, x));
    y = Math.min(mostY, Math.max(-mostY, y));
    img.style.transform = `translate(${x + byX}px, ${y + byY}px) scale(${scale})`;
    stage.classList.toggle('near', scale > 1);
    near.ariaLabel = scale > 1 ? tr('Zoom out') : tr('Zoom in');
    near.replaceChildren(icon(scale > 1 ? 'minus' : 'plus'));
  };
  // zoom keeps the point of the picture that is at a point of the window.
  const zoom = (to, atX = stage.clientWidth / 2, atY = stage.clientHeight / 2) => {
    if (video) return;
    const fromX = atX - stage.clientWidth / 2, fromY = atY - stage.clientHeight / 2, before = scale;
    scale = Math.min(8, Math.max(1, to));
    x = fromX - (fromX - x) * scale / before;
    y = fromY - (fromY - y) * scale / before;
    place();
  };
  const show = () => {
    const link = links[at], small = one('img', link), { full, clip } = link.dataset, of = links.length, here = one('video', link.parentNode);
    const text = one('.alt p', link.parentNode)?.textContent ?? (link.closest('.shots') ? link.title : '');
    scale = 1;
    x = y = 0;
    video = clip && make('video', { src: full, controls: '', playsinline: '', 'aria-label': here?.ariaLabel || small?.alt || text });
    near.hidden = !!clip;
    stage.replaceChildren(video || img);
    if (video) {
      video.loop = video.muted = clip === 'gifv';
      video.poster = here?.poster || small?.src || '';
      video.currentTime = here?.currentTime || 0;
      here?.pause();
    } else {
      img.src = small.src;
      img.alt = small.alt;
    }
    img.className = full ? 'early' : '';
    if (full && !clip) {
      const loading = new Image();
      loading.onload = () => {
        if (links[at] !== link) return;
        img.src = full;
        img.className = '';
      };
      loading.src = full;
    }
    box.ariaLabel = clip ? tr('Video') : of > 1 ? tr('Picture %d of %d', at + 1, of) : tr('Picture');
    caption.replaceChildren(...[of > 1 && make('p', { class: 'at' }, tr('%d of %d', at + 1, of)), text && make('p', { dir: 'auto' }, text),
      link.closest('.shots') && make('p', {}, make('a', { href: link.href.replace(/\/media\/\d+$/, '') }, tr('View post')))].filter(Boolean));
    caption.hidden = !caption.childElementCount;
    const held = document.activeElement;
    prev.hidden = !at;
    next.hidden = at === of - 1;
    if (held === prev && prev.hidden || held === next && next.hidden) (at ? prev : next).focus();
    if (box.open && !box.contains(document.activeElement)) (video || close).focus(); // it was on a video
    place();
  };
  const step = (by) => {
    if (links[at + by]) at += by;
    show();
  };
  const toggle = (atX, atY) => zoom(scale > 1 ? 1 : 2.5, atX, atY);

  const fingers = new Map();
  let downX, downY, moved, apart;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  };
  stage.addEventListener('pointerdown', (event) => {
    if (event.button || event.target === video) return;
    event.preventDefault();
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) [downX, downY, moved] = [event.clientX, event.clientY, false];
    else if (fingers.size === 2) apart = spread();
  });
  stage.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    fingers.set(event.pointerId, event);
    moved ||= Math.hypot(event.clientX - downX, event.clientY - downY) > 8;
    if (fingers.size === 2) {
      const now = spread(), [a, b] = [...fingers.values()];
      moved = true;
      zoom(scale * now / apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
      apart = now;
    } else if (scale > 1) {
      x += event.clientX - before.clientX;
      y += event.clientY - before.clientY;
      place();
    } else if (moved) place(event.clientX - downX, Math.max(0, event.clientY - downY));
  });
  const up = (event) => {
    if (!fingers.delete(event.pointerId) || fingers.size) return;
    const byX = event.clientX - downX, byY = event.clientY - downY;
    if (!moved && event.type === 'pointerup') {
      const [overX, overY] = room(), outside = video || Math.abs(event.clientX - stage.clientWidth / 2) > stage.clientWidth / 2 + overX || Math.abs(event.clientY - stage.clientHeight / 2) > stage.clientHeight / 2 + overY;
      outside ? box.close() : toggle(event.clientX, event.clientY);
    } else if (scale > 1) place();
    else if (Math.abs(byX) > 60 && Math.abs(byX) > Math.abs(byY)) step((byX < 0) === mirrored ? -1 : 1);
    else if (byY > 90) box.close();
    else place();
  };
  stage.addEventListener('pointerup', up);
  stage.addEventListener('pointercancel', up);
  stage.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  });
  box.addEventListener('keydown', (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way && scale > 1) {
      x -= way[0] * 80;
      y -= way[1] * 80;
      place();
    } else if (way?.[0] && links.length > 1) step(mirrored ? -way[0] : way[0]);
    else if (event.key === '+' || event.key === '=') zoom(scale * 1.5);
    else if (event.key === '-') zoom(scale / 1.5);
    else if (event.key === '0') zoom(1);
    else return;
    event.preventDefault();
  });
  close.addEventListener('click', () => box.close());
  near.addEventListener('click', () => toggle());
  prev.addEventListener('click', () => step(-1));
  next.addEventListener('click', () => step(1));
  const fits = () => place();
  addEventListener('resize', fits);
  box.addEventListener('close', () => {
    removeEventListener('resize', fits);
    box.remove();
    links[at].focus();
  });
  img.addEventListener('load', fits);
  show();
  box.showModal();
  video?.focus();
  video?.play().catch(() => {}); // the browser may want a click
};
