package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"linnet/internal/admin"
	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
)

// traceFollowers is the default limit of followers whose timelines are checked.
const traceFollowers = 10_000

// trace prints where a post was delivered, or the state of a user's home timeline.
func trace(ctx context.Context, c *call, b *backend.Backend) error {
	word := c.args()[0]
	if i := strings.LastIndexByte(word, '/'); i >= 0 { // the URL of a post
		word = word[i+1:]
	}
	followers := traceFollowers
	if most := c.line.flags["followers"]; most != "" {
		var err error
		if followers, err = strconv.Atoi(most); err != nil || followers < 0 {
			return exit.UsageError(fmt.Sprintf("--followers must be a number of at least 0, not %q", most), "")
		}
	}
	id, ok := linnet.ParseID(word)
	if !ok {
		if c.line.flags["for"] != "" {
			return exit.UsageError(fmt.Sprintf("--for needs a post, but %q is not one", word), "Pass the number at the end of the post's URL.")
		}
		user, err := userID(ctx, b, word)
		if err != nil {
			return err
		}
		t, err := admin.TraceUser(ctx, b.App, b.Engine, user)
		if err != nil {
			return fmt.Errorf("cannot trace the user: %w", err)
		}
		if c.flag("json") {
			return printJSON(c.stdout, t)
		}
		return t.Print(c.stdout)
	}
	var viewer linnet.ID
	if name := c.line.flags["for"]; name != "" {
		var err error
		if viewer, err = userID(ctx, b, name); err != nil {
			return err
		}
	}
	t, ok, err := admin.TraceStatus(ctx, b.App, b.Engine, id, viewer, followers)
	switch {
	case err != nil:
		return fmt.Errorf("cannot trace the post: %w", err)
	case !ok:
		return &exit.Error{Code: exit.NotFound, What: fmt.Sprintf("there is no post %v: it was deleted or never existed", id)}
	case c.flag("json"):
		return printJSON(c.stdout, t)
	}
	return t.Print(c.stdout)
}

// userID returns the id of the user with a username, with or without @.
func userID(ctx context.Context, b *backend.Backend, login string) (linnet.ID, error) {
	v, err := b.App.View.UserByLogin(ctx, 0, strings.TrimPrefix(login, "@"))
	if err != nil {
		return 0, refused(fmt.Sprintf("cannot find the user %q", login), err)
	}
	return v.ID, nil
}
