package rediskv_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// TestOpenOfAFullRedis checks that an existing store can be opened and read when no write is
// possible.
func TestOpenOfAFullRedis(t *testing.T) {
	s := redistest.Start(t)
	opt := rediskv.Options{Guard: true, Timeout: time.Minute, DialTimeout: time.Minute}
	mustTxn(t, open(t, s.URL(), opt), nil, put("a", 1))
	s.Do("CONFIG", "SET", "maxmemory", "1")
	e := open(t, s.URL(), opt)
	q := &kv.Get{Key: put("a", 1).Key}
	if err := e.Read(t.Context(), q); err != nil || q.Version != 1 {
		t.Errorf("version %d, %v", q.Version, err)
	}
	if _, err := e.Txn(t.Context(), nil, put("a", 2)); !errors.Is(err, kv.ErrFull) {
		t.Errorf("a write: %v", err)
	}
}

// TestDenied checks that a refused user is distinguished from a missing server, and that the rights
// in docs/admin/redis.md are sufficient.
func TestDenied(t *testing.T) {
	s := redistest.Start(t)
	rights := []string{"+@read", "+@write", "+@scripting", "+@pubsub", "+@connection", "+@transaction", "+time", "+info", "+wait", "+config|get"}
	user := func(name string, more ...string) {
		s.Do(append([]string{"ACL", "SETUSER", name, "on", ">pw", "~*", "&*"}, append(rights, more...)...)...)
	}
	user("enough")
	user("few", "-client|tracking")
	at := func(who string) string {
		scheme, place, _ := strings.Cut(s.URL(), "://")
		return scheme + "://" + who + "@" + place
	}
	opt := rediskv.Options{Guard: true, Timeout: time.Minute, DialTimeout: time.Minute}
	if _, err := rediskv.Open(t.Context(), at("enough:wrong"), opt); !errors.Is(err, rediskv.ErrDenied) || !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("a wrong password: %v", err)
	}
	e := open(t, at("few:pw"), opt)
	if err := e.Track(t.Context(), []string{"v"}, func([]kv.Key, bool) {}); !errors.Is(err, rediskv.ErrDenied) || strings.Contains(err.Error(), "ClientOption") {
		t.Errorf("without the right to track: %v", err)
	}
	e = open(t, at("enough:pw"), opt)
	if err := e.Track(t.Context(), []string{"v"}, func([]kv.Key, bool) {}); err != nil {
		t.Error(err)
	}
	mustTxn(t, e, nil, put("a", 1))
}
