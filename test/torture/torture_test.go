// Package torture_test breaks whole servers, built like releases, and the stores below them, and
// checks the result. docs/reliability.md lists the guarantees and their tests.
//
// The runs are short unless the environment variable LINNET_TORTURE is "long". Each run prints its
// seed, and LINNET_SEED repeats one.
package torture_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
	"linnet/tools/torture"
)

// long reports whether long runs are requested.
func long() bool { return os.Getenv("LINNET_TORTURE") == "long" }

// either returns short in short runs, else much.
func either(short, much int) int {
	if long() {
		return much
	}
	return short
}

// randomSeed returns LINNET_SEED, or a random number.
func randomSeed(t *testing.T) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(os.Getenv("LINNET_SEED"), 10, 64)
	if err != nil {
		n = rand.Uint64N(1_000_000)
	}
	t.Logf("LINNET_SEED=%d", n)
	return n
}

// shelf is the directory of the compiled program.
var shelf string

// built returns the path of the program, compiled once for all tests.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(shelf, "linnet")
	build := exec.Command("go", "build", "-C", "../..", "-o", path, "./cmd/linnet")
	build.Env = append(build.Environ(), "CGO_ENABLED=0") // like releases, whatever flags the tests have
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	var err error
	if shelf, err = os.MkdirTemp("", "linnet-built-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(shelf)
	os.Exit(code)
}

func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	path, err := built()
	if err != nil {
		t.Fatal("build the program: ", err)
	}
	return path
}

// place returns a temporary directory with a short path, unlike t.TempDir.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "torture")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// run tortures a server and fails with the problems found.
func run(t *testing.T, o torture.Options) torture.Sum {
	t.Helper()
	sum := count(t, o)
	if sum.Problems > 0 || sum.Lost > 0 && !o.Lossy {
		t.Errorf("%d acknowledged acts were lost, %d things are wrong", sum.Lost, sum.Problems)
	}
	return sum
}

// count tortures a server and returns the problems found.
func count(t *testing.T, o torture.Options) torture.Sum {
	t.Helper()
	o.Program, o.Dir, o.Log = program(t), place(t), t.Output()
	if o.Seed == 0 {
		o.Seed = randomSeed(t)
	}
	if o.Followers == 0 {
		o.Followers = either(5_000, 49_999) // authors with 50,000 or more are pulled
	}
	o.Cast, o.Sample, o.Load, o.Outage = 30, 200, time.Second, time.Duration(either(3, 10))*time.Second
	rounds, err := torture.Run(t.Context(), o)
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(o.Dir, "server.log"))
		t.Fatalf("%v\n%s", err, log[max(0, len(log)-2000):])
	}
	sum := torture.Add(rounds)
	t.Log(sum)
	if sum.Acked < 100*o.Rounds {
		t.Errorf("only %d acts were acknowledged: no load to speak of", sum.Acked)
	}
	return sum
}

// TestEmbedded kills the server during a fan-out and stops it under load.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	run(t, torture.Options{Store: "embedded", Faults: torture.Faults("embedded"), Rounds: either(3, 40)})
}

// TestEmbeddedInterval checks that losses of the last second are reported and leave the store
// consistent.
func TestEmbeddedInterval(t *testing.T) {
	t.Parallel()
	run(t, torture.Options{Store: "embedded", Sync: "interval", Lossy: true, Followers: 1_000,
		Faults: torture.Faults("embedded")[:1], Rounds: either(2, 20)})
}

// TestRedis runs the same on a Redis that syncs always, which is killed too.
func TestRedis(t *testing.T) {
	redistest.Require(t)
	t.Parallel()
	run(t, torture.Options{Store: "redis", Faults: torture.Faults("redis"), Rounds: either(3, 21)})
}

// TestRedisEverySecond checks that losses of a Redis that syncs every second are reported.
func TestRedisEverySecond(t *testing.T) {
	redistest.Require(t)
	t.Parallel()
	run(t, torture.Options{Store: "redis", Sync: "everysec", Lossy: true, Followers: 1_000,
		Faults: torture.Faults("redis")[2:], Rounds: either(1, 10)})
}
