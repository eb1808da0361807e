package clients_test

import (
	"context"
	"fmt"

	"github.com/mattn/go-mastodon"
)

// locked asks to follow a locked account, is rejected, and later accepted.
func (g *goSession) locked(ctx context.Context) error {
	yes, no := true, false
	if _, err := g.we.AccountUpdate(ctx, &mastodon.Profile{Locked: &yes}); err != nil {
		return err
	}
	for _, answer := range []struct {
		do  func(context.Context, mastodon.ID) error
		let bool
	}{{g.we.FollowRequestReject, false}, {g.we.FollowRequestAuthorize, true}} {
		if rel, err := g.them.AccountFollow(ctx, g.me.ID); err != nil || !rel.Requested {
			return fmt.Errorf("asked to follow: %+v, %v", rel, err)
		}
		err := eventually(func() error {
			all, err := g.we.GetFollowRequests(ctx, nil)
			if err != nil || len(all) != 1 || all[0].ID != g.friend.ID {
				return fmt.Errorf("%d requests, %v", len(all), err)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := answer.do(ctx, g.friend.ID); err != nil {
			return err
		}
		err = eventually(func() error {
			rel, err := g.them.GetAccountRelationships(ctx, []string{string(g.me.ID)})
			if err != nil || rel[0].Requested || rel[0].Following != answer.let {
				return fmt.Errorf("after the answer: %+v, %v", rel, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	_, err := g.we.AccountUpdate(ctx, &mastodon.Profile{Locked: &no})
	return err
}

// relationships mutes, blocks and reports the friend, and undoes the mute and block.
func (g *goSession) relationships(ctx context.Context) error {
	if rel, err := g.we.AccountMute(ctx, g.friend.ID); err != nil || !rel.Muting || !rel.MutingNotifications {
		return fmt.Errorf("muted: %+v, %v", rel, err)
	}
	if all, err := g.we.GetMutes(ctx, nil); err != nil || len(all) != 1 || all[0].ID != g.friend.ID {
		return fmt.Errorf("%d muted, %v", len(all), err)
	}
	if rel, err := g.we.AccountUnmute(ctx, g.friend.ID); err != nil || rel.Muting {
		return fmt.Errorf("unmuted: %+v, %v", rel, err)
	}
	if rel, err := g.we.AccountBlock(ctx, g.friend.ID); err != nil || !rel.Blocking || rel.Following {
		return fmt.Errorf("blocked: %+v, %v", rel, err)
	}
	if all, err := g.we.GetBlocks(ctx, nil); err != nil || len(all) != 1 || all[0].ID != g.friend.ID {
		return fmt.Errorf("%d blocked, %v", len(all), err)
	}
	err := eventually(func() error {
		if _, err := g.them.GetStatus(ctx, g.mine.ID); err == nil {
			return fmt.Errorf("who is blocked sees the status")
		}
		return nil
	})
	if err != nil {
		return err
	}
	if rel, err := g.we.AccountUnblock(ctx, g.friend.ID); err != nil || rel.Blocking {
		return fmt.Errorf("unblocked: %+v, %v", rel, err)
	}
	_, err = g.them.Report(ctx, g.me.ID, []mastodon.ID{g.mine.ID}, "odd")
	return err
}

// filters creates, changes, triggers and deletes a filter.
func (g *goSession) filters(ctx context.Context) error {
	f, err := g.we.CreateFilter(ctx, &mastodon.Filter{Phrase: "punny", Context: []string{"home", "public"}, WholeWord: true})
	if err != nil {
		return err
	}
	f.Phrase, f.Irreversible = "PUN", true
	if f, err = g.we.UpdateFilter(ctx, f.ID, f); err != nil {
		return err
	}
	if all, err := g.we.GetFilters(ctx); err != nil || len(all) != 1 || all[0].Phrase != "PUN" || !all[0].Irreversible {
		return fmt.Errorf("filters %+v, %w", all, err)
	}
	if _, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: "a pun"}); err != nil {
		return err
	}
	err = eventually(func() error {
		page, err := g.we.GetTimelineHome(ctx, nil)
		if err != nil {
			return err
		}
		if found := page[0].Filtered; len(found) != 1 || found[0].Filter.FilterAction != "hide" || found[0].KeywordMatches[0] != "PUN" {
			return fmt.Errorf("filtered: %+v", found)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return g.we.DeleteFilter(ctx, f.ID)
}
