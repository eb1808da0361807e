package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"linnet/internal/bench"
)

// usualRate is the rate of a mix if none is given.
const usualRate = 100

// benchFlags are the flags of bench.
func benchFlags() []flagSpec {
	return []flagSpec{
		{"accounts", "FILE", "Lines of login:token, as user tokens writes them"},
		{"mix", "NAME", "Mix of requests: " + strings.Join(bench.Mixes(), ", ") + " (read-mostly)"},
		{"measure", "NAME", "Instead of a mix: " + strings.Join(bench.Measures(), ", ")},
		{"rate", "N", "Requests a second, due by the clock (100 for a mix; else each connection asks again when it was answered)"},
		{"connections", "N", "Requests at a time, at most (16)"},
		{"duration", "DURATION", "How long to measure (10s)"},
		{"warmup", "DURATION", "How long to run before that (0s)"},
		{"timeout", "DURATION", "How long a request may take (10s)"},
		{"limit", "N", "Statuses a page (20)"},
		{"gzip", "", "Ask for compressed answers"},
		{"seed", "N", "Start of all chance, so that a run can be repeated (0)"},
		{"write-rate", "N", "home: posts a second, and as many favourites, while homes are read and checked for them"},
		{"stale-after", "DURATION", "home: how old a page may be (1s)"},
		{"author", "LOGIN,…", "post, fanout: who posts (post: ten of all; fanout: the most followed)"},
		{"followers", "N", "fanout: how many followers' homes are watched (10)"},
		{"poll", "DURATION", "fanout: pause between two looks at one home (20ms)"},
		{"json", "", "Print JSON"},
	}
}

// runBench puts load on a server and prints what came of it.
func runBench(ctx context.Context, c *call) error {
	o, err := c.benchOptions()
	if err != nil {
		return err
	}
	if o.URL, err = c.benchURL(ctx); err != nil {
		return err
	}
	if o.Accounts, err = readAccounts(c.line.flags["accounts"]); err != nil {
		return err
	}
	line := newProgressLine(c.stderr)
	o.Progress, o.Every = line.show, line.every
	r, err := bench.Run(ctx, o)
	line.clear()
	if err != nil {
		return benchFault(ctx, err)
	}
	if c.flag("json") {
		err = printJSON(c.stdout, r)
	} else {
		err = r.WriteText(c.stdout)
	}
	if err == nil && r.Total.Failed > 0 {
		return &fault{code: exitFailed, what: fmt.Sprintf("%d of %d requests failed", r.Total.Failed, r.Total.Requests),
			advice: benchAdvice(r.Failures[0].Kind)}
	}
	return err
}

// benchOptions reads the flags.
func (c *call) benchOptions() (bench.Options, error) {
	o := bench.Options{Mix: c.line.flags["mix"], Measure: c.line.flags["measure"], Gzip: c.flag("gzip")}
	if o.Mix == "" && o.Measure == "" {
		o.Mix = bench.Mixes()[0]
	}
	if o.Mix != "" {
		o.Rate = usualRate
	}
	if list := c.line.flags["author"]; list != "" {
		o.Authors = strings.Split(list, ",")
	}
	set := map[string]func(string) error{
		"rate": rateFlag(&o.Rate), "write-rate": rateFlag(&o.WriteRate),
		"connections": countFlag(&o.Connections), "limit": countFlag(&o.Limit), "followers": countFlag(&o.Followers),
		"duration": timeFlag(&o.Duration), "warmup": timeFlag(&o.Warmup), "timeout": timeFlag(&o.Timeout),
		"stale-after": timeFlag(&o.StaleAfter), "poll": timeFlag(&o.Poll),
		"seed": func(s string) (err error) { o.Seed, err = strconv.ParseUint(s, 10, 64); return },
	}
	for _, name := range sorted(c.line.flags) {
		if f := set[name]; f != nil {
			if err := f(c.line.flags[name]); err != nil {
				return o, usage(fmt.Sprintf("bad value %q for --%s: %v", c.line.flags[name], name, err), "See linnet help bench.")
			}
		}
	}
	return o, nil
}

func rateFlag(to *float64) func(string) error {
	return func(s string) error {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || !(f > 0 && f <= 100_000) {
			return errors.New("not a number above 0, up to 100000")
		}
		*to = f
		return nil
	}
}

func countFlag(to *int) func(string) error {
	return func(s string) (err error) {
		if *to, err = parseCount(s, 10_000); err == nil && *to == 0 {
			err = errors.New("not above 0")
		}
		return err
	}
}

func timeFlag(to *time.Duration) func(string) error {
	return func(s string) (err error) { *to, err = parseDuration(s); return }
}

// benchURL is the server that is named, or else the one on the data directory.
func (c *call) benchURL(ctx context.Context) (string, error) {
	if len(c.args()) > 0 {
		return c.args()[0], nil
	}
	s, err := askStatus(ctx, c.cfg.Data)
	if err != nil {
		return "", &fault{code: exitNotFound, what: "no server is named and none runs on " + c.cfg.Data, from: c.cfg.from("data"),
			advice: "Start one with linnet, or name one: linnet bench http://HOST:PORT."}
	}
	return s.Web, nil
}

func readAccounts(path string) ([]bench.Account, error) {
	if path == "" {
		return nil, usage("no accounts are named", "Write some with linnet user tokens --out FILE, then give --accounts FILE.")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &fault{code: exitUsage, what: "cannot read the accounts", cause: err, from: "flag --accounts"}
	}
	defer f.Close()
	accounts, err := bench.ReadAccounts(f)
	if err != nil {
		return nil, &fault{code: exitUsage, what: "cannot use the accounts in " + path, cause: err, from: "flag --accounts"}
	}
	return accounts, nil
}

func benchFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &fault{code: exitFailed, what: "broken off before anything was measured"}
	}
	return &fault{code: exitFailed, what: "cannot measure", cause: err, advice: benchAdvice(bench.KindOf(err))}
}

// benchAdvice says what helps against a kind of failure.
func benchAdvice(kind string) string {
	switch kind {
	case "429":
		return "The server limits requests by account and by address: take more accounts, a lower rate, or turn its limits off for the time."
	case "401", "403":
		return "Are the tokens this server's, with the scopes read, write and follow?"
	}
	return ""
}

// progressLine shows how a run goes: on a terminal one line that changes, else
// a line now and then.
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

// eraseLine is the sequence of terminals that empties the line (ECMA-48 EL).
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
