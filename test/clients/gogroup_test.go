package clients_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/mattn/go-mastodon"
)

// goGroup is the public group of the friend.
const goGroup = "go_gardeners"

// goChat is the chat of the friend.
const goChat = "go_allotment"

// found creates a group of the friend through Linnet's own API, and returns its id.
func (g *goSession) found(ctx context.Context, kind, username string, invited ...string) (string, error) {
	form := url.Values{"username": {username}, "display_name": {"Gardeners"}, "kind": {kind}, "account_ids[]": invited}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.s.url+"/api/v1/groups?"+form.Encode(), nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+g.them.Config.AccessToken)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var group struct {
		ID string `json:"id"`
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("a new group: %s", resp.Status)
	}
	return group.ID, json.NewDecoder(resp.Body).Decode(&group)
}

// group finds a public group, joins it, posts in it, reads its list and leaves. The library handles
// it as an account and a list.
func (g *goSession) group(ctx context.Context) error {
	id, err := g.found(ctx, "public", goGroup)
	if err != nil {
		return err
	}
	var account *mastodon.Account
	err = eventually(func() error {
		found, err := g.we.Search(ctx, goGroup, false)
		if err != nil || len(found.Accounts) != 1 || found.Accounts[0].Acct != goGroup {
			return fmt.Errorf("found %+v, %w", found, err)
		}
		account = found.Accounts[0]
		return nil
	})
	if err != nil {
		return err
	}
	if rel, err := g.we.AccountFollow(ctx, account.ID); err != nil || !rel.Following {
		return fmt.Errorf("joined: %+v, %w", rel, err)
	}
	list := mastodon.ID("9" + id)
	if listed, err := g.listed(ctx, list); err != nil || !listed {
		return fmt.Errorf("the group's list is shown: %v, %w", listed, err)
	}
	if err := g.talkIn(ctx, list); err != nil {
		return err
	}
	if rel, err := g.we.AccountUnfollow(ctx, account.ID); err != nil || rel.Following {
		return fmt.Errorf("left: %+v, %w", rel, err)
	}
	if listed, err := g.listed(ctx, list); err != nil || listed {
		return fmt.Errorf("the list of a group that was left is shown: %v, %w", listed, err)
	}
	return nil
}

// listed reports whether the group's list is among the lists, with its name.
func (g *goSession) listed(ctx context.Context, id mastodon.ID) (bool, error) {
	lists, err := g.we.GetLists(ctx)
	return slices.ContainsFunc(lists, func(l *mastodon.List) bool { return l.ID == id && l.Title == "@"+goGroup }), err
}

// talkIn posts in the group and finds the post in the group's list.
func (g *goSession) talkIn(ctx context.Context, list mastodon.ID) error {
	said, err := g.we.PostStatus(ctx, &mastodon.Toot{Status: "@" + goGroup + " good morning", Visibility: "public"})
	if err != nil {
		return err
	}
	return eventually(func() error {
		page, err := g.we.GetTimelineList(ctx, list, nil)
		if err != nil || len(page) == 0 || page[0].Reblog == nil || page[0].Reblog.ID != said.ID {
			return fmt.Errorf("%d statuses in the list, the post not on top: %w", len(page), err)
		}
		return nil
	})
}

// chat joins a chat by following, receives a message and replies. A message appears as a
// conversation and in the chat's list.
func (g *goSession) chat(ctx context.Context) error {
	id, err := g.found(ctx, "chat", goChat, string(g.me.ID))
	if err != nil {
		return err
	}
	account, err := g.we.AccountLookup(ctx, goChat)
	if err != nil {
		return err
	}
	if rel, err := g.we.AccountFollow(ctx, account.ID); err != nil || !rel.Following {
		return fmt.Errorf("let in: %+v, %w", rel, err)
	}
	said, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: "@" + goChat + " only for us", Visibility: mastodon.VisibilityDirectMessage})
	if err != nil {
		return err
	}
	err = eventually(func() error {
		talks, err := g.we.GetConversations(ctx, nil)
		if err != nil || !slices.ContainsFunc(talks, func(c *mastodon.Conversation) bool {
			return c.LastStatus != nil && c.LastStatus.ID == said.ID && c.Unread
		}) {
			return fmt.Errorf("no unread conversation of the message among %d: %w", len(talks), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	answer, err := g.we.PostStatus(ctx, &mastodon.Toot{Status: "@" + goChat + " as ever", Visibility: mastodon.VisibilityDirectMessage, InReplyToID: said.ID})
	if err != nil {
		return err
	}
	return eventually(func() error {
		page, err := g.them.GetTimelineList(ctx, mastodon.ID("9"+id), nil)
		if err != nil || len(page) != 2 || page[0].ID != answer.ID || page[1].ID != said.ID {
			return fmt.Errorf("%d messages in the chat's list, want the answer and what it answers: %w", len(page), err)
		}
		return nil
	})
}

// trends finds the status with most favourites. The library supports no other trends.
func (g *goSession) trends(ctx context.Context) error {
	if err := g.s.awaitTrends(ctx); err != nil {
		return err
	}
	all, err := g.we.GetTrendingStatuses(ctx, &mastodon.Pagination{Limit: 5})
	if err != nil || len(all) != 1 || all[0].ID != g.s.talk.status || all[0].FavouritesCount != int64(len(talkers)-1) {
		return fmt.Errorf("%d trending statuses, want %s alone: %w", len(all), g.s.talk.status, err)
	}
	return nil
}
