package admin

import (
	"context"
	"fmt"
	"io"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// DigestOptions adjust a digest.
type DigestOptions struct {
	Shard    int    // the only shard to include; -1 for all
	Dir      string // for temporary data of a Redis copy
	Progress *Progress
}

// Digest summarizes the content of a store. Stores with equal digests have equal records, whatever
// their engines. It ignores caches and values that expire.
type Digest struct {
	Moment  time.Time     `json:"moment"` // time of the copy
	Digest  string        `json:"digest"`
	Entries int64         `json:"entries"`
	Shards  []ShardDigest `json:"shards"` // shards with entries
	Seconds float64       `json:"seconds"`
}

// ShardDigest is the digest of one shard.
type ShardDigest struct {
	Shard   int    `json:"shard"`
	Digest  string `json:"digest"`
	Entries int64  `json:"entries"`
}

// DigestOf computes the digest of a store at one point in time, while the store is in use.
func DigestOf(ctx context.Context, e kv.Engine, opt DigestOptions) (*Digest, error) {
	began := time.Now()
	c, err := copyOf(ctx, e, opt.Dir, opt.Progress)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	first, last := 0, kv.Shards-1
	if opt.Shard >= 0 {
		first, last = opt.Shard, opt.Shard
	}
	out, sum := &Digest{Moment: c.Moment().UTC(), Shards: []ShardDigest{}}, kv.Digest{}
	opt.Progress.start("shards", int64(last-first+1))
	for shard := first; shard <= last; shard++ {
		var d kv.Digest
		n := int64(0)
		err := c.Shard(ctx, uint16(shard), func(x *kv.Entry) error {
			d.Add(x)
			n++
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("compute the digest: %w", err)
		}
		if sum.AddAll(&d); n > 0 {
			out.Shards = append(out.Shards, ShardDigest{shard, d.String(), n})
		}
		out.Entries += n
		opt.Progress.add(1)
	}
	opt.Progress.end()
	out.Digest, out.Seconds = sum.String(), time.Since(began).Seconds()
	return out, nil
}

// copyOf starts a copy for a backup or digest.
func copyOf(ctx context.Context, e kv.Engine, dir string, p *Progress) (kv.Copy, error) {
	p.start("reading keys", 0)
	c, err := e.Copy(ctx, kv.CopyOptions{Kinds: record.BackupKinds(), Dir: dir, Read: p.add})
	if err != nil {
		return nil, fmt.Errorf("read a snapshot of the store: %w", err)
	}
	return c, nil
}

// Print writes the digest for people.
func (d *Digest) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\nof %s entries in %s shards at %s, read in %.1f s\n",
		d.Digest, group(d.Entries), group(int64(len(d.Shards))), d.Moment.Format(time.RFC3339), d.Seconds)
	return err
}
