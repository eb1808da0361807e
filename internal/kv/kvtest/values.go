package kvtest

import (
	"math"
	"strings"
	"time"

	"linnet/internal/kv"
)

func valueTests() []subtest {
	return []subtest{
		{"AbsentIsNil", absentIsNil},
		{"AnyBytes", anyBytes},
		{"VersionsAreExact", versionsAreExact},
		{"PutReplaces", putReplaces},
		{"DataAreCopied", dataAreCopied},
		{"Delete", deleteValue},
		{"KeysAreApart", keysAreApart},
		{"Lifetime", lifetime},
		{"LifetimeIsReplaced", lifetimeIsReplaced},
		{"LifetimesShortAndLong", shortAndLong},
	}
}

func absentIsNil(e *env) {
	e.wantValue(key("v", 0, ""), "", 0)
	e.wantValue(key("v", kv.Shards-1, "a"), "", 0)
}

func anyBytes(e *env) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for i, data := range []string{"", "a", "\x00", "12", "\r\n", string(all), strings.Repeat("\xff\x00", kv.MaxValue/2)} {
		k := key("v", 3, string(rune('a'+i)))
		e.do(kv.Put{Key: k, Data: []byte(data), Version: 1})
		e.wantValue(k, data, 1)
	}
}

// versionsAreExact checks neighbouring versions, which are equal in an engine that converts a
// version to a float.
func versionsAreExact(e *env) {
	k := key("v", 3, "a")
	for _, v := range []uint64{1, 1<<53 + 1, 1<<63 - 1, 1 << 63, math.MaxUint64} {
		e.do(kv.Put{Key: k, Data: []byte("x"), Version: v})
		e.wantValue(k, "x", v)
		change := kv.Put{Key: k, Data: []byte("y"), Version: v}
		if e.txn([]kv.Cond{kv.VersionIs{Key: k, Version: v - 1}}, change) {
			e.Errorf("VersionIs %d held for a value of version %d", v-1, v)
		}
		if !e.txn([]kv.Cond{kv.VersionIs{Key: k, Version: v}}, change) {
			e.Errorf("VersionIs %d failed for a value of this version", v)
		}
	}
}

func putReplaces(e *env) {
	k := key("v", 3, "a")
	e.do(kv.Put{Key: k, Data: []byte("longer"), Version: 7})
	e.apply(kv.Put{Key: k, Data: []byte("short"), Version: 9})
	e.wantValue(k, "short", 9)
	e.do(kv.Put{Key: k, Version: 2}) // the writer chooses the version
	e.wantValue(k, "", 2)
}

func dataAreCopied(e *env) {
	k := key("v", 3, "a")
	buf := []byte("first")
	e.do(kv.Put{Key: k, Data: buf, Version: 1})
	copy(buf, "XXXXX")
	e.wantValue(k, "first", 1)

	held := &kv.Get{Key: k}
	e.read(held)
	e.do(kv.Put{Key: k, Data: []byte("other"), Version: 2})
	e.wantValue(k, "other", 2)
	if string(held.Data) != "first" {
		e.Errorf("an answer became %q when the value was replaced", held.Data)
	}
}

func deleteValue(e *env) {
	a, b := key("v", 3, "a"), key("v", 3, "b")
	e.do(kv.Put{Key: a, Data: []byte("a"), Version: 1}, kv.Put{Key: b, Data: []byte("b"), Version: 1})
	e.do(kv.Delete{Key: a}, kv.Delete{Key: key("v", 3, "never")})
	e.apply(kv.Delete{Key: a})
	e.wantValue(a, "", 0)
	e.wantValue(b, "b", 1)
	e.do(kv.Put{Key: a, Data: []byte("again"), Version: 1})
	e.wantValue(a, "again", 1)
}

// keysAreApart checks that keys are different if only their concatenations are equal.
func keysAreApart(e *env) {
	keys := []kv.Key{
		key("a", 1, "bc"), key("a", 1, "b"), key("a", 1, ""), key("a", 1, "b:c"), key("a", 1, ":b"),
		key("ab", 1, "c"), key("a.b", 1, "c"), key("a-b", 1, "c"), key("a", 11, "b"), key("a", 0, "bc"),
		key("a", 256, "bc"), key("a", 1, "bc "), key("a", 1, "ü"), key("a", 1, "\xff"),
		key("a", kv.Shards-1, "bc"), key("0", 1, "bc"),
		key(strings.Repeat("k", kv.MaxKind), 1, strings.Repeat("i", kv.MaxKeyID)),
	}
	for _, k := range keys {
		e.do(kv.Put{Key: k, Data: []byte(k.String()), Version: 1})
	}
	for _, k := range keys {
		e.wantValue(k, k.String(), 1)
	}
	for i, k := range keys {
		e.do(kv.Delete{Key: k})
		for j, o := range keys {
			if j > i {
				e.wantValue(o, o.String(), 1)
			} else {
				e.wantValue(o, "", 0)
			}
		}
	}
}

func lifetime(e *env) {
	k, long, ever := key("v", 3, "a"), key("v", 3, "long"), key("v", 3, "ever")
	e.do(
		kv.Put{Key: k, Data: []byte("x"), Version: 4, TTL: e.tick()},
		kv.Put{Key: long, Data: []byte("x"), Version: 4, TTL: time.Hour},
		kv.Put{Key: ever, Data: []byte("x"), Version: 4},
	)
	if e.caps.Advance != nil {
		e.past(e.tick() - time.Second)
		e.wantValue(k, "x", 4)
	}
	e.past(e.tick() + time.Second/10)
	e.wantValue(k, "", 0)
	e.wantValue(long, "x", 4)
	e.wantValue(ever, "x", 4)
	mark := kv.Put{Key: key("v", 3, "mark"), Version: 1}
	if e.txn([]kv.Cond{kv.Present{Key: k}}, mark) {
		e.Error("Present held for an expired value")
	}
	if e.txn([]kv.Cond{kv.VersionIs{Key: k, Version: 4}}, mark) {
		e.Error("VersionIs held for an expired value")
	}
	if !e.txn([]kv.Cond{kv.Absent(k)}, kv.Put{Key: k, Data: []byte("new"), Version: 1}) {
		e.Error("Absent failed for an expired value")
	}
	e.wantValue(k, "new", 1)
	e.past(2 * e.tick())
	e.wantValue(k, "new", 1) // the old lifetime does not apply to the new value
}

func lifetimeIsReplaced(e *env) {
	ever, longer, shorter := key("v", 3, "ever"), key("v", 3, "longer"), key("v", 3, "shorter")
	for _, k := range []kv.Key{ever, longer} {
		e.do(kv.Put{Key: k, Data: []byte("1"), Version: 1, TTL: e.tick()})
	}
	e.do(kv.Put{Key: shorter, Data: []byte("1"), Version: 1})
	e.do(
		kv.Put{Key: ever, Data: []byte("2"), Version: 2},
		kv.Put{Key: longer, Data: []byte("2"), Version: 2, TTL: time.Hour},
		kv.Put{Key: shorter, Data: []byte("2"), Version: 2, TTL: e.tick()},
	)
	e.past(e.tick() + time.Second/10)
	e.wantValue(ever, "2", 2)
	e.wantValue(longer, "2", 2)
	e.wantValue(shorter, "", 0)
}

// shortAndLong checks that the shortest and longest lifetimes are neither refused nor treated as no
// expiry.
func shortAndLong(e *env) {
	short, long := key("v", 3, "short"), key("v", 3, "long")
	e.do(
		kv.Put{Key: short, Data: []byte("x"), Version: 1, TTL: 1},
		kv.Put{Key: long, Data: []byte("x"), Version: 1, TTL: kv.MaxTTL},
	)
	e.past(50 * time.Millisecond)
	e.wantValue(short, "", 0)
	e.wantValue(long, "x", 1)
}
