// The length of a text as the server counts it: characters as readers see them, a
// link 23, a name elsewhere without its domain. The rules are those of the Go
// package text; a test compares the two.

const segmenter = window.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const word = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u;
const hostLabel = '[\\p{Alphabetic}\\p{M}\\p{Nd}_](?:-*[\\p{Alphabetic}\\p{M}\\p{Nd}_])*';
const host = new RegExp(hostLabel + '(?:\\.' + hostLabel + ')*', 'yu');
const tailEnds = /[\s<>"`\\^\u0000-\u0020“”„«»‹›\p{Cf}\u2028\u2029]|%(?![0-9a-f]{2})|(?!\p{Alphabetic})[\u3000-\u303f]|(?![\p{Alphabetic}\p{M}\p{Nd}\p{Pc}])[\uff00-\uff65]/iu;
const closing = { ')': '(', ']': '[', '}': '{' };

const readHost = (s, i) => {
  host.lastIndex = i;
  let name = host.exec(s)?.[0] || '';
  // A last label that begins in ASCII ends with it.
  const label = name.slice(name.lastIndexOf('.') + 1);
  if (/^[\w-]/.test(label)) name = name.slice(0, name.length - label.length + label.match(/^[\w-]*/)[0].length);
  return name;
};

const validHost = (name) => {
  if (!name || new TextEncoder().encode(name).length > 253) return false;
  const labels = name.split('.'), top = labels[labels.length - 1];
  if (labels.length === 1) return /^localhost$/i.test(name);
  if (/^\d/.test(top)) return labels.length === 4 && labels.every((l) => /^(0|[1-9]\d{0,2})$/.test(l) && l < 256);
  return /^xn--/i.test(top) || /^[\p{Alphabetic}\p{M}]{2,}$/u.test(top);
};

const readTail = (s, i) => {
  const open = [];
  let end = i;
  while (end < s.length) {
    const c = String.fromCodePoint(s.codePointAt(end));
    if (c !== '\u200c' && c !== '\u200d' && tailEnds.test(c === '%' ? s.slice(end, end + 3) : c)) break;
    if ('([{'.includes(c)) open.push(end);
    else if (closing[c]) {
      if (!open.length || s[open[open.length - 1]] !== closing[c]) break;
      open.pop();
    }
    end += c.length;
  }
  return s.slice(i, open[0] ?? end).replace(/[?!*"'.,;:~$%&|@‘’…]+$/, '');
};

const before = (s, i) => (i > 0 ? String.fromCodePoint(s.codePointAt(i - (/[\udc00-\udfff]/.test(s[i - 1]) ? 2 : 1))) : '');

// linkAt is the length of the link at i, 0 if there is none.
const linkAt = (s, i) => {
  const scheme = /^https?:\/\//i.exec(s.slice(i, i + 8))?.[0];
  if (!scheme || /[@＠$#＃\u202a-\u202e]|[a-z0-9]/i.test(before(s, i))) return 0;
  const name = readHost(s, i + scheme.length);
  if (!validHost(name)) return 0;
  let end = i + scheme.length + name.length;
  const port = /^:(\d{1,6})/.exec(s.slice(end, end + 7));
  if (port && port[1] <= 65535) end += port[0].length;
  if (s[end] === '@') return 0;
  if ('/?#'.includes(s[end] || ' ')) end += readTail(s, end).length;
  const length = new TextEncoder().encode(s.slice(i, end)).length;
  return length > 2048 ? 0 : end - i;
};

// linkIn is the first link to another site in a text, or ''.
const linkIn = (s) => {
  for (const { index } of s.matchAll(/https?:/gi)) {
    const link = s.slice(index, index + linkAt(s, index));
    if (link && link.split(/[/?#]/)[2] !== location.host) return link;
  }
  return '';
};

// nameAt is the mention at i: how long it is, and how much of that counts.
const nameAt = (s, i) => {
  if (/[@/=]/.test(before(s, i)) || word.test(before(s, i))) return null;
  const m = /^@\w+(?:[.-]+\w+)*(?=@)/.exec(s.slice(i, i + 300));
  if (!m) return null;
  const domain = readHost(s, i + m[0].length + 1);
  return domain ? { length: m[0].length + 1 + domain.length, counts: m[0].length } : null;
};

const count = (text) => {
  const s = text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  let out = '', from = 0;
  for (let i = 0; i < s.length; i++) {
    const link = /h/i.test(s[i]) && linkAt(s, i);
    const name = s[i] === '@' && nameAt(s, i);
    if (!link && !name) continue;
    out += s.slice(from, i) + (link ? 'x'.repeat(23) : s.slice(i, i + name.counts));
    from = i += link || name.length;
    i--;
  }
  out += s.slice(from);
  if (/^[\u0000-\u007f]*$/.test(out)) return out.length;
  return segmenter ? [...segmenter.segment(out)].length : [...out].length;
};
