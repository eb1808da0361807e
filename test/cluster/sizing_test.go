package cluster_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
	"linnet/tools/seed"
)

// degrees returns the numbers of followees and followers of the first users.
func degrees() []int { return []int{20, 100, 128, 129, 200, 500, 700, 1000, 3000} }

// TestSizing measures the figures of docs/scaling.md with the project's own code, and logs them
// with -v. It fails if a figure is outside the bounds that the page assumes.
func TestSizing(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes about half a minute")
	}
	redistest.Require(t)
	bin := build(t)
	for name, args := range map[string][]string{
		"default":      nil,
		"listpack 700": {"--zset-max-listpack-entries", "700"},
	} {
		t.Run(name, func(t *testing.T) {
			redis := redistest.Start(t, args...)
			s := &sizing{T: t, bin: bin, redis: redis, url: redis.URL(), masters: []*redistest.Server{redis}}
			s.memory(len(args) > 0)
			if args == nil {
				s.work()
			}
		})
	}
	t.Run("Cluster", func(t *testing.T) {
		nodes := redistest.Cluster(t, 3, 0)
		s := &sizing{T: t, bin: bin, url: nodes.URL(), masters: nodes.Masters}
		fill(t, s.url, seed.Options{Follows: s.graph(), Posts: s.texts(280), PerUser: 1})
		s.serve()
		s.acts()
	})
}

type sizing struct {
	*testing.T
	bin     string
	redis   *redistest.Server // contains the measured keys
	url     string            // of the store
	masters []*redistest.Server
	server  *server
	idle    map[string]float64 // cost per second without requests
	users   []*client          // users with tokens, the hubs first
}

// command runs a command on the store.
func (s *sizing) command(words ...string) string {
	s.Helper()
	w := &world{T: s.T, bin: s.bin}
	return w.command(password+"\n", append(words, "--store", s.url)...)
}

// memory creates users, relations, statuses, tokens and feeds, and measures each.
func (s *sizing) memory(compact bool) {
	fill(s.T, s.url, seed.Options{Follows: s.graph(), Posts: s.texts(280), PerUser: 1})
	first := s.look()
	s.Logf("per key of each kind: %v", first)
	before := first.Kinds["status"]
	fill(s.T, s.url, seed.Options{Users: 500, Posts: s.texts(100), PerUser: 1, Prefix: "short"})
	second := s.look().Kinds["status"]
	s.bound("status of 280 characters", before.each(), 300, 700)
	s.bound("status of 100 characters", (second.Bytes-before.Bytes)/(second.Keys-before.Keys), 150, 500)
	user := 0.0
	for _, kind := range []string{"user", "counts", "secret", "login", "names", "users", "stats"} {
		user += first.Kinds[kind].Bytes
	}
	s.bound("user without edges", user/first.Kinds["user"].Keys, 300, 1500)
	for _, n := range degrees() {
		for _, kind := range []string{"following", "followers"} {
			each := first.Big[fmt.Sprintf("%s:%d", kind, n)] / float64(n)
			low, high := 80.0, 200.0
			if n <= 128 || compact && n <= 700 {
				low, high = 15, 45
			}
			if compact && n > 700 {
				low = 15
			}
			s.bound(fmt.Sprintf("%s, an edge of %d", kind, n), each, low, high)
		}
	}
}

// graph writes the follows: a hub of each degree.
func (s *sizing) graph() string {
	var b strings.Builder
	first := len(degrees())
	for hub, n := range degrees() {
		for i := range n {
			fmt.Fprintf(&b, "%d\t%d\n%d\t%d\n", hub, first+i, first+i, hub)
		}
	}
	return s.file(b.String())
}

// texts writes a status with the given number of characters.
func (s *sizing) texts(chars int) string {
	words := strings.Repeat("there are many words in a status ", 10)
	return s.file(words[:chars-1] + ".\n")
}

func (s *sizing) file(text string) string {
	path := filepath.Join(s.TempDir(), "input")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return path
}

// bound logs a figure and compares it with its bounds.
func (s *sizing) bound(what string, got, low, high float64) {
	s.Helper()
	s.Logf("%-32s %8.1f", what, got)
	if math.IsNaN(got) || got < low || got > high {
		s.Errorf("%s: %.1f is not from %.0f to %.0f", what, got, low, high)
	}
}

// kept is the size of the keys of a kind.
type kept struct{ Keys, Entries, Bytes float64 }

func (k kept) each() float64 { return k.Bytes / k.Keys }
func (k kept) String() string {
	return fmt.Sprintf("%.0f (%.0f, %.1f entries)", k.each(), k.Keys, k.Entries/k.Keys)
}

// looked is the content of a Redis, by MEMORY USAGE.
type looked struct {
	Kinds map[string]kept
	Big   map[string]float64 // size of keys with 20 entries or more, by kind and entries
}

func (s *sizing) look() (l looked) {
	s.Helper()
	const script = `local kinds, big, cursor = {}, {_ = 0}, "0"
repeat
	local r = redis.call("SCAN", cursor, "COUNT", 1000)
	cursor = r[1]
	for _, k in ipairs(r[2]) do
		local kind = string.match(k, "^([^:]+):")
		local bytes, type, n = redis.call("MEMORY", "USAGE", k, "SAMPLES", 0), redis.call("TYPE", k).ok, 1
		if type == "zset" then n = redis.call("ZCARD", k) elseif type == "list" then n = redis.call("LLEN", k) end
		local sum = kinds[kind] or {Keys = 0, Entries = 0, Bytes = 0}
		kinds[kind] = {Keys = sum.Keys + 1, Entries = sum.Entries + n, Bytes = sum.Bytes + bytes}
		if n >= 20 then big[kind .. ":" .. n] = bytes end
	end
until cursor == "0"
return cjson.encode({Kinds = kinds, Big = big})`
	if err := json.Unmarshal([]byte(s.redis.Do("EVAL", script, "0")), &l); err != nil {
		s.Fatal(err)
	}
	return l
}

// people returns the number of users in the graph.
func people() int { return len(degrees()) + slices.Max(degrees()) }

// serve starts a server and gets a token for each user. The server neither releases nor looks for
// tasks, which would add commands.
func (s *sizing) serve() {
	srv := newServer(s.T, "web", s.bin, "--role", "web", "--store", s.url)
	srv.start()
	s.server = srv
	w := &world{T: s.T, url: "http://" + srv.addr}
	s.users = make([]*client, people())
	for line := range strings.Lines(s.command("user", "tokens", "--count", strconv.Itoa(people()), "--prefix", "u")) {
		var i int
		c := w.client()
		if _, err := fmt.Sscanf(line, "u%d:%s", &i, &c.token); err != nil {
			s.Fatalf("tokens: %q: %v", line, err)
		}
		s.users[i] = c
	}
	began, from := time.Now(), s.spent()
	time.Sleep(2 * time.Second)
	to, took := s.spent(), time.Since(began).Seconds()
	s.idle = map[string]float64{}
	for name, v := range to {
		s.idle[name] = (v - from[name]) / took
	}
}

// work measures the cost of acts in Redis.
func (s *sizing) work() {
	before := s.look()
	s.serve()
	tokens := s.look()
	s.bound("token", (tokens.Kinds["token"].Bytes+tokens.Kinds["sessions"].Bytes-before.Kinds["token"].Bytes)/float64(len(s.users)), 200, 900)
	s.acts()
	for what, bytes := range s.look().Big {
		if n, ok := strings.CutPrefix(what, "home:"); ok {
			s.Logf("home feed of %s entries: %.0f bytes", n, bytes)
		}
	}
}

// acts measures one act after another.
func (s *sizing) acts() {
	ids := make([]string, 300)
	readers := s.users[9:309]
	for i, c := range readers { // sessions are cached from here on
		ids[i] = c.id(s)
	}
	home := func(c *client) { c.do(s, http.MethodGet, "/api/v1/timelines/home", nil) }
	s.cost("home, cold", len(readers), func(i int) { home(readers[i]) })
	s.cost("home, warm", len(readers), func(i int) { home(readers[i]) })
	s.cost("home, again", len(readers), func(i int) { home(readers[i]) })
	posted := make([]string, len(readers))
	s.cost("post, few followers", len(readers), func(i int) { posted[i] = readers[i].post(s, "hello to few") })
	s.cost("status", len(readers), func(i int) { readers[i].do(s, http.MethodGet, "/api/v1/statuses/"+posted[0], nil) })
	s.cost("favourite", len(readers)-1, func(i int) {
		readers[i].do(s, http.MethodPost, "/api/v1/statuses/"+posted[i+1]+"/favourite", nil)
	})
	s.cost("follow", len(readers)-1, func(i int) {
		readers[i].do(s, http.MethodPost, "/api/v1/accounts/"+ids[i+1]+"/follow", nil)
	})
	for _, c := range s.users[309:] { // feeds are stored from here on
		home(c)
	}
	hub := func(i int) *client { return s.users[i] }
	for _, h := range []int{1, 6, 7} { // with 100, 700 and 1,000 followees
		home(hub(h))
		s.cost(fmt.Sprintf("post, %d followers", degrees()[h]), 50, func(int) { hub(h).post(s, "hello to many") })
	}
}

// countCommands is the number of commands that count requests against a limit, including the
// script. The first count of a window needs one more, PEXPIRE. Counting is due at intervals. A page
// of a stored feed causes no other script.
const countCommands = 3

// cost performs an act n times and logs the average cost: commands, including commands in scripts,
// and processor time of Redis and the server.
func (s *sizing) cost(what string, n int, act func(i int)) {
	s.Helper()
	began, from := time.Now(), s.spent()
	for i := range n {
		act(i)
	}
	time.Sleep(100 * time.Millisecond) // finished tasks are removed after the response
	to, took := s.spent(), time.Since(began)
	each := func(name string) float64 { return (to[name] - from[name] - s.idle[name]*took.Seconds()) / float64(n) }
	s.Logf("%-20s %7.1f commands, %5.1f scripts, %6.0f us of Redis, %6.0f us of the server; %5.2f ms in turn", what,
		each("commands"), each("evalsha"), 1e6*each("cpu"), 1e6*each("server"), float64(took.Milliseconds()-100)/float64(n))
	least, most, c := 0.5, 5000.0, each("commands") // below one command if the subtracted background work was low during the act
	counting := countCommands*each("evalsha") + min(each("pexpire"), each("evalsha"))
	switch what {
	case "home, warm", "home, again": // the feed; everything else is cached by the server
		least, most, c = 0, 1.5, c-counting
	}
	if c < least || c > most {
		s.Errorf("%s takes %.0f commands", what, c)
	}
}

// spent returns the total cost of the masters and the server.
func (s *sizing) spent() map[string]float64 {
	s.Helper()
	out := map[string]float64{"server": s.server.processor()}
	for _, m := range s.masters {
		for line := range strings.Lines(m.Do("INFO", "commandstats") + m.Do("INFO", "cpu")) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			var calls, seconds float64
			if _, err := fmt.Sscanf(value, "calls=%f", &calls); err == nil {
				out["commands"] += calls
				out[strings.TrimPrefix(name, "cmdstat_")] += calls
			} else if name == "used_cpu_user" || name == "used_cpu_sys" {
				_, _ = fmt.Sscanf(value, "%f", &seconds)
				out["cpu"] += seconds
			}
		}
	}
	return out
}

// processor returns the processor time of a server in seconds, or 0 on systems other than Linux.
func (s *server) processor() float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64) // utime and stime in ticks of 10 ms
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}
