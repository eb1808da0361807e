package admin_test

import (
	"testing"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
)

// TestDigestTellsStoresApart checks that the digest is the same for a copy and changes with a post.
// The digest of one shard is the same whether it is computed alone or with the others.
func TestDigestTellsStoresApart(t *testing.T) {
	e := memkv.New(memkv.Options{})
	v := newVillage(t, e)
	v.drain()
	v.stop()
	digest := func(shard int) *admin.Digest {
		d, err := admin.DigestOf(t.Context(), e, admin.DigestOptions{Shard: shard})
		v.must(err)
		return d
	}
	whole := digest(-1)
	twin, err := admin.DigestOf(t.Context(), e.Clone(), admin.DigestOptions{Shard: -1})
	v.must(err)
	if whole.Digest != twin.Digest || whole.Entries == 0 {
		t.Errorf("the digest of %d entries is %s, that of the same %s", whole.Entries, whole.Digest, twin.Digest)
	}
	part := whole.Shards[len(whole.Shards)/2]
	if one := digest(part.Shard); one.Digest != part.Digest || one.Entries != part.Entries {
		t.Errorf("shard %d has %s with the others and %s by itself", part.Shard, part.Digest, one.Digest)
	}
	key := kv.Key{Kind: "tally", Shard: uint16(part.Shard), ID: "1"}
	if _, err := e.Txn(t.Context(), nil, kv.Incr{Key: key, Name: "replies", By: 1}); err != nil {
		t.Fatal(err)
	}
	after := digest(-1)
	if after.Digest == whole.Digest || after.Entries != whole.Entries+1 {
		t.Errorf("one counter more leaves the digest of %d entries at that of %d", after.Entries, whole.Entries)
	}
	if one := digest(part.Shard); one.Digest == part.Digest {
		t.Error("nor does it show in that of the shard")
	}
}
