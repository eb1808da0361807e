package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"linnet/internal/torture"
)

func tortureFlags() []flagSpec {
	return []flagSpec{
		{"rounds", "N", "How often to strike; the faults come in turn (10)"},
		{"seed", "N", "Start of all chance (drawn, and printed)"},
		{"on", "embedded|redis", "Store of the server that is tortured; redis starts one of its own (embedded)"},
		{"durability", "always|interval|everysec", "When that store acknowledges; what the latter two lose is reported and no failure (always)"},
		{"followers", "N", "Followers of the author in whose fan-outs the server is killed (5000)"},
		{"clients", "N", "Clients that act (40)"},
		{"load", "DURATION", "How long they act before each blow (2s)"},
		{"outage", "DURATION", "How long a Redis stays away (10s)"},
	}
}

// runTorture breaks a server of its own, and says what was lost.
func runTorture(ctx context.Context, c *call) error {
	o, err := c.tortureOptions()
	if err != nil {
		return err
	}
	if o.Program, err = os.Executable(); err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	if o.Dir, err = os.MkdirTemp("", "linnet-torture-"); err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	fmt.Fprintf(c.stdout, "seed %d, %s, durability %s, %d followers, %d clients, in %s\n", o.Seed, o.Store, o.Sync, o.Followers, o.Cast, o.Dir)
	rounds, err := torture.Run(ctx, o)
	sum := torture.Add(rounds)
	fmt.Fprintln(c.stdout, sum)
	switch {
	case err != nil:
		return fmt.Errorf("torture: %w", err)
	case sum.Problems > 0 || sum.Lost > 0 && !o.Lossy:
		return &fault{code: exitFailed, what: fmt.Sprintf("%d acts were lost and %d things are wrong", sum.Lost, sum.Problems),
			advice: "The logs and the store are in " + o.Dir + "."}
	}
	return os.RemoveAll(o.Dir)
}

// tortureOptions reads the flags.
func (c *call) tortureOptions() (torture.Options, error) {
	flags := map[string]string{"rounds": "10", "seed": strconv.FormatUint(rand.Uint64N(1_000_000), 10), "on": "embedded",
		"durability": "always", "followers": "5000", "clients": "40", "load": "2s", "outage": "10s"}
	for name, text := range c.line.flags {
		flags[name] = text
	}
	o := torture.Options{Store: flags["on"], Sync: flags["durability"], Sample: 200, Log: c.stdout,
		Faults: torture.Faults(flags["on"]), Lossy: flags["durability"] != "always"}
	var seed int
	lossy := "interval"
	if o.Store == "redis" {
		lossy = "everysec"
	}
	set := map[string]func(string) error{
		"on":         func(s string) error { return oneOf(s, "embedded", "redis") },
		"durability": func(s string) error { return oneOf(s, "always", lossy) },
		"load":       timeFlag(&o.Load), "outage": timeFlag(&o.Outage),
	}
	for name, to := range map[string]*int{"rounds": &o.Rounds, "followers": &o.Followers, "clients": &o.Cast, "seed": &seed} {
		set[name] = func(s string) (err error) { *to, err = parseCount(s, maxTokens); return }
	}
	for name, f := range set {
		if err := f(flags[name]); err != nil {
			return o, usage(fmt.Sprintf("bad value %q for --%s: %v", flags[name], name, err), "See linnet help torture.")
		}
	}
	if o.Seed = uint64(seed); o.Cast <= 5 || o.Followers <= o.Cast*o.Rounds {
		return o, usage(fmt.Sprintf("%d clients in each of %d rounds do not fit into %d followers", o.Cast, o.Rounds, o.Followers),
			"There are at least 6 clients, and each round takes others.")
	}
	if o.Load > time.Minute || o.Outage > 10*time.Minute {
		return o, usage("a load of more than a minute, or an outage of more than ten", "See linnet help torture.")
	}
	return o, nil
}
