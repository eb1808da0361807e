package accounts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// wordMost is the maximum number of users with a word equal to the prefix that come before the
// others.
const wordMost = 50

// UsersByPrefix returns up to limit users with a login or a word of the name that begins with
// prefix: first users with exactly that word, then the others by word. For a prefix of one letter,
// each second letter has an equal share, see secondLetters. It reads at most limit plus wordMost
// index entries, and kv.MaxRange for one letter.
func (s *Store) UsersByPrefix(ctx context.Context, prefix string, limit int) ([]linnet.ID, error) {
	p := record.CutRunes(strings.ToLower(strings.Map(record.NameRune, prefix)), 20)
	if p == "" {
		return nil, nil
	}
	key := record.NamesKey(record.CutRunes(p, record.NamePrefix))
	qs := []kv.Query{&kv.Range{Key: key, Limit: min(wordMost, limit), Above: &kv.Member{Member: p + ":"}, Below: &kv.Member{Member: p + ";"}}}
	if first, size := utf8.DecodeRuneInString(p); size < len(p) {
		qs = append(qs, &kv.Range{Key: key, Limit: limit, Above: &kv.Member{Member: p}, Below: &kv.Member{Member: p + "\xff"}})
	} else {
		seconds := secondLetters(first)
		for _, r := range seconds {
			qs = append(qs, &kv.Range{Key: record.NamesKey(p + string(r)), Limit: min(limit, (kv.MaxRange-wordMost)/len(seconds))})
		}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("search names: %w", err)
	}
	return usersInTurn(qs, limit), nil
}

// usersInTurn returns up to limit users, each once: all of the first range, then one of each
// other range in turn.
func usersInTurn(qs []kv.Query, limit int) (ids []linnet.ID) {
	add := func(m kv.Member) {
		if id, ok := linnet.ParseID(m.Member[strings.LastIndexByte(m.Member, ':')+1:]); ok && len(ids) < limit && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, m := range qs[0].(*kv.Range).Members {
		add(m)
	}
	for i, more := 0, true; more; i++ {
		more = false
		for _, q := range qs[1:] {
			if ms := q.(*kv.Range).Members; i < len(ms) {
				add(ms[i])
				more = true
			}
		}
	}
	return ids
}

// ideographs is the code point from which scripts without an alphabet begin.
const ideographs = 0x2e80

// secondLetters returns the letters that can follow a letter in the index, which is divided by the
// first two. These are the letters of logins and, beyond ASCII, the letters around the first one,
// which form its alphabet. For ideographs and marks they are unknown.
func secondLetters(first rune) []rune {
	seconds := []rune("0123456789_abcdefghijklmnopqrstuvwxyz")
	if first < utf8.RuneSelf || first >= ideographs {
		return seconds
	}
	const block = 128 // most alphabets are within one
	for r := first &^ (block - 1); r <= first|(block-1); r++ {
		if unicode.IsLetter(r) && unicode.ToLower(r) == r {
			seconds = append(seconds, r)
		}
	}
	return seconds
}
