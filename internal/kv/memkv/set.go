package memkv

import (
	"slices"

	"linnet/internal/kv"
)

// set stores each member by name and in order of (score, member). A nil set is empty and can be
// read.
type set struct {
	scores map[string]int64
	order  []kv.Member // in ascending order
}

func (s *set) score(member string) (int64, bool) {
	if s == nil {
		return 0, false
	}
	score, ok := s.scores[member]
	return score, ok
}

func (s *set) change(c kv.Op) {
	switch c := c.(type) {
	case kv.Add:
		s.remove(c.Member)
		m := kv.Member{Score: c.Score, Member: c.Member}
		i, _ := slices.BinarySearchFunc(s.order, m, kv.Member.Compare)
		s.order = slices.Insert(s.order, i, m)
		s.scores[c.Member] = c.Score
	case kv.Remove:
		s.remove(c.Member)
	case kv.Trim:
		for len(s.order) > c.Keep {
			s.remove(s.order[0].Member)
		}
	}
}

func (s *set) remove(member string) {
	score, ok := s.scores[member]
	if !ok {
		return
	}
	delete(s.scores, member)
	m := kv.Member{Score: score, Member: member}
	i, _ := slices.BinarySearchFunc(s.order, m, kv.Member.Compare)
	s.order = slices.Delete(s.order, i, i+1)
}

func (s *set) page(q *kv.Range) []kv.Member {
	if s == nil {
		return nil
	}
	var page []kv.Member
	for _, m := range s.order {
		if (q.Above == nil || m.Compare(*q.Above) > 0) && (q.Below == nil || m.Compare(*q.Below) < 0) {
			page = append(page, m)
		}
	}
	if q.Desc {
		slices.Reverse(page)
	}
	return page[:min(len(page), q.Limit)]
}
