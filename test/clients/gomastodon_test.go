package clients_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-mastodon"
)

// patience is the time limit for the effects of an act.
const patience = time.Minute

// goSession is a session with go-mastodon, the library of tut and many bots.
// https://github.com/mattn/go-mastodon
type goSession struct {
	s      *server
	we     *mastodon.Client
	them   *mastodon.Client
	me     *mastodon.Account
	friend *mastodon.Account
	tag    string
	posted []mastodon.ID // by them
	mine   *mastodon.Status
}

func testGoMastodon(t *testing.T, s *server) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	g := &goSession{s: s, tag: "gomastodon"}
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"verify_credentials", g.verify}, {"search and follow", g.follow},
		{"home to the end", g.home}, {"post, reply, context", g.post}, {"pictures", g.pictures}, {"poll", g.poll}, {"edit", g.edit}, {"boost and favourite", g.boost},
		{"list", g.list}, {"notifications", g.notifications}, {"conversations", g.conversations}, {"event stream", g.events}, {"WebSocket", g.webSocket},
		{"filters", g.filters}, {"locked account", g.locked}, {"mute, block, report", g.relationships}, {"group", g.group}, {"chat", g.chat}, {"trends", g.trends}, {"delete", g.delete},
	} {
		if g.we == nil {
			g.we, g.them = g.logIn(ctx, t, "goma"), g.logIn(ctx, t, "goma_friend")
		}
		began := time.Now()
		if err := step.do(ctx); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		t.Logf("ok   %s %v", step.name, time.Since(began).Round(time.Millisecond))
	}
}

func (g *goSession) logIn(ctx context.Context, t *testing.T, name string) *mastodon.Client {
	t.Helper()
	g.s.addUser(t, name)
	app, err := mastodon.RegisterApp(ctx, &mastodon.AppConfig{Server: g.s.url, ClientName: "go-mastodon",
		Scopes: "read write follow", Website: "https://client.example/"})
	if err != nil {
		t.Fatalf("register the app: %v", err)
	}
	got, err := authorize(newBrowser(t), app.AuthURI, name)
	if err != nil {
		t.Fatalf("log in as %s: %v", name, err)
	}
	c := mastodon.NewClient(&mastodon.Config{Server: g.s.url, ClientID: app.ClientID, ClientSecret: app.ClientSecret})
	if err := c.GetUserAccessToken(ctx, got.code, app.RedirectURI); err != nil {
		t.Fatalf("exchange the code: %v", err)
	}
	return c
}

func (g *goSession) verify(ctx context.Context) (err error) {
	if g.me, err = g.we.GetAccountCurrentUser(ctx); err != nil {
		return err
	}
	if g.me.Username != "goma" {
		return fmt.Errorf("logged in as %q", g.me.Username)
	}
	if _, err = g.we.VerifyAppCredentials(ctx); err != nil {
		return err
	}
	_, err = g.we.GetInstance(ctx)
	return err
}

func (g *goSession) follow(ctx context.Context) error {
	found, err := g.we.Search(ctx, "goma_friend", true)
	if err != nil {
		return err
	}
	for _, a := range found.Accounts {
		if a.Username == "goma_friend" {
			g.friend = a
		}
	}
	if g.friend == nil {
		return fmt.Errorf("the friend is not among %d accounts found", len(found.Accounts))
	}
	if _, err := g.we.AccountFollow(ctx, g.friend.ID); err != nil {
		return err
	}
	rel, err := g.we.GetAccountRelationships(ctx, []string{string(g.friend.ID)})
	if err != nil || len(rel) != 1 || !rel[0].Following {
		return fmt.Errorf("relationships after the follow: %+v, %v", rel, err)
	}
	return nil
}

func (g *goSession) home(ctx context.Context) error {
	for i := range 25 {
		st, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: fmt.Sprintf("go %d #%s", i, g.tag), Visibility: "public"})
		if err != nil {
			return err
		}
		g.posted = append(g.posted, st.ID)
	}
	return eventually(func() error {
		seen := map[mastodon.ID]bool{}
		last := mastodon.ID("")
		pg := &mastodon.Pagination{Limit: 10}
		for pages := 0; ; pages++ {
			page, err := g.we.GetTimelineHome(ctx, pg)
			if err != nil {
				return err
			}
			for _, st := range page {
				if seen[st.ID] || last != "" && last.Compare(st.ID) <= 0 {
					return fmt.Errorf("status %s came twice or out of order after %s", st.ID, last)
				}
				seen[st.ID], last = true, st.ID
			}
			if len(page) == 0 || pg.MaxID == "" {
				break
			}
			if pages > 20 {
				return errors.New("home does not end")
			}
		}
		for _, id := range g.posted {
			if !seen[id] {
				return fmt.Errorf("status %s is not at home", id)
			}
		}
		return nil
	})
}

// pictures uploads an image and attaches it.
func (g *goSession) pictures(ctx context.Context) error {
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 800, 600))); err != nil {
		return err
	}
	picture, err := g.we.UploadMediaFromBytes(ctx, data.Bytes())
	if err != nil {
		return err
	}
	st, err := g.we.PostStatus(ctx, &mastodon.Toot{Status: "look", MediaIDs: []mastodon.ID{picture.ID}, Visibility: "public"})
	if err != nil {
		return err
	}
	if len(st.MediaAttachments) != 1 || st.MediaAttachments[0].Type != "image" || st.MediaAttachments[0].Meta.Original.Width != 800 {
		return fmt.Errorf("attachments %+v", st.MediaAttachments)
	}
	return g.we.DeleteStatus(ctx, st.ID)
}

func (g *goSession) post(ctx context.Context) (err error) {
	g.mine, err = g.we.PostStatus(ctx, &mastodon.Toot{Status: "hello @goma_friend #" + g.tag, Visibility: "public", SpoilerText: "warned"})
	if err != nil {
		return err
	}
	reply, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: "@goma indeed", InReplyToID: g.mine.ID})
	if err != nil {
		return err
	}
	return eventually(func() error {
		thread, err := g.we.GetStatusContext(ctx, g.mine.ID)
		if err != nil {
			return err
		}
		if len(thread.Descendants) != 1 || thread.Descendants[0].ID != reply.ID {
			return fmt.Errorf("descendants %v, want the reply", thread.Descendants)
		}
		return nil
	})
}

func (g *goSession) boost(ctx context.Context) error {
	if _, err := g.we.Reblog(ctx, g.posted[0]); err != nil {
		return err
	}
	if _, err := g.we.Favourite(ctx, g.posted[0]); err != nil {
		return err
	}
	if _, err := g.we.Bookmark(ctx, g.posted[0]); err != nil {
		return err
	}
	return eventually(func() error {
		st, err := g.we.GetStatus(ctx, g.posted[0])
		if err != nil {
			return err
		}
		if st.ReblogsCount != 1 || st.FavouritesCount != 1 || st.Reblogged != true || st.Favourited != true {
			return fmt.Errorf("%d boosts (mine: %v), %d favourites (mine: %v)",
				st.ReblogsCount, st.Reblogged, st.FavouritesCount, st.Favourited)
		}
		marked, err := g.we.GetBookmarks(ctx, nil)
		if err != nil || len(marked) != 1 {
			return fmt.Errorf("%d bookmarks, %w", len(marked), err)
		}
		return nil
	})
}

func (g *goSession) list(ctx context.Context) error {
	list, err := g.we.CreateList(ctx, "Friends")
	if err != nil {
		return err
	}
	if err := g.we.AddToList(ctx, list.ID, g.friend.ID); err != nil {
		return err
	}
	fresh, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: "for the list"})
	if err != nil {
		return err
	}
	err = eventually(func() error {
		page, err := g.we.GetTimelineList(ctx, list.ID, nil)
		if err != nil {
			return err
		}
		if len(page) == 0 || page[0].ID != fresh.ID {
			return fmt.Errorf("%d statuses, the new one not on top", len(page))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if lists, err := g.we.GetLists(ctx); err != nil || len(lists) != 1 || lists[0].ID != list.ID { // lists of the server are only shown on request
		return fmt.Errorf("lists %v: %w", lists, err)
	}
	if _, err := g.we.RenameList(ctx, "1", "Mine"); err == nil || !strings.Contains(err.Error(), "403") {
		return fmt.Errorf("renaming Top: %w", err)
	}
	return g.we.RemoveFromList(ctx, list.ID, g.friend.ID)
}

func (g *goSession) notifications(ctx context.Context) error {
	if _, err := g.them.Favourite(ctx, g.mine.ID); err != nil {
		return err
	}
	return eventually(func() error {
		all, err := g.we.GetNotifications(ctx, nil)
		if err != nil {
			return err
		}
		var types []string
		for _, n := range all {
			types = append(types, n.Type)
		}
		for _, want := range []string{"mention", "favourite"} {
			if !strings.Contains(strings.Join(types, " "), want) {
				return fmt.Errorf("notifications %v, no %s", types, want)
			}
		}
		return nil
	})
}

func (g *goSession) conversations(ctx context.Context) error {
	st, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: "@goma in private", Visibility: mastodon.VisibilityDirectMessage})
	if err != nil {
		return err
	}
	var talk *mastodon.Conversation
	err = eventually(func() error {
		all, err := g.we.GetConversations(ctx, &mastodon.Pagination{Limit: 1})
		if err != nil || len(all) != 1 || all[0].LastStatus.ID != st.ID || !all[0].Unread || len(all[0].Accounts) != 1 || all[0].Accounts[0].ID != g.friend.ID {
			return fmt.Errorf("conversations %+v: %w", all, err)
		}
		talk = all[0]
		return nil
	})
	if err != nil {
		return err
	}
	if err := g.we.MarkConversationAsRead(ctx, talk.ID); err != nil {
		return err
	}
	if all, err := g.we.GetConversations(ctx, nil); err != nil || len(all) != 1 || all[0].Unread {
		return fmt.Errorf("after reading: %+v, %w", all, err)
	}
	direct, err := g.we.GetTimelineDirect(ctx, nil)
	if err != nil || len(direct) != 1 || direct[0].ID != st.ID {
		return fmt.Errorf("direct timeline: %d statuses, %w", len(direct), err)
	}
	if err := g.we.DeleteConversation(ctx, talk.ID); err != nil {
		return err
	}
	if all, err := g.we.GetConversations(ctx, nil); err != nil || len(all) != 0 {
		return fmt.Errorf("after deleting: %d conversations, %w", len(all), err)
	}
	return nil
}

func (g *goSession) delete(ctx context.Context) error {
	if err := g.we.DeleteStatus(ctx, g.mine.ID); err != nil {
		return err
	}
	_, err := g.we.GetStatus(ctx, g.mine.ID)
	var refused *mastodon.APIError
	if !errors.As(err, &refused) || refused.StatusCode != 404 {
		return fmt.Errorf("the deleted status: %v, want 404", err)
	}
	return g.we.RevokeToken(ctx)
}

// eventually repeats check until it succeeds.
func eventually(check func() error) error {
	deadline := time.Now().Add(patience)
	for {
		err := check()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("not within %v: %w", patience, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
