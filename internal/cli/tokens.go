package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"linnet/internal/backend"
	"linnet/internal/core"
	"linnet/internal/exit"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

const (
	defaultTokens = "100"
	maxTokens     = 1_000_000
	// tokenWriters is the number of concurrent writes, which share fsyncs.
	tokenWriters = 32
)

func tokenFlags() []flagSpec {
	return []flagSpec{
		{"count", "N", "Maximum number of users, oldest first", "Default: " + defaultTokens + "."},
		{"prefix", "TEXT", "Issue tokens only for usernames with this prefix", ""},
		{"out", "FILE", "Write to a private file instead of standard output", ""},
	}
}

// userTokensCommand issues tokens and writes them to the file in --out. This process writes the file,
// with the permissions of its user, even if a server issues the tokens.
func userTokensCommand(ctx context.Context, c *call) error {
	path := c.line.flags["out"]
	delete(c.line.flags, "out")
	if path == "" {
		return runOnStore(ctx, c)
	}
	if err := c.writeFile(ctx, path, "--out"); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.stdout, "wrote tokens to %s: anyone who can read the file can act as these users\n", path)
	return err
}

// userTokens issues a token for each user and prints lines of the form USERNAME:TOKEN. It is for
// load tests and for moving clients.
func userTokens(ctx context.Context, c *call, b *backend.Backend) error {
	text := cmp.Or(c.line.flags["count"], defaultTokens)
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 || count > maxTokens {
		return exit.UsageError(fmt.Sprintf("invalid value %q for --count", text), fmt.Sprintf("Pass a number from 1 to %d.", maxTokens))
	}
	users, err := usersWithPrefix(ctx, b, c.line.flags["prefix"], count)
	if err != nil {
		return fmt.Errorf("cannot find the users: %w", err)
	}
	if len(users) == 0 {
		return &exit.Error{Code: exit.NotFound, What: fmt.Sprintf("there is no username that begins with %q", c.line.flags["prefix"]), Advice: "See linnet user list."}
	}
	if len(users) < count && c.line.flags["count"] != "" {
		fmt.Fprintf(c.stderr, "linnet: issued %d of %d tokens: there are no more matching users\n", len(users), count)
	}
	if err := b.App.Moderation.LogCommand(ctx, linnet.Operator(), core.IssueTokens, fmt.Sprintf("%d users %s", len(users), c.line.flags["prefix"])); err != nil {
		return refused("cannot write to the audit log", err)
	}
	app, _, err := b.App.Apps.Register(ctx, linnet.AppRequest{Name: "linnet user tokens", RedirectURIs: []string{identity.OutOfBand},
		Scopes: []string{"read", "write", "follow"}})
	if err != nil {
		return refused("cannot register an app for the tokens", err)
	}
	for len(users) > 0 {
		n := min(userBatch, len(users))
		if err := issueTokens(ctx, b, c, app, users[:n]); err != nil {
			return err
		}
		users = users[n:]
	}
	return nil
}

// usersWithPrefix returns up to count users whose usernames have a prefix, ignoring case, oldest first.
func usersWithPrefix(ctx context.Context, b *backend.Backend, prefix string, count int) ([]linnet.User, error) {
	var ids []linnet.ID
	for s := range uint16(kv.Shards) {
		part, err := b.Store.All(ctx, kv.Key{Kind: "users", Shard: s}, maxUsersListed)
		if err != nil {
			return nil, err
		}
		ids = append(ids, part...)
	}
	slices.Sort(ids)
	var out []linnet.User
	for len(ids) > 0 && len(out) < count {
		n := min(userBatch, len(ids))
		views, err := b.App.View.Users(ctx, 0, ids[:n])
		if err != nil {
			return nil, err
		}
		for _, v := range views {
			if strings.HasPrefix(strings.ToLower(v.Login), strings.ToLower(prefix)) && !v.Suspended && v.Group == linnet.NoGroup && len(out) < count {
				out = append(out, v.User)
			}
		}
		ids = ids[n:]
	}
	return out, nil
}

// issueTokens issues tokens for a batch of users and prints them in order.
func issueTokens(ctx context.Context, b *backend.Backend, c *call, app linnet.App, users []linnet.User) error {
	tokens, errs := make([]linnet.Token, len(users)), make([]error, len(users))
	var all sync.WaitGroup
	for first := range min(tokenWriters, len(users)) {
		all.Go(func() {
			for i := first; i < len(users); i += tokenWriters {
				tokens[i], errs[i] = b.App.Apps.UserToken(ctx, users[i].ID, app.ID, app.Scopes)
			}
		})
	}
	all.Wait()
	var lines strings.Builder
	for i, u := range users {
		if errs[i] != nil {
			return refused(fmt.Sprintf("cannot issue a token for %q", u.Login), errs[i])
		}
		lines.WriteString(u.Login + ":" + tokens[i].Value + "\n")
	}
	if _, err := fmt.Fprint(c.stdout, lines.String()); err != nil {
		return fmt.Errorf("print the tokens: %w", err)
	}
	return nil
}

// userBatch is the number of users per batch.
const userBatch = 200
