package memkv

import (
	"fmt"
	"time"

	"linnet/internal/kv"
)

// value is never changed in place, because Read returns its data.
type value struct {
	data    []byte
	version uint64
	until   time.Time // zero for no expiry
}

type counters map[string]int64

// get returns the record of k if it exists.
func get[T any](e *Engine, k kv.Key) (T, bool) {
	var none T
	rec, ok := e.recs[k]
	if !ok {
		return none, false
	}
	if e.expired(rec) {
		delete(e.recs, k)
		return none, false
	}
	t, ok := rec.(T)
	if !ok {
		panic(fmt.Sprintf("memkv: key %v has type %T but is used as %T", k, rec, none))
	}
	return t, true
}

func (e *Engine) expired(rec any) bool {
	var until time.Time
	switch r := rec.(type) {
	case *value:
		until = r.until
	case *feed:
		until = r.until
	}
	return !until.IsZero() && !e.now().Before(until)
}

func (e *Engine) holds(c kv.Cond) bool {
	switch c := c.(type) {
	case kv.VersionIs:
		v, ok := get[*value](e, c.Key)
		if !ok {
			return c.Version == 0
		}
		return v.version == c.Version
	case kv.Present:
		_, ok := get[*value](e, c.Key)
		return ok
	case kv.HasMember:
		s, _ := get[*set](e, c.Key)
		_, ok := s.score(c.Member)
		return ok
	case kv.NoMember:
		s, _ := get[*set](e, c.Key)
		_, ok := s.score(c.Member)
		return !ok
	case kv.ScoreIs:
		s, _ := get[*set](e, c.Key)
		score, ok := s.score(c.Member)
		return ok && score == c.Score
	case kv.AllBelow:
		s, _ := get[*set](e, c.Key)
		return len(s.page(&kv.Range{Above: &kv.Member{Score: c.Score}, Limit: 1})) == 0
	case kv.CounterBelow:
		n, _ := get[counters](e, c.Key)
		return n[c.Name] < c.Limit
	}
	panic(fmt.Sprintf("memkv: unknown condition %T", c))
}

// make performs a change that was checked. It cannot fail.
func (e *Engine) make(c kv.Op) {
	k := kv.KeyOfOp(c)
	switch c := c.(type) {
	case kv.Put:
		get[*value](e, k) // panics on another shape
		v := &value{data: append([]byte{}, c.Data...), version: c.Version}
		if c.TTL > 0 {
			v.until = e.now().Add(c.TTL)
		}
		e.recs[k] = v
	case kv.Delete:
		delete(e.recs, k)
	case kv.Incr:
		n, ok := get[counters](e, k)
		if !ok {
			n = counters{}
			e.recs[k] = n
		}
		n[c.Name] += c.By
	case kv.Add, kv.Remove, kv.Trim:
		s, ok := get[*set](e, k)
		if !ok {
			s = &set{scores: map[string]int64{}}
			e.recs[k] = s
		}
		if s.change(c); len(s.order) == 0 {
			delete(e.recs, k)
		}
	case kv.Fill:
		f, ok := get[*feed](e, k)
		if !ok {
			f = &feed{token: c.Token}
			e.recs[k] = f
		}
		if f.token != "" {
			f.token, f.until = c.Token, e.now().Add(c.TTL)
		}
	case *kv.Push, kv.Pull, kv.Merge, kv.Filled:
		if f, ok := get[*feed](e, k); ok {
			f.change(c)
		}
	default:
		panic(fmt.Sprintf("memkv: unknown change %T", c))
	}
}
