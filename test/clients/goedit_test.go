package clients_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-mastodon"
)

// edit edits a status and checks that a user who has boosted it is notified.
func (g *goSession) edit(ctx context.Context) error {
	st, err := g.them.PostStatus(ctx, &mastodon.Toot{Status: "before #edited"})
	if err != nil {
		return err
	}
	if _, err := g.we.Reblog(ctx, st.ID); err != nil {
		return err
	}
	source, err := g.them.GetStatusSource(ctx, st.ID)
	if err != nil || source.Text != "before #edited" {
		return fmt.Errorf("the source is %+v, %v", source, err)
	}
	now, err := g.them.UpdateStatus(ctx, &mastodon.Toot{Status: "after", SpoilerText: "changed"}, st.ID)
	if err != nil {
		return err
	}
	if now.ID != st.ID || now.EditedAt.IsZero() || !strings.Contains(now.Content, "after") || len(now.Tags) != 0 {
		return fmt.Errorf("the edited status: %+v", now)
	}
	history, err := g.we.GetStatusHistory(ctx, st.ID)
	if err != nil || len(history) != 2 || !strings.Contains(history[0].Content, "before") || history[1].SpoilerText != "changed" {
		return fmt.Errorf("the history: %+v, %v", history, err)
	}
	if _, err := g.we.UpdateStatus(ctx, &mastodon.Toot{Status: "mine"}, st.ID); err == nil {
		return errors.New("somebody else edits the status")
	}
	if err := eventually(func() error {
		ns, err := g.we.GetNotifications(ctx, nil)
		if err == nil && (len(ns) == 0 || ns[0].Type != "update" || ns[0].Status.ID != st.ID) {
			err = fmt.Errorf("the newest of %d notifications is not that of the edit", len(ns))
		}
		return err
	}); err != nil {
		return err
	}
	return g.them.DeleteStatus(ctx, st.ID)
}
