// New posts are told of while the page is open, and come when they are asked for.

const sheet = one('[data-live]');
const waiting = new Set();
const pill = make('button', { type: 'button', class: 'pill' });
const place = sheet && document.body.appendChild(make('div', { role: 'status', class: 'news' }));
const talking = sheet?.matches('.talk');
let source, retry, pause = 1000, since = sheet && new URL(sheet.dataset.live, location).searchParams.get('since');

const showPill = () => {
  const n = waiting.size;
  const text = trn('%s new post', '%s new posts', n, n < 40 ? n : '40+');
  if (!n) return place.replaceChildren();
  if (pill.textContent !== text) pill.textContent = text;
  if (!pill.isConnected) place.append(pill);
};

// sayUnread shows the numbers of unread notifications and conversations in the navigation and the title.
const plainTitle = document.title.replace(/^\(\d+\) /, '');
const sayUnread = (counts) => {
  ['/notifications', '/messages'].forEach((path, i) => {
    const entry = one('.nav li > [href="' + path + '"]'), n = counts[i];
    one('.n', entry)?.remove();
    if (n) entry.append(make('span', { class: 'n' }, make('span', { 'aria-hidden': true }, n), make('span', { class: 'unseen' }, trn('%s unread', '%s unread', n, n))));
  });
  const n = counts[0] + counts[1];
  document.title = (n ? '(' + n + ') ' : '') + plainTitle;
};

// sayCounts shows the numbers of replies, boosts and favourites below a post.
const sayCounts = (id, counts) => {
  for (const form of all('[data-id="' + id + '"] > .acts:not([data-busy])')) ['reply', 'boost', 'favourite'].forEach((act, i) => tally(one('.act.' + act, form), Number(counts[i])));
};

const listen = () => {
  if (!sheet || source || document.hidden) return;
  const url = new URL(sheet.dataset.live, location);
  url.searchParams.set('as', me());
  if (since) url.searchParams.set('since', since);
  source = new EventSource(url);
  source.onopen = () => { pause = 1000; place.dataset.open = 1; };
  source.onerror = () => {
    delete place.dataset.open;
    if (source?.readyState !== EventSource.CLOSED) return; // it comes back by itself
    hangUp();
    retry = setTimeout(listen, pause);
    pause = Math.min(pause * 2, 60000);
  };
  source.addEventListener('post', ({ data }) => {
    if (!since || newer(data, since) > 0) since = data;
    if (document.getElementById('p' + data)) return;
    if (talking) return comeIn().catch(() => {});
    waiting.add(data);
    showPill();
  });
  source.addEventListener('gone', ({ data }) => {
    if (talking) one('[data-id="' + data + '"]', sheet)?.remove();
    if (waiting.delete(data)) showPill();
  });
  source.addEventListener('unread', ({ data }) => sayUnread(data.split(' ').map(Number)));
  source.addEventListener('counts', ({ data }) => {
    const [id, ...counts] = data.split(' ');
    sayCounts(id, counts);
  });
  source.addEventListener('edited', ({ data }) => talking ? comeIn(data).catch(() => {}) : anew(data));
};

// anew shows what a post says that was edited, unless its reader is at it.
const anew = async (id) => {
  const here = all('.post', sheet).filter((row) => row.dataset.id === id && row.id && !row.contains(document.activeElement));
  if (!here.length) return;
  try {
    const read = await page(location.pathname + location.search);
    for (const row of here) {
      const now = read.getElementById(row.id);
      if (!now || row.contains(document.activeElement)) continue;
      now.classList.toggle('on', row.classList.contains('on'));
      row.replaceWith(document.adoptNode(now));
      seen(now);
    }
  } catch { /* then it stays as it was read */ }
};

// comeIn adds new messages to a conversation, replaces those that changed, and returns the page
// that it has read.
const comeIn = async (edited) => {
  const read = await page(location.pathname), list = one('ol', sheet);
  let met = !one('.m', list);
  for (const now of all('.talk > ol > [id]', read)) {
    const here = document.getElementById(now.id);
    met ||= here;
    if (!here) list.append(document.adoptNode(now));
    else if ((here.className !== now.className || now.dataset.id === edited) && !here.contains(document.activeElement)) here.replaceWith(document.adoptNode(now));
  }
  if (!met) location.reload(); // too much has come
  for (const part of ['.talklist > ul', '.nav nav > ul']) {
    const [was, is] = [one(part), one(part, read)];
    if (was && is && !was.contains(document.activeElement)) was.replaceWith(document.adoptNode(is));
  }
  const [to, last] = [one('.say [name=in_reply_to]'), one('.say [name=in_reply_to]', read)];
  if (to && last) to.value = last.value;
  return read;
};

// grow puts answers that have come into a thread below what they answer, each where the page
// has it that is read anew.
const grow = async (focus) => {
  const read = await page(location.pathname + location.search), added = [];
  const post = (item) => item && one(':scope > .post', item);
  const above = (item) => { // the answer that it stands below; those that are folded stand below the same
    do item = item.parentElement.closest('li'); while (item && !post(item));
    return item;
  };
  const below = one('.below', read), here = one('.below', sheet);
  if (below && !here) {
    sheet.append(document.adoptNode(below));
    added.push(...all('.post', below));
  } else if (below) {
    for (const item of all('.tree li', read)) {
      const row = post(item);
      if (!row || document.getElementById(row.id)) continue;
      const over = above(item), at = over ? document.getElementById(post(over).id)?.closest('li') : here;
      if (!at) continue;
      let list = one(over ? ':scope > ol' : '.tree', at);
      if (!list) post(at).after(list = make('ol', {}));
      const fold = one(':scope > li:last-child > .fold', list);
      if (fold) fold.parentElement.before(document.adoptNode(item));
      else list.append(document.adoptNode(item));
      added.push(row);
    }
    one('#answers').replaceWith(document.adoptNode(one('#answers', read)));
  }
  waiting.clear();
  showPill();
  if (focus) enter(added[0]);
};

const hangUp = () => {
  clearTimeout(retry);
  source?.close();
  source = null;
  if (place) delete place.dataset.open;
};

// loadNew adds new posts above the shown ones, and returns the first page, which the caller may have
// read already. It reads further pages until one contains a shown post, so that none is left out.
const loadNew = async (focus = true, newest) => {
  if (talking) return comeIn();
  if (!sheet) return location.reload();
  if (one('.opened', sheet)) return grow(focus);
  const first = one('.post', sheet);
  const known = new Set(waiting);
  const top = new URL(location.pathname + location.search, location);
  top.searchParams.delete('min_id');
  top.searchParams.delete('max_id');
  let added = [];
  for (let href = top.href, n = 0; ; n++) {
    const read = !n && newest || await page(href);
    newest ||= read;
    const here = rows(read), news = fresh(read);
    added.push(...news);
    const next = one('.pager [rel=next]', read)?.getAttribute('href');
    if (news.length < here.length || !next) break;
    if (n === 10) return location.assign(top.href); // too much: begin anew
    href = next;
  }
  added = added.filter((row) => !document.getElementById(row.id)); // another click may have added them meanwhile
  one('.empty', sheet)?.remove();
  if (first) first.before(...added);
  else sheet.append(...added);
  added.forEach(seen);
  known.forEach((id) => waiting.delete(id));
  added.forEach((row) => waiting.delete(idOf(row)));
  showPill();
  if (focus) enter(added[0] || one('.post', sheet));
  return newest;
};

pill.addEventListener('click', () => loadNew().catch((e) => flash(e.message, true)));

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return listen();
  hangUp();
  tellRead();
});
addEventListener('pagehide', () => { hangUp(); tellRead(); });
addEventListener('pageshow', (event) => { if (event.persisted) listen(); });
