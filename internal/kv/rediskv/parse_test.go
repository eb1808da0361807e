package rediskv

import (
	"errors"
	"net"
	"reflect"
	"slices"
	"strconv"
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
	if got := u.location(); got != "h:1,i:2/3 (Sentinel, master m)" {
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

// TestFeedWindow checks the results from the last five elements of a list.
func TestFeedWindow(t *testing.T) {
	partly := errPartly.Error()
	for _, c := range []struct {
		name, list, fails string
		want              kv.Feed
	}{
		{"in order", "7 8 9 w5 10", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{10, 9}}},
		{"all before the mark", "7 8 9 10 w5", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{10, 9}}},
		{"one before the mark", "7 w5 9 10 11", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{11, 10}}},
		{"to its beginning", "w5 w5 9", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{9}}},
		{"the beginning in sight", "w5 8 9 w5 7", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{9, 8}}},
		{"never tidied", "w5 9", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{9}}},
		{"empty", "w5", "", kv.Feed{State: kv.Warm, Floor: 5}},
		{"emptied", "w5 w5", "", kv.Feed{State: kv.Warm, Floor: 5}},
		{"late", "7 9 w5 10 8", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{10, 9}}},
		{"repeated", "7 8 w5 9 9", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{9, 8}}},
		{"below the floor", "7 8 w5 9 4", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{9, 8}}},
		{"too late to tell", "8 w5 9 7 6", "", kv.Feed{State: kv.Warm, Floor: 5, IDs: []uint64{9, 8}}},
		{"too many too late to tell", "8 w5 7 6 6", partly, kv.Feed{}},
		{"nothing in order in sight", "w5 7 8 9 10", partly, kv.Feed{}},
		{"no mark in sight", "6 7 8 9 10", partly, kv.Feed{}},
		{"filling", "ft 7 8 9", "", kv.Feed{State: kv.Filling}},
		{"filling, cut before", "ft", "", kv.Feed{State: kv.Filling}},
		{"filling, perhaps", "ft 6 7 8 9", partly, kv.Feed{}},
		{"no list of ours", "7 8", "unexpected data in Redis", kv.Feed{}},
		{"no id of ours", "7 w5 +8", "unexpected data in Redis", kv.Feed{}},
	} {
		q := &kv.Feed{Limit: 2}
		c.want.Limit = 2
		err := feedWindow(q, strings.Fields(c.list), 5)
		if c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) || c.fails == "" && err != nil {
			t.Errorf("%s: error %v, want %q", c.name, err, c.fails)
		}
		if err == nil && !reflect.DeepEqual(*q, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, *q, c.want)
		}
	}
}

func TestDurable(t *testing.T) {
	for _, c := range []struct{ info, fsync, want string }{
		{"aof_enabled:0", "always", "no append-only file"},
		{"aof_enabled:1", "always", "survive"},
		{"aof_enabled:1", "everysec", "two seconds"},
		{"aof_enabled:1", "", "unknown"},
		{"aof_enabled:1\r\nmaxmemory:1000\r\nmaxmemory_policy:allkeys-lru", "always", "evict"},
	} {
		if got := durable(c.info, c.fsync); !strings.Contains(got.String(), c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestRisks checks that each risk of losing records is reported with its remedy, and nothing else.
func TestRisks(t *testing.T) {
	for _, c := range []struct {
		info  string
		grave bool
		want  []string
	}{
		{"aof_enabled:1\r\nmaxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\naof_last_write_status:ok\r\nrdb_last_bgsave_status:ok", false, nil},
		{"aof_enabled:1\r\nmaxmemory:1000\r\nmaxmemory_policy:noeviction\r\nused_memory:500", false, nil},
		{"aof_enabled:1\r\nmaxmemory:1000\r\nmaxmemory_policy:noeviction\r\nused_memory:900", false, []string{"90% of maxmemory"}},
		{"aof_enabled:1\r\nmaxmemory:1000\r\nmaxmemory_policy:volatile-ttl", true, []string{"maxmemory-policy is volatile-ttl"}},
		{"aof_enabled:0\r\nrdb_last_bgsave_status:err", true, []string{"couldn't write its snapshot", "no append-only file"}},
		{"aof_enabled:1\r\naof_last_write_status:err", true, []string{"couldn't write to its append-only file"}},
		{"", false, nil}, // unknown
	} {
		got := risks(c.info)
		same := len(got) == len(c.want)
		for i := range got {
			same = same && strings.Contains(got[i].Text.String(), c.want[i]) && got[i].Grave == c.grave && got[i].Remedy.String() != ""
		}
		if !same {
			t.Errorf("%q: %+v", c.info, got)
		}
	}
}

func TestWasteful(t *testing.T) {
	for _, c := range []struct {
		entries, value, list string
		want                 []string
	}{
		{"128", "64", "-2", []string{"zset-max-listpack-entries 700"}},
		{"700", "64", "-2", nil},
		{"1000", "20", "-5", nil},
		{"0", "8", "-1", []string{"zset-max-listpack-entries 700", "zset-max-listpack-value 20", "list-max-listpack-size -2"}},
		{"", "", "", nil}, // unknown
	} {
		got := wasteful(map[string]string{compactEntries: c.entries, compactValue: c.value, compactList: c.list})
		same := len(got) == len(c.want)
		for i := range got {
			same = same && strings.Contains(got[i].Remedy.String(), "CONFIG SET "+c.want[i])
		}
		if !same {
			t.Errorf("%+v: %+v", c, got)
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

// FuzzAnswers passes possible answers of a server to the parsers. They return an error or a valid
// result, and never panic.
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
		elements := strings.Fields(list)
		for _, read := range []func() error{
			func() error { return feedPage(q, header, elements) },
			func() error { return feedWindow(q, elements, 9) },
		} {
			if len(elements) == 0 || read() != nil {
				continue
			}
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
func TestParseID(t *testing.T) {
	for _, want := range []uint64{1, 10, 117660156420816896, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		if got, err := parseID(strconv.FormatUint(want, 10)); got != want || err != nil {
			t.Errorf("%d was read as %d, %v", want, got, err)
		}
	}
	for _, text := range []string{"", "0", "01", "+1", "-1", " 1", "1 ", "1.0", "1e3", "12a", "1:2", "1/2", "w0",
		"18446744073709551616", "18446744073709551625", "99999999999999999999", "100000000000000000000"} {
		if got, err := parseID(text); err == nil {
			t.Errorf("%q was read as %d", text, got)
		}
	}
}
