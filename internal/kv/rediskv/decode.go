package rediskv

import (
	"fmt"
	"slices"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// decode writes the answers to the commands of a query into it. The commands were made in that
// manner.
func decode(q kv.Query, answers []rueidis.RedisResult, how manner) error {
	switch q := q.(type) {
	case *kv.Get:
		return decodeGet(q, answers[0])
	case *kv.Counters:
		q.Values = make([]int64, len(q.Names))
		if len(answers) == 0 {
			return nil
		}
		fields, err := answers[0].ToArray()
		if err != nil {
			return err
		}
		if len(fields) != len(q.Names) {
			return fmt.Errorf("%w: %d replies for %d counters", errForeign, len(fields), len(q.Names))
		}
		for i := range fields {
			if fields[i].IsNil() {
				continue
			}
			if q.Values[i], err = fields[i].AsInt64(); err != nil {
				return fmt.Errorf("%w: counter %q: %w", errForeign, q.Names[i], err)
			}
		}
		return nil
	case *kv.Scores:
		q.Found, q.Values = make([]bool, len(q.Members)), make([]int64, len(q.Members))
		if len(answers) == 0 {
			return nil
		}
		scores, err := answers[0].ToArray()
		if err != nil {
			return err
		}
		if len(scores) != len(q.Members) {
			return fmt.Errorf("%w: %d replies for %d members", errForeign, len(scores), len(q.Members))
		}
		for i := range scores {
			if scores[i].IsNil() {
				continue
			}
			q.Found[i] = true
			if q.Values[i], err = score(&scores[i]); err != nil {
				return err
			}
		}
		return nil
	case *kv.Range:
		if err := decodeRange(q, answers[0]); err != nil || !amongTies(q) || how.script(q) {
			return err
		}
		// A plain command cannot exclude the members outside of the bounds, see fewTies.
		full := len(q.Members) == q.Limit+fewTies
		q.Members = slices.DeleteFunc(q.Members, func(m kv.Member) bool {
			return q.Above != nil && m.Compare(*q.Above) <= 0 || q.Below != nil && m.Compare(*q.Below) >= 0
		})
		if full && len(q.Members) < q.Limit { // further members may follow the removed ones
			return errPartly
		}
		q.Members = q.Members[:min(len(q.Members), q.Limit)]
		return nil
	case *kv.AnyMember:
		n, err := answers[0].AsInt64() // a set without members does not exist
		q.Found = n > 0
		return err
	case *kv.Feed:
		return decodeFeed(q, answers[0], newest(q) && !how.scripts)
	}
	panic(fmt.Sprintf("rediskv: unknown query %T", q))
}

func decodeGet(q *kv.Get, answer rueidis.RedisResult) error {
	q.Data, q.Version = nil, 0
	text, err := answer.AsBytes()
	if rueidis.IsRedisNil(err) {
		return nil
	}
	if err != nil {
		return err
	}
	q.Version, q.Data, err = parseValue(text)
	return err
}

// score decodes a double of RESP3, or a text of RESP2 or a script.
func score(m *rueidis.RedisMessage) (int64, error) {
	if m.IsFloat64() {
		f, err := m.ToFloat64()
		if err != nil {
			return 0, err
		}
		return floatScore(f)
	}
	text, err := m.ToString()
	if err != nil {
		return 0, err
	}
	return parseScore(text)
}

// decodeRange decodes members with scores, as pairs (RESP3) or alternating (RESP2 and scripts).
func decodeRange(q *kv.Range, answer rueidis.RedisResult) error {
	q.Members = nil
	list, err := answer.ToArray()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return nil
	}
	if list[0].IsArray() {
		flat := make([]rueidis.RedisMessage, 0, 2*len(list))
		for i := range list {
			pair, err := list[i].ToArray()
			if err != nil {
				return err
			}
			flat = append(flat, pair...)
		}
		list = flat
	}
	if len(list)%2 != 0 {
		return fmt.Errorf("%w: a member has no score", errForeign)
	}
	q.Members = make([]kv.Member, len(list)/2)
	for i := range q.Members {
		m := &q.Members[i]
		if m.Member, err = list[2*i].ToString(); err != nil {
			return err
		}
		if m.Score, err = score(&list[2*i+1]); err != nil {
			return err
		}
	}
	return nil
}
