package app_test

import (
	"fmt"

	"linnet/internal/linnet"
)

// byDans returns the number of times that dan's status is in each user's Top.
func (s *stage) byDans() string {
	out := ""
	for _, who := range []linnet.ID{s.ann, s.bob, s.cat, s.dan} {
		n := 0
		for _, v := range s.top(who) {
			if v.RepostOf == s.byDan {
				n++
			}
		}
		out += fmt.Sprint(n)
	}
	return out
}

// promotionActs are votes that take a status past a level, for the fault tests. dan's status
// already has a favourite and a repost by ann.
func promotionActs() map[string]faultyAct {
	promoted := "1110"
	return map[string]faultyAct{
		"favourite past a level": {
			do:   func(s *stage) error { return second(s.Posting.Marks.Favourite(s.ctx, s.bob, s.byDan)) },
			want: func(s *stage) string { return differs(s.byDans(), promoted) },
		},
		"repost past a level": {
			do:   func(s *stage) error { return second(s.Posting.Repost(s.ctx, s.bob, s.byDan, nil)) },
			want: func(s *stage) string { return differs(s.byDans(), promoted) },
		},
		"answer past a level": {
			do: func(s *stage) error {
				return second(s.Posting.Post(s.ctx, s.bob, linnet.Draft{Text: "yes", InReplyTo: s.byDan, IdempotencyKey: "k"}))
			},
			want: func(s *stage) string { return differs(s.byDans(), "0110") },
		},
		"delete what was promoted": {
			do: func(s *stage) error {
				if err := second(s.Posting.Marks.Favourite(s.ctx, s.bob, s.byDan)); err != nil && linnet.KindOf(err) != linnet.NotFound {
					return err
				}
				if err := second(s.Posting.Delete(s.ctx, s.dan, s.byDan)); linnet.KindOf(err) != linnet.NotFound {
					return err
				}
				return nil // done by an attempt without a response
			},
			want: func(s *stage) string { return differs(s.byDans(), "0000") },
		},
	}
}
