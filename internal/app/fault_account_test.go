package app_test

import (
	"fmt"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// accountActs are changes of the user's own account and of notes about other accounts, for the
// fault tests.
func accountActs() map[string]faultyAct {
	pinned := func(s *stage) string {
		out := ""
		for _, v := range apptest.Must(s.Posting.Marks.Pinned(s.Ctx, 0, s.ann))(s) {
			out += v.Text + fmt.Sprint(v.Pinned)
		}
		return out
	}
	bob := func(s *stage) linnet.Relationship {
		return apptest.Must(s.Social.Relationships(s.Ctx, s.ann, []linnet.ID{s.bob}))(s)[0]
	}
	return map[string]faultyAct{
		"pin": {
			do:   func(s *stage) error { return apptest.Err(s.Posting.Marks.Pin(s.Ctx, s.ann, s.byAnn)) },
			want: func(s *stage) string { return differs(pinned(s), "by ann #Old @dantrue") },
		},
		"unpin": {
			do: func(s *stage) error {
				if err := apptest.Err(s.Posting.Marks.Pin(s.Ctx, s.ann, s.byAnn)); err != nil {
					return err
				}
				return apptest.Err(s.Posting.Marks.Unpin(s.Ctx, s.ann, s.byAnn))
			},
			want: func(s *stage) string { return differs(pinned(s), "") },
		},
		"delete account": {
			do: func(s *stage) error {
				if err := s.Social.Deletion.DeleteUser(s.Ctx, s.ann); linnet.KindOf(err) != linnet.NotFound {
					return err
				}
				return nil // done by an attempt without a response
			},
			want: func(s *stage) string {
				_, err := s.View.UserByLogin(s.Ctx, 0, "ann")
				return differs(fmt.Sprint(linnet.KindOf(err) == linnet.NotFound)+s.homes("by ann #Old @dan")+s.homes("RT by dan")+s.counts(s.byDan)+s.person(s.bob)+s.notices(s.dan),
					"true"+"0000"+"0000"+"0 0 0"+"0 0 1")
			},
		},
		"note": {
			do:   func(s *stage) error { return apptest.Err(s.Social.SetNote(s.Ctx, s.ann, s.bob, "met in Rome")) },
			want: func(s *stage) string { return differs(bob(s).Note, "met in Rome") },
		},
		"endorse": {
			do:   func(s *stage) error { return apptest.Err(s.Social.Endorse(s.Ctx, s.ann, s.bob, true)) },
			want: func(s *stage) string { return differs(fmt.Sprint(bob(s).Endorsed), "true") },
		},
		"unfollow the endorsed": {
			do: func(s *stage) error {
				if err := apptest.Err(s.Social.Endorse(s.Ctx, s.ann, s.bob, true)); err != nil && linnet.KindOf(err) != linnet.Invalid {
					return err
				}
				return apptest.Err(s.Social.Unfollow(s.Ctx, s.ann, s.bob))
			},
			want: func(s *stage) string {
				r := bob(s)
				return differs(fmt.Sprint(r.Following, r.Endorsed, len(apptest.Must(s.Social.Endorsements(s.Ctx, 0, s.ann, linnet.Page{}))(s).Items)), "false false 0")
			},
		},
	}
}
