// Command linnet-torture starts a server, breaks it repeatedly while clients act, and reports lost
// writes. It exits with 1 after losses or errors, and with 2 for invalid arguments.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"linnet/tools/torture"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command with args and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := options(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, "linnet-torture:", err)
		return 2
	}
	o.Log = stdout
	if err := strike(ctx, o); err != nil {
		fmt.Fprintln(stderr, "linnet-torture:", err)
		return 1
	}
	return 0
}

func strike(ctx context.Context, o torture.Options) (err error) {
	if o.Dir, err = os.MkdirTemp("", "linnet-torture-"); err != nil {
		return fmt.Errorf("create a directory: %w", err)
	}
	fmt.Fprintf(o.Log, "seed %d, %s, durability %s, %d followers, %d clients, in %s\n", o.Seed, o.Store, o.Sync, o.Followers, o.Cast, o.Dir)
	rounds, err := torture.Run(ctx, o)
	sum := torture.Add(rounds)
	fmt.Fprintln(o.Log, sum)
	switch {
	case err != nil:
		return err
	case sum.Problems > 0 || sum.Lost > 0 && !o.Lossy:
		return fmt.Errorf("%d actions were lost and %d problems were found: the logs and the store are in %s", sum.Lost, sum.Problems, o.Dir)
	}
	return os.RemoveAll(o.Dir)
}

// options parses the command line.
func options(args []string, stderr io.Writer) (torture.Options, error) {
	o := torture.Options{Sample: 200}
	set := flag.NewFlagSet("linnet-torture", flag.ContinueOnError)
	set.SetOutput(stderr)
	program := set.String("program", "./linnet", "the `FILE` of linnet that is tortured; make build writes it")
	set.IntVar(&o.Rounds, "rounds", 10, "strike `N` times; the faults come in turn")
	set.Uint64Var(&o.Seed, "seed", rand.Uint64N(1_000_000), "start of all chance, `N`; drawn if it is not given")
	set.StringVar(&o.Store, "on", "embedded", "`embedded|redis`: the server's store; redis starts one of its own")
	set.StringVar(&o.Sync, "durability", "always",
		"`always|interval|everysec`: when that store acknowledges; what the latter two lose (embedded: interval, redis: everysec) is reported and no failure")
	set.IntVar(&o.Followers, "followers", 5000, "the author in whose fan-outs the server is killed has `N` followers")
	set.IntVar(&o.Cast, "clients", 40, "`N` clients act")
	set.DurationVar(&o.Load, "load", 2*time.Second, "how long they act before each blow, a `TIME` up to 1m")
	set.DurationVar(&o.Outage, "outage", 10*time.Second, "how long a Redis stays away, a `TIME` up to 10m")
	if err := set.Parse(args); err != nil {
		return o, err
	}
	lossy := map[string]string{"embedded": "interval", "redis": "everysec"}[o.Store]
	o.Faults, o.Lossy = torture.Faults(o.Store), o.Sync != "always"
	switch {
	case set.NArg() > 0:
		return o, fmt.Errorf("unknown option %q", set.Arg(0))
	case lossy == "":
		return o, fmt.Errorf("bad value %q for --on: neither embedded nor redis", o.Store)
	case o.Lossy && o.Sync != lossy:
		return o, fmt.Errorf("bad value %q for --durability: neither always nor %s", o.Sync, lossy)
	case o.Rounds < 1:
		return o, fmt.Errorf("bad value %d for --rounds: must be at least 1", o.Rounds)
	case o.Cast <= 5 || o.Followers <= o.Cast*o.Rounds:
		return o, fmt.Errorf("%d clients in each of %d rounds need more than %d followers: use at least 6 clients, and enough followers for new clients in each round",
			o.Cast, o.Rounds, o.Followers)
	case o.Load < 0 || o.Load > time.Minute || o.Outage < 0 || o.Outage > 10*time.Minute:
		return o, fmt.Errorf("bad load %v or outage %v: at most 1m and 10m", o.Load, o.Outage)
	}
	found, err := exec.LookPath(*program)
	if err != nil {
		return o, fmt.Errorf("cannot run the program to test: %w: build it with make build, or pass --program FILE", err)
	}
	o.Program, err = filepath.Abs(found) // the server runs in another directory
	return o, err
}
