package kv

import (
	"fmt"
	"strconv"
	"strings"
)

// Shards is the fixed number of logical shards. The shard is the hash tag in Redis, so a Redis
// Cluster can place each shard on any node.
const Shards = 1024

// Key names one record: a kind, its shard, and an id that is unique within kind and shard. Keys are
// comparable.
type Key struct {
	Kind  string // lower-case letters, digits, '.', '-'
	Shard uint16 // below Shards
	ID    string // printable, without braces; may be empty
}

// String returns the key as it appears in Redis: "kind:{shard}:id".
func (k Key) String() string {
	return string(k.Append(make([]byte, 0, len(k.Kind)+len(k.ID)+8)))
}

// Append appends the text of the key to b.
func (k Key) Append(b []byte) []byte {
	b = append(b, k.Kind...)
	b = append(b, ":{"...)
	b = strconv.AppendUint(b, uint64(k.Shard), 10)
	b = append(b, "}:"...)
	return append(b, k.ID...)
}

// ParseKey reads a key from the text that String returns.
func ParseKey(s string) (Key, error) {
	kind, rest, ok := strings.Cut(s, ":{")
	if !ok {
		return Key{}, fmt.Errorf("key %q is not of the form kind:{shard}:id", s)
	}
	num, id, ok := strings.Cut(rest, "}:")
	if !ok {
		return Key{}, fmt.Errorf("key %q is not of the form kind:{shard}:id", s)
	}
	n, err := strconv.ParseUint(num, 10, 16)
	if err != nil {
		return Key{}, fmt.Errorf("key %q: shard %q is not a number", s, num)
	}
	k := Key{Kind: kind, Shard: uint16(n), ID: id}
	return k, k.check()
}

func (k Key) check() error {
	if err := checkKind(k.Kind); err != nil {
		return err
	}
	return k.checkShard()
}

func checkKind(kind string) error {
	if kind == "" || len(kind) > MaxKind {
		return fmt.Errorf("%w: key kind %q must have 1 to %d characters", ErrRefused, kind, MaxKind)
	}
	for _, c := range []byte(kind) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' {
			return fmt.Errorf("%w: key kind %q can contain only a-z, 0-9, '.' and '-'", ErrRefused, kind)
		}
	}
	return nil
}

// checkShard checks shard and id.
func (k Key) checkShard() error {
	if k.Shard >= Shards {
		return fmt.Errorf("%w: shard %d of key %q must be below %d", ErrRefused, k.Shard, k.Kind, Shards)
	}
	if len(k.ID) > MaxKeyID {
		return fmt.Errorf("%w: key ID of %d bytes in %q exceeds the limit of %d", ErrRefused, len(k.ID), k.Kind, MaxKeyID)
	}
	for _, c := range []byte(k.ID) {
		if '0' <= c && c <= '9' { // the usual case
			continue
		}
		if c < ' ' || c == 0x7f || c == '{' || c == '}' {
			return fmt.Errorf("%w: key ID %q contains a control character or a brace", ErrRefused, k.ID)
		}
	}
	return nil
}
