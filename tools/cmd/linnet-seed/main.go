// Command linnet-seed fills a store with users, follows and posts.
//
//	linnet-seed --data bench-data --users 10000 --posts-per-user 20
//	linnet-seed --store redis://127.0.0.1 --follows follows.tsv.gz --posts posts.txt.gz
//
// Without files the data is random. The store is configured like the one of linnet, by --data,
// --store, the environment and the configuration file. No server may use an embedded store
// meanwhile. It exits with 1 if the store cannot be filled, and with 2 for invalid arguments or files.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/tools/seed"
)

// Sizes of random data.
const usualUsers, usualPosts = 100_000, 10

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// run fills a store as args say and returns the exit code.
func run(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	env := config.NewEnvironment(environ)
	flags, opt, err := options(args, env, stdin, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exit.OK
	}
	if err != nil {
		fmt.Fprintln(stderr, "linnet-seed:", err)
		return exit.Usage
	}
	last, shown := "", time.Time{}
	opt.Report = func(phase string, done, total int) {
		if phase == last && done < total && time.Since(shown) < 10*time.Second {
			return
		}
		last, shown = phase, time.Now()
		fmt.Fprintf(stderr, "%s %d/%d\n", phase, done, total)
	}
	var mu sync.Mutex
	var retried time.Time
	opt.Retrying = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(retried) < 5*time.Second {
			return
		}
		retried = time.Now()
		fmt.Fprintln(stderr, "the store does not respond, retrying:", err)
	}
	did, err := seed.FillStore(ctx, flags, env, opt)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "linnet-seed: %v.%s\n", err, advice(ctx, err))
		if exit.CodeOf(err) == exit.Usage {
			return exit.Usage
		}
		return exit.Failed
	case did.Already:
		fmt.Fprintln(stdout, "this data is already complete")
	default:
		fmt.Fprintf(stdout, "created %d users, %d follows and %d posts in %v; %d lines were skipped\n",
			did.Users, did.Follows, did.Posts, did.Took.Round(time.Millisecond), did.Left)
	}
	return exit.OK
}

// advice returns what to do after an error, for the end of a line.
func advice(ctx context.Context, err error) string {
	if ctx.Err() != nil || exit.CodeOf(err) == exit.Temporary {
		return " Run the same command again to continue."
	}
	return ""
}

// options parses the command line.
func options(args []string, env config.Environment, stdin io.Reader, stderr io.Writer) (flags map[string]string, opt seed.Options, err error) {
	set := flag.NewFlagSet("linnet-seed", flag.ContinueOnError)
	set.SetOutput(stderr)
	flags = map[string]string{}
	for name, usage := range map[string]string{
		"config": "configuration `FILE` of linnet", "data": "`DIR` of the embedded store", "store": "`URL` of a Redis store",
		"redis.prefix": "`TEXT` before the names of all keys in Redis",
	} {
		set.Func(name, usage, func(s string) error { flags[name] = s; return nil })
	}
	set.StringVar(&opt.Follows, "follows", "", "`FILE` of lines FOLLOWER<TAB>FOLLOWED with numbers from 0; can be gzipped")
	set.StringVar(&opt.Posts, "posts", "", "`FILE` with one post per line; can be gzipped")
	set.IntVar(&opt.Users, "users", 0, "`NUMBER` of users; with files the minimum. Default: 100000; with files the users in the follows")
	set.StringVar(&opt.Prefix, "users-prefix", "u", "`TEXT` before the numbers of usernames")
	set.IntVar(&opt.PerUser, "posts-per-user", 0, "`NUMBER` of posts per user. Default: 10; with files each line is posted once, by a random user")
	set.IntVar(&opt.Days, "days", 30, "`NUMBER` of days that the posts cover")
	set.Uint64Var(&opt.Seed, "seed", 0, "seed of the random choices, a `NUMBER`")
	set.Func("until", "`DATE` of the last post, like 2026-01-31. Default: now", func(s string) (err error) {
		opt.Until, err = time.Parse(time.DateOnly, s)
		return err
	})
	password := set.Bool("password", false, "set the password in LINNET_PASSWORD, or else on standard input, for all users")
	if err := set.Parse(args); err != nil {
		return nil, opt, err
	}
	if set.NArg() > 0 {
		return nil, opt, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	var below error
	set.Visit(func(f *flag.Flag) {
		getter, ok := f.Value.(flag.Getter)
		if !ok {
			return
		}
		if n, ok := getter.Get().(int); ok && n < 1 { // 0 would mean the default
			below = fmt.Errorf("--%s must be a number of at least 1, not %d", f.Name, n)
		}
	})
	if below != nil {
		return nil, opt, below
	}
	if opt.Follows == "" && opt.Posts == "" {
		opt.Generated = true
		if opt.Users == 0 {
			opt.Users = usualUsers
		}
		if opt.PerUser == 0 {
			opt.PerUser = usualPosts
		}
	}
	if *password {
		if opt.Password, err = readPassword(env, stdin); err != nil {
			return nil, opt, err
		}
	}
	return flags, opt, nil
}

func readPassword(env config.Environment, stdin io.Reader) (string, error) {
	text, source, err := env.Secret("LINNET_PASSWORD")
	if err != nil || source != "" {
		return text, err
	}
	line, err := bufio.NewReader(stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", errors.New("no password on standard input: write it as one line, or set LINNET_PASSWORD")
	}
	return line, nil
}
