// Linnet's script. Every page works without it: it takes over forms and links
// that are there, and gives way to them when something fails.
// The files in this directory are joined by name, to one module.

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

const make = (tag, attributes, ...children) => {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) e.setAttribute(name, value);
  e.append(...children);
  return e;
};

// Texts are in English here; pages in another language bring theirs in a file of their own, with
// those about a number by the categories of the language.
const lang = document.documentElement.lang + '-u-nu-latn';
const fill = (text, values) => {
  let next = 0;
  return values.length ? text.replace(/%(?:\[(\d)\])?[sd]/g, (_, at) => values[(next = +at || next + 1) - 1]) : text;
};
const tr = (text, ...values) => fill(globalThis.words?.[text] ?? text, values);
const trn = (single, plural, n, ...values) => fill(globalThis.words?.[single]?.[new Intl.PluralRules(lang).select(n)] ?? (n === 1 ? single : plural), values);

// Two places that are read out when they change; they have to be there before.
const polite = document.body.appendChild(make('div', { role: 'status', class: 'flash' }));
const urgent = document.body.appendChild(make('div', { role: 'alert', class: 'flash wrong' }));
let flashEnd;

// flash shows a text or elements for some seconds, and longer while the reader is at them.
const flash = (says, wrong, wait = wrong ? 12000 : 8000) => {
  const end = () => one('.flash:is(:hover, :focus-within)') ? flashEnd = setTimeout(end, wait) : flash('');
  polite.textContent = urgent.textContent = '';
  (wrong ? urgent : polite).append(...[says].flat());
  clearTimeout(flashEnd);
  if (says) flashEnd = setTimeout(end, wait);
};

const parse = async (response) => new DOMParser().parseFromString(await response.text(), 'text/html');

// refusal is what a page that was answered says is wrong, and which draft its composer has.
const refusal = async (response) => {
  const page = await parse(response);
  const said = all('main .wrong', page).map((e) => e.textContent.trim()).filter(Boolean);
  const message = said.join(' ') || one('main p:not(.errorcode)', page)?.textContent.trim() || tr('The server responded with %s.', response.status);
  return Object.assign(new Error(message), { code: response.status, draft: one('.composer [name=draft]', page)?.value });
};

// send posts fields as a form would. Forms are answered by leading elsewhere:
// that is success, and where to is not followed unless asked for.
const send = async (url, fields, redirect = 'manual') => {
  let response;
  try {
    response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect });
  } catch {
    throw new Error(tr('Connection failed. Try again.'));
  }
  if (response.type !== 'opaqueredirect' && !response.redirected && !response.ok) throw await refusal(response);
  return response;
};

// fieldsOf also names the button, which older browsers do not do by themselves.
const fieldsOf = (form, submitter) => {
  const fields = new FormData(form);
  if (submitter?.name) fields.set(submitter.name, submitter.value);
  return fields;
};

// me is the profile of the account that a page was made for; undefined without a login.
const me = (root) => one('.nav a[href^="/@"]', root)?.getAttribute('href');

// page reads another page of this server, for the same account.
const page = async (url) => {
  const response = await fetch(url);
  if (!response.ok) throw await refusal(response);
  const read = await parse(response);
  if (me(read) !== me()) throw new Error(tr("You've switched accounts or logged out. Reload the page."));
  return read;
};

// Ids outgrow the numbers of a script; as texts they compare by length first.
const newer = (a, b) => a.length - b.length || (a > b) - (a < b);

const storage = (area) => ({
  get: (key) => { try { return area().getItem(key); } catch { return null; } },
  set: (key, value) => { try { value ? area().setItem(key, value) : area().removeItem(key); } catch { /* full, or refused */ } },
});
const kept = storage(() => localStorage);

// The server shows times in the zone of the account, or else in that of the browser.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const zoneNow = 'zone=' + encodeURIComponent(zone);
if (zone && !document.cookie.split('; ').includes(zoneNow)) document.cookie = zoneNow + '; path=/; max-age=31536000; samesite=lax' + (location.protocol === 'https:' ? '; secure' : '');
