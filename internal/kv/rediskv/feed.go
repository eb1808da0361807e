package rediskv

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// errPartly means that the end of a list is not enough for a page of its feed, or a plain range not
// enough for a page of a set.
var errPartly = errors.New("the reply to a plain command is too short for the page")

// newest reports whether a query asks for the end of a feed, which one plain command nearly always
// answers.
func newest(q *kv.Feed) bool { return q.Above == 0 && q.Below == 0 && !q.Asc }

// windowOf returns how many elements of a list to read for its newest ids: the ids, the mark among
// them, and one more element, from which on all ids are known.
func windowOf(q *kv.Feed) int { return max(q.Limit, feedTail) + 2 }

// decodeFeed decodes the end of a list, or the answer of luaPage.
func decodeFeed(q *kv.Feed, answer rueidis.RedisResult, window bool) error {
	q.State, q.Floor, q.IDs = kv.Cold, 0, nil
	list, err := answer.AsStrSlice()
	if rueidis.IsRedisNil(err) {
		return nil
	}
	if err != nil || len(list) == 0 {
		return err
	}
	if window {
		return feedWindow(q, list, windowOf(q))
	}
	return feedPage(q, list[0], list[1:])
}

// feedPage decodes a header and ids in any order.
func feedPage(q *kv.Feed, header string, texts []string) error {
	var err error
	if q.State, q.Floor, err = parseHeader(header); err != nil || q.State != kv.Warm {
		return err
	}
	ids, err := parseIDs(nil, texts, q.Floor)
	if err != nil {
		return err
	}
	inOrder(&ids)
	switch {
	case len(ids) <= q.Limit:
	case q.Asc:
		ids = ids[len(ids)-q.Limit:]
	default:
		ids = ids[:q.Limit]
	}
	q.IDs = ids
	return nil
}

// feedWindow decodes the last elements of a list, as many as requested or the whole list. Ids
// before the mark are in order. The mark is the last element that is not an id. So if one of them
// was read, all greater ids were.
func feedWindow(q *kv.Feed, texts []string, asked int) error {
	mark := len(texts) - 1
	for mark >= 0 && !isHeader(texts[mark]) {
		mark--
	}
	whole := len(texts) < asked
	switch {
	case mark < 0 && whole:
		return fmt.Errorf("%w: a feed begins with %.30q", errForeign, texts[0])
	case mark < 0 || mark == 0 && !whole:
		return errPartly
	}
	header, before := texts[mark], texts[:mark]
	if mark > 0 && isHeader(before[0]) {
		whole, before = true, before[1:]
	}
	state, floor, err := parseHeader(header)
	if err != nil {
		return err
	}
	if state != kv.Warm {
		q.State = state
		return nil
	}
	ids, err := parseIDs(make([]uint64, 0, len(texts)), texts[mark+1:], floor)
	if err == nil {
		ids, err = parseIDs(ids, before, floor)
	}
	if err != nil {
		return err
	}
	inOrder(&ids)
	if !whole {
		known, err := parseID(before[0])
		if err != nil {
			return err
		}
		for len(ids) > 0 && ids[len(ids)-1] < known {
			ids = ids[:len(ids)-1]
		}
		if len(ids) < q.Limit {
			return errPartly
		}
	}
	q.State, q.Floor, q.IDs = kv.Warm, floor, ids[:min(len(ids), q.Limit)]
	if len(q.IDs) == 0 {
		q.IDs = nil
	}
	return nil
}

// parseIDs appends the ids above the floor, the last first.
func parseIDs(ids []uint64, texts []string, floor uint64) ([]uint64, error) {
	for i := len(texts) - 1; i >= 0; i-- {
		id, err := parseID(texts[i])
		if err != nil {
			return nil, err
		}
		if id > floor {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// inOrder sorts ids in descending order without repeats. They nearly always are already.
func inOrder(ids *[]uint64) {
	s := *ids
	for i := 1; i < len(s); i++ {
		if s[i] >= s[i-1] {
			slices.SortFunc(s, func(a, b uint64) int { return cmp.Compare(b, a) })
			*ids = slices.Compact(s)
			return
		}
	}
}
