package search

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"linnet/internal/text"
	"linnet/internal/wording"
)

// Limits of a query.
const (
	MaxQuery   = 500 // characters
	MaxClauses = 32
	minPrefix  = 3 // letters before a *
)

// Scope limits the documents of a search.
type Scope uint8

// The scopes.
const (
	Everywhere Scope = iota
	Library          // documents related to the searching user
	Public           // documents of searchable authors
)

// The kinds of labels that a query asks for.
const (
	LabelHas      byte = 'h' // media, image, video, audio, gifv, poll, link, quote, embed
	LabelIs       byte = 'i' // reply, sensitive
	LabelLanguage byte = 'l' // a language's code, without region
)

// Author is a name after from:.
type Author struct {
	Name string
	Not  bool
}

// Query is a parsed search.
type Query struct {
	Clauses []Clause
	From    []Author
	In      Scope
	Since   time.Time // not before; zero: no bound
	Until   time.Time // before
}

// Empty reports whether the query has no condition.
func (q *Query) Empty() bool {
	return len(q.Clauses) == 0 && len(q.From) == 0 && q.In == Everywhere && q.Since.IsZero() && q.Until.IsZero()
}

// SyntaxError describes an error of a query and how to fix it.
type SyntaxError struct{ Text wording.Message }

func (e *SyntaxError) Error() string { return e.Text.String() }

func faulty(format string, args ...any) error { return &SyntaxError{wording.Messagef(format, args...)} }

// Parse parses a query: words, "phrases", word* and operators. Each can follow a minus sign.
// https://docs.joinmastodon.org/methods/search/
func Parse(s string) (*Query, error) {
	if n := utf8.RuneCountInString(s); n > MaxQuery {
		return nil, faulty("The search has %d characters (maximum is %d)", n, MaxQuery)
	}
	q := &Query{}
	for rest := strings.ToValidUTF8(s, " "); ; {
		var it item
		var ok bool
		if it, rest, ok = nextItem(rest); !ok {
			return q, nil
		}
		if err := q.add(it); err != nil {
			return nil, err
		}
		if len(q.Clauses)+len(q.From) > MaxClauses {
			return nil, faulty("The search has more than %d terms", MaxClauses)
		}
	}
}

// item is a piece of a query between spaces.
type item struct {
	not    bool
	key    string // part before the colon of an operator, in lower case; otherwise ""
	value  string
	quoted bool
}

func nextItem(s string) (it item, rest string, ok bool) {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	if s == "" {
		return it, "", false
	}
	if len(s) > 1 && (s[0] == '-' || s[0] == '+') && s[1] != '-' && !unicode.IsSpace(rune(s[1])) {
		it.not, s = s[0] == '-', s[1:]
	}
	if value, rest, ok := cutQuoted(s); ok {
		it.value, it.quoted = value, true
		return it, rest, true
	}
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		end = len(s)
	}
	word := s[:end]
	key, value, isOperator := strings.Cut(word, ":")
	if key = strings.ToLower(key); isOperator && slices.Contains(operators(), key) && value != "" {
		it.key, it.value = key, strings.Trim(value, `"“”`)
		return it, s[end:], true
	}
	it.value = word
	return it, s[end:], true
}

// cutQuoted cuts a quoted phrase from the beginning. Without a second quotation mark the phrase is
// the whole rest.
func cutQuoted(s string) (phrase, rest string, ok bool) {
	r, n := utf8.DecodeRuneInString(s)
	if r != '"' && r != '“' && r != '„' && r != '«' {
		return "", s, false
	}
	s = s[n:]
	end := strings.IndexAny(s, `"”»“`)
	if end < 0 {
		return s, "", true
	}
	_, n = utf8.DecodeRuneInString(s[end:])
	return s[:end], s[end+n:], true
}

func operators() []string {
	return []string{"from", "has", "is", "in", "language", "before", "after", "during"}
}

func (q *Query) add(it item) error {
	switch it.key {
	case "":
		return q.addWords(it)
	case "from":
		q.From = append(q.From, Author{it.value, it.not})
		return nil
	case "has":
		return q.addLabel(it, LabelHas, "media", "image", "gifv", "video", "audio", "poll", "link", "quote", "embed")
	case "is":
		return q.addLabel(it, LabelIs, "reply", "sensitive")
	case "language":
		code, _, _ := strings.Cut(strings.ToLower(it.value), "-")
		q.Clauses = append(q.Clauses, Clause{Not: it.not, Any: []string{Label(LabelLanguage, code)}})
		return nil
	case "in":
		scope, ok := map[string]Scope{"all": Everywhere, "library": Library, "public": Public}[strings.ToLower(it.value)]
		if it.not {
			return faulty("A minus can't be used before %s:", it.key)
		}
		if !ok {
			return faulty("in:%s is not supported. Use all, library or public", it.value)
		}
		q.In = scope
		return nil
	}
	return q.addDate(it)
}

func (q *Query) addLabel(it item, kind byte, values ...string) error {
	value := strings.ToLower(it.value)
	if !slices.Contains(values, value) {
		return faulty("%s:%s is not supported. Use one of these: %s", it.key, it.value, strings.Join(values, ", "))
	}
	q.Clauses = append(q.Clauses, Clause{Not: it.not, Any: []string{Label(kind, value)}})
	return nil
}

// addDate narrows the time to whole days (UTC), as Mastodon does: before: excludes the day
// and after: too.
func (q *Query) addDate(it item) error {
	if it.not {
		return faulty("A minus can't be used before %s:", it.key)
	}
	day, err := time.Parse(time.DateOnly, it.value)
	if err != nil || day.Year() < 1970 {
		return faulty("%s:%s is not a date. Write it like %s:2026-05-31", it.key, it.value, it.key)
	}
	next := day.AddDate(0, 0, 1)
	if it.key != "before" {
		since := next
		if it.key == "during" {
			since = day
		}
		if since.After(q.Since) {
			q.Since = since
		}
	}
	if it.key != "after" {
		until := day
		if it.key == "during" {
			until = next
		}
		if q.Until.IsZero() || until.Before(q.Until) {
			q.Until = until
		}
	}
	return nil
}

// addWords adds a word or phrase. A word of several terms, such as can't or a run of Chinese, must
// match as typed.
func (q *Query) addWords(it item) error {
	text, prefix := it.value, false
	if !it.quoted {
		text, prefix = strings.CutSuffix(it.value, "*")
	}
	tokens := Analyse(text)
	if len(tokens) == 0 {
		return nil // only punctuation
	}
	c := Clause{Not: it.not, Parts: partsOf(tokens)}
	last := &c.Parts[len(c.Parts)-1]
	letters := utf8.RuneCountInString(last.Term)
	if prefix && !last.Prefix {
		if letters < minPrefix {
			return faulty("%s is too short: type at least %d letters before *", it.value, minPrefix)
		}
		last.Prefix = true
	}
	q.Clauses = append(q.Clauses, c)
	return nil
}

// partsOf returns the parts of a phrase. For #tag and @name this is only the term. In scripts
// without spaces each part is a pair of characters, or for a single character the beginning of any
// pair.
func partsOf(tokens []Token) (parts []Part) {
	begin := tokens[0].At
	for i, t := range tokens {
		named := i > 0 && isName(tokens[i-1].Term) && tokens[i-1].At == t.At
		if named && len(tokens) > 1 {
			continue
		}
		r, _ := utf8.DecodeRuneInString(t.Term)
		if text.IsDense(r) && !isName(t.Term) && isOneCharacter(t.Term) {
			if i > 0 && tokens[i-1].At == t.At-1 && strings.HasSuffix(tokens[i-1].Term, t.Term) {
				continue // the second of a pair
			}
			parts = append(parts, Part{t.Term, t.At - begin, true})
			continue
		}
		parts = append(parts, Part{Term: t.Term, At: t.At - begin})
	}
	return parts
}

// isOneCharacter reports whether a term is a single character with its marks.
func isOneCharacter(term string) bool {
	n := 0
	for _, r := range term {
		if !unicode.Is(unicode.M, r) {
			n++
		}
	}
	return n == 1
}
