package rediskv

import (
	"errors"
	"net"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
)

func TestParseURL(t *testing.T) {
	for text, want := range map[string]target{
		"redis://":                  {addrs: []string{"localhost:6379"}},
		"redis://h":                 {addrs: []string{"h:6379"}},
		"redis://h:1/3":             {addrs: []string{"h:1"}, db: 3},
		"redis://h:1?db=4":          {addrs: []string{"h:1"}, db: 4},
		"valkey://h:1,i:2,j":        {addrs: []string{"h:1", "i:2", "j:6379"}},
		"rediss://u:p%40%2F@h":      {addrs: []string{"h:6379"}, tls: true, user: "u", pass: "p@/"},
		"redis://:p@x@h:1":          {addrs: []string{"h:1"}, pass: "p@x"},
		"redis://[::1]:5,[fe80::1]": {addrs: []string{"[::1]:5", "[fe80::1]:6379"}},
		"unix:///run/a%20b.sock":    {addrs: []string{"/run/a b.sock"}, unix: true},
		"unix://u:p@/run/a.sock":    {addrs: []string{"/run/a.sock"}, unix: true, user: "u", pass: "p"},
		"unix:///run/a.sock?db=2":   {addrs: []string{"/run/a.sock"}, unix: true, db: 2},
		"redis://h:1?master=m":      {addrs: []string{"h:1"}, master: "m"},
		"redis+sentinel://a,b?master=m&sentinel_user=s&sentinel_password=q": {
			addrs: []string{"a:26379", "b:26379"}, master: "m", sentinelUser: "s", sentinelPass: "q"},
	} {
		got, err := parseURL(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "h:6379", "http://h", "redis://h:0", "redis://h:99999", "redis://h:x", "redis://h/x", "redis://h/-1", "redis://a:b:c",
		"redis://h?x=1", "redis://%zz@h", "redis://h?a=%zz", "redis+sentinel://h", "unix://relative", "unix:///a?master=m", "redis://a b",
	} {
		if got, err := parseURL(text); err == nil {
			t.Errorf("%s: got %+v, want an error", text, got)
		}
	}
}

func TestPlaceHoldsNoSecrets(t *testing.T) {
	u, err := parseURL("rediss://user:secret@h:1,i:2/3?master=m&sentinel_password=secret")
	if err != nil {
		t.Fatal(err)
	}
	if got := u.place(); got != "h:1,i:2/3 (Sentinel, master m)" {
		t.Errorf("place %q", got)
	}
}

func TestClassifyReply(t *testing.T) {
	for text, want := range map[string]error{
		"OOM command not allowed when used memory > 'maxmemory'. script: 0, on @user_script:1.": kv.ErrFull,
		"READONLY You can't write against a read only replica.":                                 kv.ErrUnavailable,
		"MISCONF Redis is configured to save RDB snapshots, but":                                kv.ErrUnavailable,
		"LOADING Redis is loading the dataset in memory":                                        kv.ErrUnavailable,
		"CLUSTERDOWN The cluster is down":                                                       kv.ErrUnavailable,
		"NOREPLICAS Not enough good replicas to write.":                                         kv.ErrUnavailable,
		"ERR max number of clients reached":                                                     kv.ErrUnavailable,
		"WRONGTYPE Operation against a key holding the wrong kind of value":                     kv.ErrRefused,
		"RANGE the counter would overflow":                                                      kv.ErrRefused,
	} {
		if err := classifyReply(text); !errors.Is(err, want) || errors.Is(err, kv.ErrUnknown) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := classifyReply("ERR unknown command"); err == nil || errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("an unknown error became %v", err)
	}
}

func TestMeterKeysAreApart(t *testing.T) {
	e := &Engine{}
	seen := map[string]string{}
	for _, key := range []string{"a", "{1}:a", "/{1}:a", "//{1}:a", "/a", "//a", "{", "/{", "/"} {
		text := e.meterKey(key)
		if other, ok := seen[text]; ok {
			t.Errorf("meters %q and %q are both %q", key, other, text)
		}
		if _, err := kv.ParseKey(text); err == nil && !isMeter(text) {
			t.Errorf("meter %q is also a key: %q", key, text)
		}
		seen[text] = key
	}
	if k := (kv.Key{Kind: "meter", Shard: 1, ID: "a"}); isMeter(k.String()) {
		t.Errorf("%v is taken for a meter", k)
	}
}

// TestFeedTail: what may happen between the two commands of a page.
func TestFeedTail(t *testing.T) {
	for _, c := range []struct {
		name, header string
		tail         []string
		want         kv.Feed
	}{
		{"warm", "w5", []string{"7", "8", "9"}, kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{9, 8}}},
		{"to its beginning", "w5", []string{"w5", "9"}, kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{9}}},
		{"empty", "w5", []string{"w5"}, kv.Feed{State: kv.Warm, Floor: 5}},
		{"filling", "ft", []string{"7", "8", "9"}, kv.Feed{State: kv.Filling}},
		{"forgotten", "w5", nil, kv.Feed{}},
		{"forgotten and begun again", "w5", []string{"ft 3", "9"}, kv.Feed{State: kv.Filling}},
		{"cut", "w5", []string{"w7", "9"}, kv.Feed{State: kv.Warm, Floor: 7, IDs: []uint64{9}}},
		{"filled", "ft", []string{"w5", "9"}, kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{9}}},
	} {
		q := &kv.Feed{Limit: 2}
		c.want.Limit = 2
		if err := feedTail(q, c.header, c.tail); err != nil || !reflect.DeepEqual(*q, c.want) {
			t.Errorf("%s: got %+v, %v; want %+v", c.name, *q, err, c.want)
		}
	}
}

func TestDurable(t *testing.T) {
	for _, c := range []struct{ info, fsync, want string }{
		{"aof_enabled:0", "always", "no append-only file"},
		{"aof_enabled:1", "always", "survives"},
		{"aof_enabled:1", "everysec", "two seconds"},
		{"aof_enabled:1", "", "unknown"},
		{"aof_enabled:1\r\nmaxmemory:1000\r\nmaxmemory_policy:allkeys-lru", "always", "evict"},
	} {
		if got := durable(c.info, c.fsync); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func FuzzParseURL(f *testing.F) {
	f.Add("redis+sentinel://u:p@[::1]:1,b/3?master=m&sentinel_user=s")
	f.Add("unix:///run/a%20b.sock?db=2")
	f.Fuzz(func(t *testing.T, text string) {
		u, err := parseURL(text)
		if err != nil {
			return
		}
		if len(u.addrs) == 0 || u.unix && len(u.addrs) != 1 {
			t.Errorf("%q: addresses %q", text, u.addrs)
		}
		for _, addr := range u.addrs {
			if _, _, err := net.SplitHostPort(addr); err != nil && !u.unix {
				t.Errorf("%q: address %q: %v", text, addr, err)
			}
		}
	})
}

// FuzzAnswers feeds what a server may send to the parsers: they refuse or
// return what is true of every answer, and never panic.
func FuzzAnswers(f *testing.F) {
	f.Add("1 data", "w12", "13 14 15")
	f.Add("18446744073709551615 ", "ftoken 9", "w3 4")
	f.Add("01 x", "w0", "9223372036854775807")
	f.Fuzz(func(t *testing.T, value, header, list string) {
		if v, data, err := parseValue([]byte(value)); err == nil {
			again := (&texts{}).value(kv.Put{Version: v, Data: data})
			if v == 0 || again != value {
				t.Errorf("value %q was read as %d %q", value, v, data)
			}
		}
		q := &kv.Feed{Limit: 5}
		if err := feedTail(q, header, strings.Fields(list)); err == nil {
			falling := slices.IsSortedFunc(q.IDs, func(a, b uint64) int {
				if a > b {
					return -1
				}
				return 1
			})
			if len(q.IDs) > 0 && (q.State != kv.Warm || !falling || q.IDs[len(q.IDs)-1] <= q.Floor) {
				t.Errorf("header %q, list %q: %+v", header, list, q)
			}
		}
		if s, err := parseScore(value); err == nil && (s > kv.MaxScore || s < -kv.MaxScore) {
			t.Errorf("score %q was read as %d", value, s)
		}
		if at, err := parseTime(strings.Fields(list)); err == nil && at.Nanosecond()%int(time.Microsecond) != 0 {
			t.Errorf("time %q was read as %v", list, at)
		}
		if w, err := parseWalk(header); err == nil && header != "" {
			if again, err := parseWalk(w.String()); err != nil || again != w {
				t.Errorf("cursor %q: %+v, then %+v, %v", header, w, again, err)
			}
		}
		infoField(list, header)
		moving(list)
	})
}
