package text

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Keyword is a word or phrase to search with a Matcher. It matches text that looks the same,
// regardless of case, accents, quotation marks, spaces and Unicode form.
type Keyword struct {
	Text string
	// Whole matches only whole words. There must be no word character directly before a keyword
	// that begins with one, or after one that ends with one.
	Whole bool
}

// Plain is text prepared for a Matcher. It is safe for concurrent use.
type Plain struct{ folded string }

// FoldPlain prepares the parts of a text for a Matcher. No match extends over two parts.
func FoldPlain(parts ...string) Plain {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(0) // never in cleaned text or keywords
		}
		foldText(&b, p)
	}
	return Plain{b.String()}
}

// foldText appends s with each character folded as in search, with one space for each run of
// spaces and line breaks, and none at its ends.
func foldText(b *strings.Builder, s string) {
	b.Grow(len(s))
	space, begun := false, false
	for _, r := range Compatible(strings.ReplaceAll(s, "´", "'")) { // NFKC would decompose it into a space and an accent
		f := FoldChar(r)
		if r == 'ʼ' || r == 'ʻ' { // letters in Unicode, but typed as apostrophes
			f.To = "'"
		}
		switch {
		case f.Class == CharSilent:
			continue
		case f.To == " ":
			space = begun
			continue
		case space:
			b.WriteByte(' ')
		}
		space, begun = false, true
		if f.To != "" {
			b.WriteString(f.To)
		} else {
			b.WriteRune(r)
		}
	}
}

// Matcher finds any number of keywords in a text in one pass: the automaton of Aho and Corasick
// (Communications of the ACM 18, 1975). It is immutable and safe for concurrent use.
type Matcher struct {
	words []needle
	nodes []node     // nodes[0] is the root
	root  [256]int32 // successors of the root; 0 for none
}

// needle is a keyword in the automaton.
type needle struct {
	size  int32 // length in bytes
	next  int32 // next word of the same kind that ends at the same place; -1 for none
	begin bool  // begins with a word character, so no other one may be before it
}

// node is a prefix of keywords.
type node struct {
	child, sibling int32 // first longer prefix by one byte; next prefix of the same length; 0 for none
	back           int32 // the longest suffix of this prefix that is also a prefix
	plain, whole   int32 // first words of each kind that end here; -1 for none
	label          byte
}

// NewMatcher returns a Matcher. Keywords without text match nothing.
func NewMatcher(keywords []Keyword) *Matcher {
	m := &Matcher{nodes: []node{{plain: -1, whole: -1}}, words: make([]needle, len(keywords))}
	for i, k := range keywords {
		m.add(int32(i), FoldPlain(k.Text).folded, k.Whole)
	}
	m.link()
	return m
}

// add inserts a keyword into the tree.
func (m *Matcher) add(i int32, word string, whole bool) {
	if word == "" {
		return
	}
	at := int32(0)
	for j := range len(word) {
		at = m.grow(at, word[j])
	}
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	n, w := &m.nodes[at], &m.words[i]
	w.size, w.begin = int32(len(word)), isWord(first)
	// A keyword needs no border at an end without a word character. If neither end has one it is
	// treated as not whole.
	if head := &n.plain; !whole || !isWord(first) && !isWord(last) {
		w.next, *head = *head, i
	} else {
		w.next, n.whole = n.whole, i
	}
}

// grow returns the node for the next byte, and creates it if necessary.
func (m *Matcher) grow(at int32, b byte) int32 {
	if to := m.step(at, b); to != 0 {
		return to
	}
	to := int32(len(m.nodes))
	m.nodes = append(m.nodes, node{label: b, sibling: m.nodes[at].child, plain: -1, whole: -1})
	m.nodes[at].child = to
	if at == 0 {
		m.root[b] = to
	}
	return to
}

// step returns the node for the next byte, or 0 for none.
func (m *Matcher) step(at int32, b byte) int32 {
	if at == 0 {
		return m.root[b]
	}
	to := m.nodes[at].child
	for to != 0 && m.nodes[to].label != b {
		to = m.nodes[to].sibling
	}
	return to
}

// follow is like step, but falls back to shorter prefixes.
func (m *Matcher) follow(at int32, b byte) int32 {
	for {
		to := m.step(at, b)
		if to != 0 || at == 0 {
			return to
		}
		at = m.nodes[at].back
	}
}

// link sets the fallback of each node, shorter prefixes first, and appends the fallback's words to
// its own.
func (m *Matcher) link() {
	queue := []int32{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for to := m.nodes[at].child; to != 0; to = m.nodes[to].sibling {
			queue = append(queue, to)
			n := &m.nodes[to]
			if at != 0 {
				n.back = m.follow(m.nodes[at].back, n.label)
			}
			back := m.nodes[n.back]
			n.plain, n.whole = m.chain(n.plain, back.plain), m.chain(n.whole, back.whole)
		}
	}
}

// chain links the words of a node with the words of its fallback, and returns the first one.
func (m *Matcher) chain(own, more int32) int32 {
	if own < 0 {
		return more
	}
	last := own
	for m.words[last].next >= 0 {
		last = m.words[last].next
	}
	m.words[last].next = more
	return own
}

// Match returns the indexes of the keywords in a text, in order. The time is linear in the text,
// except for keywords that are suffixes of one another.
func (m *Matcher) Match(t Plain) []int {
	if len(m.nodes) == 1 {
		return nil
	}
	s, at := t.folded, int32(0)
	var found hits
	for i := range len(s) {
		if at = m.follow(at, s[i]); at == 0 {
			continue
		}
		n := &m.nodes[at]
		// If a word of the chain was found before, so were all after it.
		for w := n.plain; w >= 0 && !found.has(w); w = m.words[w].next {
			found.add(w, len(m.words))
		}
		if n.whole >= 0 {
			m.matchWhole(s, i+1, n.whole, &found)
		}
	}
	return found.list()
}

// matchWhole finds words of a chain that end before byte end and are whole words. All words of a
// chain have the same end.
func (m *Matcher) matchWhole(s string, end int, chain int32, found *hits) {
	if next, _ := runeAt(s, end); isWord(next) && isWord(lastRune(s, end)) {
		return
	}
	for w := chain; w >= 0; w = m.words[w].next {
		if !found.has(w) && !(m.words[w].begin && isWord(lastRune(s, end-int(m.words[w].size)))) {
			found.add(w, len(m.words))
		}
	}
}

// hits is a set of indexes. It uses no memory while it is empty.
type hits struct{ bits []uint64 }

func (h *hits) has(i int32) bool { return h.bits != nil && h.bits[i/64]&(1<<(i%64)) != 0 }

func (h *hits) add(i int32, of int) {
	if h.bits == nil {
		h.bits = make([]uint64, (of+63)/64)
	}
	h.bits[i/64] |= 1 << (i % 64)
}

func (h *hits) list() []int {
	var all []int
	for i, word := range h.bits {
		for ; word != 0; word &= word - 1 {
			all = append(all, i*64+bits.TrailingZeros64(word))
		}
	}
	return all
}
