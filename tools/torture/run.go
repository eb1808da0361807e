package torture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"linnet/tools/seed"
)

// Options are the settings of a run.
type Options struct {
	Program   string        // path of linnet
	Dir       string        // an empty directory for stores, sockets and logs, see MaxDir
	Store     string        // "embedded", "redis" (the run starts one), or the URL of a running Redis
	Sync      string        // when writes are acknowledged: always or interval, or for a started Redis always or everysec; "" for always
	Args      []string      // more flags for the server
	Faults    []Fault       // used in turn
	Rounds    int           // at least 1
	Followers int           // of the author who posts in each round, among them the cast of each round
	Cast      int           // clients that act, at least 6
	Sample    int           // followers whose homes are read to the end after each round
	Load      time.Duration // time before the fault, and half of it after
	Outage    time.Duration // duration of a Redis outage
	Seed      uint64
	Lossy     bool      // report losses without failing
	Log       io.Writer // receives one line per round
}

// MaxDir is the limit of the path of Options.Dir, which contains a socket.
const MaxDir = 80

const (
	startTime   = 2 * time.Minute // start with a large store
	servingTime = 5 * time.Second // until a killed server is ready again
	drainTime   = 2 * time.Minute // until no tasks are left; the lease of a dead server is 30 s
)

type run struct {
	opt     Options
	server  *process
	redis   *process // nil unless the run started it
	socket  string
	base    string
	store   map[string]string // options that select the store
	star    *member
	crowd   []*member // the followers of star
	group   string    // id of the star's group
	c       *client
	shuffle *rand.Rand
}

// Run tortures a server and returns the result of each round. The error is the reason for an
// incomplete run. Problems found are in the rounds.
func Run(ctx context.Context, opt Options) (rounds []*Round, err error) {
	if opt.Cast <= ring+1 || opt.Rounds < 1 || opt.Followers <= opt.Cast*opt.Rounds || len(opt.Faults) == 0 {
		return nil, errors.New("a run needs rounds, faults, at least 6 clients, and more followers than clients in each round")
	}
	r := &run{opt: opt, shuffle: rand.New(rand.NewPCG(opt.Seed, 1))}
	defer r.end()
	if err := r.begin(ctx); err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	for n := range opt.Rounds {
		round, err := r.round(ctx, n)
		rounds = append(rounds, round)
		if err != nil {
			return rounds, fmt.Errorf("round %d, %s, seed %d: %w", n, round.Fault, opt.Seed, err)
		}
		fmt.Fprintln(opt.Log, round)
	}
	for _, round := range rounds { // the posts of earlier rounds still exist
		if err := each(round.cast, 8, func(m *member) error { return round.profile(ctx, m) }); err != nil {
			return rounds, fmt.Errorf("check round %d again: %w", round.Number, err)
		}
	}
	return rounds, nil
}

// begin creates the users and starts the server.
func (r *run) begin(ctx context.Context) error {
	if len(r.opt.Dir) > MaxDir {
		return fmt.Errorf("the path %s is longer than %d bytes", r.opt.Dir, MaxDir)
	}
	addr, err := freeAddr(r.shuffle)
	if err != nil {
		return err
	}
	r.base = "http://" + addr
	r.store = map[string]string{"data": filepath.Join(r.opt.Dir, "data")}
	if err := r.chooseStore(ctx); err != nil {
		return err
	}
	args := append([]string{"serve", "--addr", addr, "--public-url", r.base, "--metrics-addr", "off", "--rate-limits", "off",
		"--log-level", "warn"}, r.flags()...)
	r.server = &process{path: r.opt.Program, args: append(args, r.opt.Args...), log: filepath.Join(r.opt.Dir, "server.log")}
	if err := r.makeWorld(ctx); err != nil {
		return err
	}
	if err := r.server.start(); err != nil {
		return err
	}
	r.c = newClient(r.base)
	if err := r.server.await(ctx, startTime, ready(r.base)); err != nil {
		return err
	}
	return r.meet(ctx)
}

// groupName is the name of the star's group.
const groupName = "circle"

// meet reads the ids of the star and the idlers, which all rounds need, and creates the group.
func (r *run) meet(ctx context.Context) error {
	idle := r.crowd[max(0, len(r.crowd)-idlers):]
	if err := each(append([]*member{r.star}, idle...), 8, func(m *member) error { return m.meet(ctx, r.c) }); err != nil {
		return err
	}
	var g struct {
		ID string `json:"id"`
	}
	_, err := r.c.do(ctx, r.star.token, http.MethodPost, "/api/v1/groups", url.Values{"username": {groupName}}, "", &g)
	r.group = g.ID
	return err
}

func (r *run) chooseStore(ctx context.Context) error {
	sync := r.opt.Sync
	if sync == "" {
		sync = "always"
	}
	switch r.opt.Store {
	case "embedded":
		r.store["sync"] = sync
	case "redis":
		r.socket = filepath.Join(r.opt.Dir, "redis.sock")
		r.store["store"] = "unix://" + r.socket
		r.redis = &process{path: "redis-server", log: filepath.Join(r.opt.Dir, "redis.log"), args: []string{
			"--port", "0", "--unixsocket", r.socket, "--save", "", "--appendonly", "yes", "--appendfsync", sync}}
		return r.startRedis(ctx)
	default:
		r.store["store"] = r.opt.Store
	}
	return nil
}

func (r *run) startRedis(ctx context.Context) error {
	if err := r.redis.start(); err != nil {
		return err
	}
	return r.redis.await(ctx, startTime, answers(r.socket))
}

// makeWorld creates the star, its followers and a token for each.
func (r *run) makeWorld(ctx context.Context) error {
	var follows strings.Builder
	for i := 1; i <= r.opt.Followers; i++ {
		fmt.Fprintf(&follows, "%d\t0\n", i)
	}
	file, tokens := filepath.Join(r.opt.Dir, "follows"), filepath.Join(r.opt.Dir, "tokens")
	if err := os.WriteFile(file, []byte(follows.String()), 0o600); err != nil {
		return err
	}
	if _, err := seed.FillStore(ctx, r.store, nil, seed.Options{Follows: file}); err != nil {
		return err
	}
	if _, err := r.command(ctx, "user", "tokens", "--prefix", "u", "--count", fmt.Sprint(r.opt.Followers+1), "--out", tokens); err != nil {
		return err
	}
	data, err := os.ReadFile(tokens)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		login, token, _ := strings.Cut(strings.TrimSpace(line), ":")
		m := &member{login: login, token: token, ledger: *newLedger(), rng: rand.New(rand.NewPCG(r.opt.Seed, r.shuffle.Uint64()))}
		if login == "u0" {
			r.star = m
		} else {
			r.crowd = append(r.crowd, m)
		}
	}
	if r.star == nil || len(r.crowd) != r.opt.Followers {
		return fmt.Errorf("%d tokens for %d users", len(r.crowd)+1, r.opt.Followers+1)
	}
	r.shuffle.Shuffle(len(r.crowd), func(i, j int) { r.crowd[i], r.crowd[j] = r.crowd[j], r.crowd[i] })
	return nil
}

func (r *run) end() {
	if r.server != nil {
		r.server.kill()
	}
	if r.redis != nil {
		r.redis.kill()
	}
}

// sample returns followers without acts, starting at a random index. Followers with acts come first
// in the crowd.
func (r *run) sample(rng *rand.Rand) []*member {
	idle := r.crowd[min(len(r.crowd), r.opt.Cast*r.opt.Rounds):]
	if len(idle) <= r.opt.Sample {
		return idle
	}
	from := rng.IntN(len(idle) - r.opt.Sample)
	return idle[from : from+r.opt.Sample]
}
