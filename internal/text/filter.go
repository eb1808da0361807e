package text

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Keyword is a word or phrase that a Matcher looks for. It is found in text that looks the same
// whatever its case, accents, quotation marks, spaces and Unicode form.
type Keyword struct {
	Text string
	// Whole matches whole words only: no word character may precede a keyword that begins with one,
	// or follow one that ends with one.
	Whole bool
}

// Plain is text made ready for a Matcher. It is shared safely.
type Plain struct{ folded string }

// FoldPlain makes the parts of a text ready for a Matcher. Nothing is found
// across the border of two parts.
func FoldPlain(parts ...string) Plain {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(0) // no cleaned text and no keyword holds it
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
	for _, r := range Compatible(strings.ReplaceAll(s, "´", "'")) { // NFKC parts it into a space and an accent
		f := FoldChar(r)
		if r == 'ʼ' || r == 'ʻ' { // letters for Unicode, typed as apostrophes
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
	root  [256]int32 // where the root leads, 0: nowhere
}

// needle is a keyword in the automaton.
type needle struct {
	size  int32 // bytes
	next  int32 // the next word that ends where this one does, of the same kind; -1: none
	begin bool  // begins with a word character, so that none may precede it
}

// node is a beginning of keywords.
type node struct {
	child, sibling int32 // first of those one byte longer; next of those as long; 0: none
	back           int32 // the longest end of this beginning that is one itself
	plain, whole   int32 // first of the words that end here, by kind; -1: none
	label          byte
}

// NewMatcher makes a Matcher. Keywords without text are found nowhere.
func NewMatcher(keywords []Keyword) *Matcher {
	m := &Matcher{nodes: []node{{plain: -1, whole: -1}}, words: make([]needle, len(keywords))}
	for i, k := range keywords {
		m.add(int32(i), FoldPlain(k.Text).folded, k.Whole)
	}
	m.link()
	return m
}

// add enters a keyword into the tree.
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
	// A keyword without a word character at an end needs no border there; with
	// none at either it is like one that is not whole.
	if head := &n.plain; !whole || !isWord(first) && !isWord(last) {
		w.next, *head = *head, i
	} else {
		w.next, n.whole = n.whole, i
	}
}

// grow returns the node one byte further, made if need be.
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

// step returns the node one byte further, 0 if there is none.
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

// follow is step for a text: it falls back to shorter beginnings.
func (m *Matcher) follow(at int32, b byte) int32 {
	for {
		to := m.step(at, b)
		if to != 0 || at == 0 {
			return to
		}
		at = m.nodes[at].back
	}
}

// link sets where each node falls back to, the shorter ones first, and lets the
// words that end there follow its own.
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

// chain puts the words of a node before those of the node it falls back to.
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
		// If a word of the chain was found before, so were those after it.
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

// hits is a set of indexes, which takes no memory while it is empty.
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
