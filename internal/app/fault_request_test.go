package app_test

import (
	"fmt"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// requestActs are actions on follow requests, for the fault tests. bob is locked, and dan asks to
// follow him.
func requestActs() map[string]faultyAct {
	locked := func(s *stage) error {
		return apptest.Err(s.Social.Profiles.Update(s.Ctx, s.bob, linnet.ProfileChange{Locked: new(true)}))
	}
	ask := func(s *stage) error {
		if err := locked(s); err != nil {
			return err
		}
		return apptest.Err(s.Social.Follow(s.Ctx, s.dan, s.bob, linnet.FollowOptions{Notify: new(true)}))
	}
	// relation describes the relation from both sides.
	stands := func(s *stage) string {
		a := apptest.Must(s.Social.Relationships(s.Ctx, s.dan, []linnet.ID{s.bob}))(s)[0]
		b := apptest.Must(s.Social.Relationships(s.Ctx, s.bob, []linnet.ID{s.dan}))(s)[0]
		return fmt.Sprint(a.Requested, a.Following, a.Notify, b.RequestedBy, b.FollowedBy, apptest.Must(s.View.User(s.Ctx, s.bob, s.bob))(s).Requests) + s.homes("by bob")
	}
	// answered returns bob's response to the request, which a retry finds done.
	answered := func(act func(s *stage) error, done func(linnet.Relationship) bool) func(*stage) error {
		return func(s *stage) error {
			if r, err := s.Social.Relationships(s.Ctx, s.bob, []linnet.ID{s.dan}); err != nil || done(r[0]) {
				return err
			}
			if err := ask(s); err != nil {
				return err
			}
			if err := act(s); linnet.KindOf(err) != linnet.NotFound {
				return err
			}
			return nil
		}
	}
	never := func(linnet.Relationship) bool { return false }
	accept := func(s *stage) error { return apptest.Err(s.Social.AcceptRequest(s.Ctx, s.bob, s.dan)) }
	return map[string]faultyAct{
		"ask to follow": {
			do:   ask,
			want: func(s *stage) string { return differs(stands(s), "true false true true false 11100") },
		},
		"accept a request": {
			do:   answered(accept, func(r linnet.Relationship) bool { return r.FollowedBy }),
			want: func(s *stage) string { return differs(stands(s), "false true true false true 01101") },
		},
		"refuse a request": {
			do:   answered(func(s *stage) error { return apptest.Err(s.Social.RejectRequest(s.Ctx, s.bob, s.dan)) }, never),
			want: func(s *stage) string { return differs(stands(s), "false false false false false 01100") },
		},
		"remove a follower": {
			do: func(s *stage) error { return apptest.Err(s.Social.RemoveFollower(s.Ctx, s.bob, s.ann)) },
			want: func(s *stage) string {
				return differs(s.homes("by bob")+s.person(s.bob)+s.person(s.ann), "01000 1 12 0 2")
			},
		},
		"unlock": {
			do: func(s *stage) error {
				if err := ask(s); err != nil {
					return err
				}
				return apptest.Err(s.Social.Profiles.Update(s.Ctx, s.bob, linnet.ProfileChange{Locked: new(false)}))
			},
			want: func(s *stage) string { return differs(stands(s), "false true true false true 01101") },
		},
	}
}
