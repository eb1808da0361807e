package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"linnet/internal/admin"
	"linnet/internal/backend"
	"linnet/internal/exit"
)

func importFlags() []flagSpec {
	return []flagSpec{
		{name: "follows", arg: "FILE", help: "File of follows", details: "Each line has two numbers from 0, separated by a tab: follower and followed. The file may be gzipped."},
		{name: "posts", arg: "FILE", help: "File of posts, one per line", details: "The file may be gzipped."},
		{name: "users", arg: "N", help: "Minimum number of users", details: "The default is the number of users in the follows."},
		{name: "users-prefix", arg: "TEXT", help: "Prefix of usernames (u: u0, u1, …)"},
		{name: "posts-per-user", arg: "N", help: "Posts per user", details: "Lines are used in turn. By default each line is posted once, by a random user."},
		{name: "days", arg: "N", help: "Number of days the posts cover (30)"},
		{name: "until", arg: "DATE", help: "Date of the last post, like 2026-01-31 (now)"},
		{name: "seed", arg: "N", help: "Seed of the random generator (0)"},
		{name: "password", help: "Set one password for all users", details: "It is prompted for, or read from standard input, LINNET_PASSWORD or LINNET_PASSWORD_FILE."},
	}
}

// importGraph reads the password and makes paths absolute in the process at the terminal. Then it
// runs the import.
func importGraph(ctx context.Context, c *call) (err error) {
	for _, name := range []string{"follows", "posts"} {
		if path := c.line.flags[name]; path != "" {
			if c.line.flags[name], err = filepath.Abs(path); err != nil {
				return fmt.Errorf("find %s: %w", path, err)
			}
		}
	}
	if c.flag("password") {
		if c.secret, err = c.password(ctx); err != nil {
			return err
		}
	}
	return runResumable(ctx, c)
}

func seedFlags() []flagSpec {
	return []flagSpec{
		{name: "users", arg: "N", help: "Number of users (100000)"},
		{name: "users-prefix", arg: "TEXT", help: "Prefix of usernames (u: u0, u1, …)", details: "u0 has the most followers."},
		{name: "posts-per-user", arg: "N", help: "Posts per user (10)"},
		{name: "days", arg: "N", help: "Number of days the posts cover (30)"},
		{name: "until", arg: "DATE", help: "Date of the last post, like 2026-01-31 (now)"},
		{name: "seed", arg: "N", help: "Seed of the random generator (0)"},
		{name: "password", help: "Set one password for all users", details: "It is prompted for, or read from standard input, LINNET_PASSWORD or LINNET_PASSWORD_FILE."},
	}
}

// seedInto imports generated data instead of files.
func seedInto(ctx context.Context, c *call, b *backend.Backend) error {
	opt, err := importOptions(c)
	if err != nil {
		return err
	}
	for name, n := range map[string]int{"users": opt.Users, "posts-per-user": opt.PerUser, "days": opt.Days} {
		if text := c.line.flags[name]; text != "" && n < 1 { // 0 would mean the default
			return exit.UsageError(fmt.Sprintf("--%s must be a number of at least 1, not %q", name, text), "")
		}
	}
	opt.Heavy, opt.Made, opt.Users = opt.Users, true, 0
	if opt.Heavy == 0 {
		opt.Heavy = 100_000
	}
	if opt.PerUser == 0 {
		opt.PerUser = 10
	}
	return importInto(ctx, c, b, opt)
}

func importGraphInto(ctx context.Context, c *call, b *backend.Backend) error {
	opt, err := importOptions(c)
	if err != nil {
		return err
	}
	return importInto(ctx, c, b, opt)
}

// importOptions parses the flags that import and seed have in common.
func importOptions(c *call) (admin.ImportOptions, error) {
	opt := admin.ImportOptions{Follows: c.line.flags["follows"], Posts: c.line.flags["posts"],
		Prefix: c.line.flags["users-prefix"], Password: c.secret, Progress: c.progress()}
	var seed int
	for name, to := range map[string]*int{"users": &opt.Users, "posts-per-user": &opt.PerUser, "days": &opt.Days, "seed": &seed} {
		if text := c.line.flags[name]; text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return opt, exit.UsageError(fmt.Sprintf("--%s must be a number, not %q", name, text), "")
			}
			*to = n
		}
	}
	opt.Seed = uint64(seed)
	if text := c.line.flags["until"]; text != "" {
		var err error
		if opt.Until, err = time.Parse(time.DateOnly, text); err != nil {
			return opt, exit.UsageError(fmt.Sprintf("--until must be a date such as 2026-01-31, not %q", text), "")
		}
	}
	return opt, nil
}

func importInto(ctx context.Context, c *call, b *backend.Backend, opt admin.ImportOptions) error {
	did, err := admin.ImportGraph(ctx, b.App, opt)
	if err != nil {
		return importError(err)
	}
	if did.Already {
		_, err = fmt.Fprintln(c.stdout, "this import is already complete")
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "imported %d users, %d follows and %d posts in %v; %d lines were skipped\n",
		did.Users, did.Follows, did.Posts, did.Took.Round(time.Millisecond), did.Left)
	return err
}

// importError returns the error of an import. If the cause is temporary, it says how to continue.
func importError(err error) error {
	if exit.CodeOf(err) != exit.Temporary {
		return refused("cannot import", err)
	}
	return &exit.Error{Code: exit.Temporary, What: "cannot import", Cause: err,
		Advice: "Check that the store responds and has free space, then run the same command again to continue."}
}
