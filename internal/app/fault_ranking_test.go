package app_test

import (
	"strings"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// rankingActs are actions on timelines ordered by score, for the fault tests.
func rankingActs() map[string]faultyAct {
	return map[string]faultyAct{
		"read the catch-up": {
			do: func(s *stage) error { return apptest.Err(s.Feeds.CatchUp(s.Ctx, s.ann, linnet.RankPage{})) },
			want: func(s *stage) string {
				return differs(strings.Join(apptest.RankedTexts(s.CatchUp(s.ann)), ","), "by bob")
			},
		},
		"catch up": {
			do: func(s *stage) error {
				page, err := s.Feeds.CatchUp(s.Ctx, s.ann, linnet.RankPage{})
				if err != nil {
					return err
				}
				return s.Feeds.CaughtUp(s.Ctx, s.ann, page.Newest)
			},
			want: func(s *stage) string { return differs(strings.Join(apptest.RankedTexts(s.CatchUp(s.ann)), ","), "") },
		},
		"make a feed": {
			do: func(s *stage) error {
				return apptest.Err(s.Feeds.CreateOwnFeed(s.Ctx, s.ann, linnet.OwnFeedChange{Title: new("new"), Sources: &[]linnet.FeedSource{{Kind: linnet.FromTag, Tag: "old", Weight: 1}}}))
			},
			want: func(s *stage) string { return differs(s.ownFeeds(), "by ann #Old @dan;") },
		},
		"change and delete a feed": {
			do: func(s *stage) error {
				all, err := s.Feeds.OwnFeeds(s.Ctx, s.ann)
				if err != nil {
					return err
				}
				if len(all) == 0 {
					f, err := s.Feeds.CreateOwnFeed(s.Ctx, s.ann, linnet.OwnFeedChange{Title: new("new")})
					if err != nil {
						return err
					}
					all = append(all, f)
				}
				if err := apptest.Err(s.Feeds.UpdateOwnFeed(s.Ctx, s.ann, all[0].ID, linnet.OwnFeedChange{Title: new("other")})); err != nil {
					return err
				}
				if err := apptest.Err(s.Feeds.OwnFeedTimeline(s.Ctx, s.ann, all[0].ID, linnet.RankPage{})); err != nil {
					return err
				}
				return s.Feeds.DeleteOwnFeed(s.Ctx, s.ann, all[0].ID)
			},
			want: func(s *stage) string { return differs(s.ownFeeds(), "") },
		},
	}
}

// ownFeeds returns the contents of each feed of ann's.
func (s *stage) ownFeeds() string {
	out := ""
	for _, f := range apptest.Must(s.Feeds.OwnFeeds(s.Ctx, s.ann))(s) {
		out += strings.Join(apptest.RankedTexts(apptest.Must(s.Feeds.OwnFeedTimeline(s.Ctx, s.ann, f.ID, linnet.RankPage{}))(s).Items), ",") + ";"
	}
	return out
}
