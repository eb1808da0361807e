package app_test

import (
	"fmt"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// byDans returns the number of times that dan's status is in each user's Top.
func (s *stage) byDans() string {
	out := ""
	for _, who := range []linnet.ID{s.ann, s.bob, s.cat, s.dan} {
		n := 0
		for _, v := range s.Top(who) {
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
			do:   func(s *stage) error { return apptest.Err(s.Posting.Marks.Favourite(s.Ctx, s.bob, s.byDan)) },
			want: func(s *stage) string { return differs(s.byDans(), promoted) },
		},
		"repost past a level": {
			do:   func(s *stage) error { return apptest.Err(s.Posting.Repost(s.Ctx, s.bob, s.byDan, nil)) },
			want: func(s *stage) string { return differs(s.byDans(), promoted) },
		},
		"answer past a level": {
			do: func(s *stage) error {
				return apptest.Err(s.Posting.Post(s.Ctx, s.bob, linnet.Draft{Text: "yes", InReplyTo: s.byDan, IdempotencyKey: "k"}))
			},
			want: func(s *stage) string { return differs(s.byDans(), "0110") },
		},
		"delete what was promoted": {
			do: func(s *stage) error {
				if err := apptest.Err(s.Posting.Marks.Favourite(s.Ctx, s.bob, s.byDan)); err != nil && linnet.KindOf(err) != linnet.NotFound {
					return err
				}
				if err := apptest.Err(s.Posting.Delete(s.Ctx, s.dan, s.byDan)); linnet.KindOf(err) != linnet.NotFound {
					return err
				}
				return nil // done by an attempt without a response
			},
			want: func(s *stage) string { return differs(s.byDans(), "0000") },
		},
	}
}
