package app_test

import (
	"fmt"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// blockActs are blocks and mutes, for the fault tests.
func blockActs() map[string]faultyAct {
	between := func(s *stage) string {
		out := ""
		for _, pair := range [...][2]linnet.ID{{s.ann, s.bob}, {s.bob, s.ann}} {
			r := apptest.Must(s.Social.Relationships(s.Ctx, pair[0], []linnet.ID{pair[1]}))(s)[0]
			for i, is := range [...]bool{r.Following, r.FollowedBy, r.Blocking, r.BlockedBy, r.Muting} {
				if is {
					out += "fobxm"[i : i+1]
				}
			}
			out += " "
		}
		return out
	}
	block := func(s *stage) error { return apptest.Err(s.Social.Block(s.Ctx, s.ann, s.bob)) }
	return map[string]faultyAct{
		"block": {
			do: block,
			want: func(s *stage) string {
				members := apptest.Must(s.Lists.ListMembers(s.Ctx, s.ann, s.list, linnet.Page{}))(s)
				_, err := s.View.Status(s.Ctx, s.bob, s.byAnn)
				return differs(between(s)+s.homes("by bob")+s.person(s.ann)+s.person(s.bob)+fmt.Sprint(len(members.Items), linnet.KindOf(err) == linnet.NotFound)+s.notices(s.bob),
					"b x 0100"+"1 0 2"+"0 0 1"+"0 true"+"favourite reblog ")
			},
		},
		"unblock": {
			do: func(s *stage) error {
				if err := block(s); err != nil {
					return err
				}
				return apptest.Err(s.Social.Unblock(s.Ctx, s.ann, s.bob))
			},
			want: func(s *stage) string {
				return differs(between(s)+s.homes("by bob"), "  0100")
			},
		},
		"mute": {
			do: func(s *stage) error {
				return apptest.Err(s.Social.Mute(s.Ctx, s.ann, s.bob, linnet.MuteOptions{Notices: true, For: time.Hour}))
			},
			want: func(s *stage) string {
				return differs(between(s)+s.homes("by bob")+fmt.Sprint(len(apptest.Must(s.Social.Mutes(s.Ctx, s.ann, linnet.Page{}))(s).Items)),
					"fom fo 01001")
			},
		},
		"unmute": {
			do: func(s *stage) error {
				if err := apptest.Err(s.Social.Mute(s.Ctx, s.ann, s.bob, linnet.MuteOptions{})); err != nil {
					return err
				}
				return apptest.Err(s.Social.Unmute(s.Ctx, s.ann, s.bob))
			},
			want: func(s *stage) string {
				return differs(between(s)+fmt.Sprint(len(apptest.Must(s.Social.Mutes(s.Ctx, s.ann, linnet.Page{}))(s).Items)),
					"fo fo 0")
			},
		},
	}
}
