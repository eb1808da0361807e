package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"linnet/internal/admin"
)

func importFlags() []flagSpec {
	return []flagSpec{
		{name: "follows", arg: "FILE", help: "Who follows whom: lines of two numbers from 0 with a tab between, plain or gzip"},
		{name: "posts", arg: "FILE", help: "Statuses, one a line, plain or gzip"},
		{name: "users", arg: "N", help: "Make at least so many users (as many as the follows name)"},
		{name: "users-prefix", arg: "TEXT", help: "Call them so, with their numbers (u: u0, u1 and so on)"},
		{name: "posts-per-user", arg: "N", help: "Statuses of each user, from the lines in turn (each line once, by anybody)"},
		{name: "days", arg: "N", help: "Spread the dates over so many days (30)"},
		{name: "until", arg: "DATE", help: "All dates lie before this one, such as 2026-01-31 (now)"},
		{name: "seed", arg: "N", help: "Draw by whom and when from another seed (0)"},
		{name: "password", help: "Read a password with which all of them can log in, as user create does"},
	}
}

// importGraph prepares what only the process at the terminal can: the password,
// and where the files lie if a server reads them.
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
	err = runOnStore(ctx, c)
	if err != nil && ctx.Err() != nil {
		return &fault{code: exitFailed, what: "stopped before the end",
			advice: "Run the same command again: it goes on where it stopped, and makes nothing twice."}
	}
	return err
}

func seedFlags() []flagSpec {
	return []flagSpec{
		{name: "users", arg: "N", help: "How many users (100000)"},
		{name: "users-prefix", arg: "TEXT", help: "Call them so, with their numbers (u: u0, the most followed, u1 and so on)"},
		{name: "posts-per-user", arg: "N", help: "Statuses of each user (10)"},
		{name: "days", arg: "N", help: "Spread the dates over so many days (30)"},
		{name: "until", arg: "DATE", help: "All dates lie before this one, such as 2026-01-31 (now)"},
		{name: "seed", arg: "N", help: "Draw another world (0)"},
		{name: "password", help: "Read a password with which all of them can log in, as user create does"},
	}
}

// seedInto makes a drawn world instead of one from files.
func seedInto(ctx context.Context, c *call, b *backend) error {
	opt, err := importOptions(c)
	if err != nil {
		return err
	}
	for name, n := range map[string]int{"users": opt.Users, "posts-per-user": opt.PerUser, "days": opt.Days} {
		if text := c.line.flags[name]; text != "" && n < 1 { // 0 would be taken for none given
			return usage(fmt.Sprintf("--%s is a number from 1, not %q", name, text), "")
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

func importGraphInto(ctx context.Context, c *call, b *backend) error {
	opt, err := importOptions(c)
	if err != nil {
		return err
	}
	return importInto(ctx, c, b, opt)
}

// importOptions reads the flags that import and seed share.
func importOptions(c *call) (admin.ImportOptions, error) {
	opt := admin.ImportOptions{Follows: c.line.flags["follows"], Posts: c.line.flags["posts"],
		Prefix: c.line.flags["users-prefix"], Password: c.secret, Progress: c.progress()}
	var seed int
	for name, to := range map[string]*int{"users": &opt.Users, "posts-per-user": &opt.PerUser, "days": &opt.Days, "seed": &seed} {
		if text := c.line.flags[name]; text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return opt, usage(fmt.Sprintf("--%s is a number, not %q", name, text), "")
			}
			*to = n
		}
	}
	opt.Seed = uint64(seed)
	if text := c.line.flags["until"]; text != "" {
		var err error
		if opt.Until, err = time.Parse(time.DateOnly, text); err != nil {
			return opt, usage(fmt.Sprintf("--until is a date like 2026-01-31, not %q", text), "")
		}
	}
	return opt, nil
}

func importInto(ctx context.Context, c *call, b *backend, opt admin.ImportOptions) error {
	did, err := admin.ImportGraph(ctx, b.svc, opt)
	if err != nil {
		return importFault(err)
	}
	if did.Already {
		_, err = fmt.Fprintln(c.stdout, "an earlier run has completed this import")
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "imported %d users, %d follows and %d posts in %v; %d lines were left out\n",
		did.Users, did.Follows, did.Posts, did.Took.Round(time.Millisecond), did.Left)
	return err
}

// importFault tells why an import has ended, and of what passes how to go on.
func importFault(err error) error {
	if exitCode(err) != exitTemporary {
		return refused("cannot import", err)
	}
	return &fault{code: exitTemporary, what: "cannot import", cause: err,
		advice: "See that the store answers and has room; then run the same command again: it goes on where it stopped, and makes nothing twice."}
}
