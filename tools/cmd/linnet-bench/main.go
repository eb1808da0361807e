// Command linnet-bench puts load on a server with the Mastodon client API and prints measurements.
//
//	linnet user tokens --out tokens.txt
//	linnet-bench --accounts tokens.txt --mix timeline --rate 500 http://127.0.0.1:8420
//
// It exits with 1 if a request failed or nothing could be measured, and with 2 for invalid
// arguments.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"linnet/tools/bench"
)

// usualRate is the default rate of a mix.
const usualRate = 100

func main() {
	if len(os.Args) == 3 && os.Args[1] == bench.StillArg {
		size, _ := strconv.Atoi(os.Args[2])
		fmt.Fprintln(os.Stderr, "linnet-bench:", bench.ServeStill(size, os.Stdout))
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs a measurement with args and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, asJSON, err := options(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, "linnet-bench:", err)
		return 2
	}
	if err := measure(ctx, o, asJSON, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "linnet-bench:", err)
		return 1
	}
	return 0
}

func measure(ctx context.Context, o bench.Options, asJSON bool, stdout, stderr io.Writer) error {
	line := newProgressLine(stderr)
	o.Progress, o.Every = line.show, line.every
	r, err := bench.Run(ctx, o)
	line.clear()
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("interrupted before anything was measured")
	case err != nil:
		return fmt.Errorf("cannot measure: %w.%s", err, advice(bench.KindOf(err)))
	case asJSON:
		err = r.WriteJSON(stdout)
	default:
		err = r.WriteText(stdout)
	}
	if err == nil && r.Total.Failed > 0 {
		return fmt.Errorf("%d of %d requests failed.%s", r.Total.Failed, r.Total.Requests, advice(r.Failures[0].Kind))
	}
	return err
}

// options parses the command line.
func options(args []string, stderr io.Writer) (o bench.Options, asJSON bool, err error) {
	set := flag.NewFlagSet("linnet-bench", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Usage = func() {
		fmt.Fprint(stderr, "usage: linnet-bench --accounts FILE [OPTION…] URL\n\nOptions:\n")
		set.PrintDefaults()
	}
	accounts := set.String("accounts", "", "lines of login:token in `FILE`, as linnet user tokens writes them")
	set.StringVar(&o.Mix, "mix", "", "mix of requests, a `NAME` of: "+strings.Join(bench.Mixes(), ", ")+" (read-mostly)")
	set.StringVar(&o.Measure, "measure", "", "instead of a mix, a `NAME` of: "+strings.Join(bench.Measures(), ", "))
	set.Func("rate", "`N` requests a second, due by the clock (100 for a mix; else each connection asks again when it was answered)", rate(&o.Rate))
	set.Func("connections", "`N` requests at a time, at most (16)", count(&o.Connections))
	set.Func("duration", "how long to measure, a `TIME` (10s)", span(&o.Duration))
	set.Func("warmup", "how long to run before that, a `TIME` (0s)", span(&o.Warmup))
	set.Func("timeout", "how long a request may take, a `TIME` (10s)", span(&o.Timeout))
	set.Func("limit", "`N` statuses a page (20)", count(&o.Limit))
	set.BoolVar(&o.Gzip, "gzip", false, "ask for compressed answers")
	set.Uint64Var(&o.Seed, "seed", 0, "start of all chance, `N`, so that a run can be repeated")
	set.Func("write-rate", "home: `N` posts a second, and as many favourites, while homes are read and checked for them", rate(&o.WriteRate))
	set.Func("stale-after", "home: how old a page may be, a `TIME` (1s)", span(&o.StaleAfter))
	set.Func("author", "post, fanout, streams: who posts, `LOGIN,…` (post: ten of all; else the most followed)", func(s string) error {
		o.Authors = strings.Split(s, ",")
		return nil
	})
	set.Func("followers", "fanout: `N` followers' homes are watched (10)", count(&o.Followers))
	set.Func("poll", "fanout: pause between two looks at one home, a `TIME` (20ms)", span(&o.Poll))
	set.Func("rest", "polls: nobody looks at home twice within a `TIME` (20s)", span(&o.Rest))
	set.StringVar(&o.Page, "page", "", "pages: read only one, a `NAME` of: "+strings.Join(bench.Pages(), ", "))
	password := set.String("password-file", "", "pages: password of all accounts, in `FILE`, as linnet-seed --password set it")
	set.BoolVar(&o.Static, "static", false, "polls: read as many still bytes by turns, and say what they cost")
	set.StringVar(&o.Metrics, "metrics", "", "say what a request cost the server, by its metrics at `URL`, such as http://127.0.0.1:8421/metrics")
	set.BoolVar(&asJSON, "json", false, "print JSON")
	if err := set.Parse(args); err != nil {
		return o, false, err
	}
	if o.Mix == "" && o.Measure == "" {
		o.Mix = bench.Mixes()[0]
	}
	if o.Mix != "" && o.Rate == 0 {
		o.Rate = usualRate
	}
	if set.NArg() != 1 {
		return o, false, fmt.Errorf("expected one server, got %d: pass it as http://HOST:PORT after all options", set.NArg())
	}
	o.URL = set.Arg(0)
	if *password != "" {
		text, err := os.ReadFile(*password)
		if err != nil {
			return o, false, fmt.Errorf("cannot read the password: %w", err)
		}
		o.Password = strings.TrimSpace(string(text))
	}
	o.Accounts, err = readAccounts(*accounts)
	return o, asJSON, err
}

// rate, count and span return functions that parse the value of an option.

func rate(to *float64) func(string) error {
	return func(s string) error {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || !(f > 0 && f <= 100_000) {
			return errors.New("not a number greater than 0 and at most 100000")
		}
		*to = f
		return nil
	}
}

func count(to *int) func(string) error {
	return func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > 10_000 {
			return errors.New("not a number from 1 to 10000")
		}
		*to = n
		return nil
	}
}

func span(to *time.Duration) func(string) error {
	return func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 || d > time.Hour {
			return errors.New("not a duration such as 30s or 2m, at most 1h")
		}
		*to = d
		return nil
	}
}

func readAccounts(path string) ([]bench.Account, error) {
	if path == "" {
		return nil, errors.New("no accounts: create a file with linnet user tokens --out FILE, then pass --accounts FILE")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the accounts: %w", err)
	}
	defer f.Close()
	accounts, err := bench.ReadAccounts(f)
	if err != nil {
		return nil, fmt.Errorf("cannot use the accounts in %s: %w", path, err)
	}
	return accounts, nil
}

// advice returns a remedy for a kind of failure.
func advice(kind string) string {
	switch kind {
	case "429":
		return " The server limits requests per account and address: use more accounts or a lower rate, or turn the limits off during the measurement."
	case "401", "403":
		return " Check that the tokens are from this server and have the scopes read, write and follow."
	}
	return ""
}

// progressLine shows the progress of a run: a line that changes on a terminal, otherwise a new line
// from time to time.
type progressLine struct {
	w      io.Writer
	every  time.Duration
	moving bool
}

func newProgressLine(w io.Writer) *progressLine {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &progressLine{w: w, every: time.Second, moving: true}
	}
	return &progressLine{w: w, every: 10 * time.Second}
}

// eraseLine is the terminal sequence that clears the line (ECMA-48 EL).
const eraseLine = "\r\x1b[K"

func (p *progressLine) show(now bench.Progress) {
	if p.moving {
		fmt.Fprint(p.w, eraseLine+now.String())
		return
	}
	fmt.Fprintln(p.w, now)
}

func (p *progressLine) clear() {
	if p.moving {
		fmt.Fprint(p.w, eraseLine)
	}
}
