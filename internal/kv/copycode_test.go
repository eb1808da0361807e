package kv_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"time"

	"linnet/internal/kv"
)

func someEntries() []kv.Entry {
	user, set, counts := kv.Key{Kind: "user", Shard: 3, ID: "7"}, kv.Key{Kind: "users", Shard: 1023}, kv.Key{Kind: "counts", ID: "ü"}
	return []kv.Entry{
		{Key: user, Shape: kv.ValueShape, Data: []byte("{}"), Version: 1},
		{Key: user, Shape: kv.ValueShape, Data: []byte{}, Version: 1 << 60, Until: time.UnixMilli(1_800_000_000_123)},
		{Key: set, Shape: kv.SetShape, Name: "\x00\xff", Number: -kv.MaxScore},
		{Key: set, Shape: kv.SetShape, Name: "b", Number: kv.MaxScore},
		{Key: counts, Shape: kv.CounterShape, Name: "x", Number: -1},
	}
}

func encoded(entries []kv.Entry) (b []byte) {
	var last *kv.Entry
	for i := range entries {
		b = kv.AppendEntry(b, last, &entries[i])
		last = &entries[i]
	}
	return b
}

func TestEntriesAreReadAsTheyWereWritten(t *testing.T) {
	var got []kv.Entry
	err := kv.Entries(encoded(someEntries()), func(e *kv.Entry) error {
		x := *e
		if e.Shape == kv.ValueShape {
			x.Data = append([]byte{}, e.Data...)
		}
		got = append(got, x)
		return nil
	})
	if err != nil || !reflect.DeepEqual(got, someEntries()) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestFormOfEntriesStays checks the encoding, because backups of earlier releases consist of it.
func TestFormOfEntriesStays(t *testing.T) {
	want := []byte("\x81\x04user\x03\x017\x01\x00\x02{}\x82\x06counts\x00\x02ü\x01x\x01\x02\x01y\x04")
	counts := kv.Key{Kind: "counts", ID: "ü"}
	got := encoded([]kv.Entry{{Key: kv.Key{Kind: "user", Shard: 3, ID: "7"}, Shape: kv.ValueShape, Data: []byte("{}"), Version: 1},
		{Key: counts, Shape: kv.CounterShape, Name: "x", Number: -1}, {Key: counts, Shape: kv.CounterShape, Name: "y", Number: 2}})
	if !bytes.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDigestOfEntries checks that a digest depends on everything but the order and values that
// expire.
func TestDigestOfEntries(t *testing.T) {
	var there, back kv.Digest
	all := someEntries()
	for i := range all {
		there.Add(&all[i])
		back.Add(&all[len(all)-1-i])
	}
	if !there.Equal(&back) || len(there.String()) != 64 {
		t.Errorf("%v and %v", &there, &back)
	}
	if again, err := kv.ParseDigest(there.String()); err != nil || !again.Equal(&there) {
		t.Errorf("read again: %v, %v", again, err)
	}
	for _, change := range []func(*kv.Entry){
		func(e *kv.Entry) { e.Key.Kind = "counts2" }, func(e *kv.Entry) { e.Key.Shard++ }, func(e *kv.Entry) { e.Key.ID += "x" },
		func(e *kv.Entry) { e.Name += "x" }, func(e *kv.Entry) { e.Number++ }, func(e *kv.Entry) { e.Shape = kv.SetShape },
	} {
		var other kv.Digest
		for i := range all {
			x := all[i]
			if i == len(all)-1 {
				change(&x)
			}
			other.Add(&x)
		}
		if other.Equal(&there) {
			t.Error("a change does not show in the digest")
		}
	}
	var ending kv.Digest
	if ending.Add(&all[1]); !ending.Equal(&kv.Digest{}) {
		t.Error("a value that ends is in the digest")
	}
}

// FuzzEntries checks that decoding never panics, and that decoded entries encode to bytes with the
// same meaning.
func FuzzEntries(f *testing.F) {
	f.Add(encoded(someEntries()))
	f.Add([]byte("\x81\x04user\x03\x017\x01\x00\x02{"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var again []byte
		var last *kv.Entry
		err := kv.Entries(b, func(e *kv.Entry) error {
			again = kv.AppendEntry(again, last, e)
			x := *e
			last = &x
			return nil
		})
		if err != nil {
			if !errors.Is(err, kv.ErrEntries) {
				t.Errorf("error %v", err)
			}
			return
		}
		var third []byte
		last = nil
		if err := kv.Entries(again, func(e *kv.Entry) error {
			third = kv.AppendEntry(third, last, e)
			x := *e
			last = &x
			return nil
		}); err != nil || !bytes.Equal(again, third) {
			t.Errorf("read again: %v", err)
		}
	})
}
