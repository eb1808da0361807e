package admin

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"linnet/internal/admin/backup"
	"linnet/internal/audit"
	"linnet/internal/kv"
	"linnet/internal/wording"
)

// Lack has the files that the store's records refer to but the backup doesn't have, for example
// because a disk isn't mounted.
type Lack struct {
	Files    int64    `json:"files"`
	Named    []string `json:"named"` // one or two of them
	Location string   `json:"place"` // location that was searched
}

// Message returns a description for people.
func (l *Lack) Message() wording.Message {
	return wording.Messagef("%s is missing %d files that the store refers to, such as %s. The backup doesn't contain these files", l.Location, l.Files, strings.Join(l.Named, ", "))
}

func (l *Lack) Error() string { return l.Message().String() }

const (
	lackLooks = 3 // attempts to confirm missing files, because a file is deleted before the record that refers to it
	lackPause = 300 * time.Millisecond
	lackNames = 2
)

// naming is a copy that collects the files in its records that are missing from the backup.
type naming struct {
	kv.Copy
	to      *backup.Writer
	lacking map[string]kv.Key // records that refer to the files, by file name
}

// Shard implements kv.Copy.
func (n *naming) Shard(ctx context.Context, shard uint16, each func(*kv.Entry) error) error {
	now := n.Moment()
	return n.Copy.Shard(ctx, shard, func(x *kv.Entry) error {
		if x.Shape == kv.ValueShape {
			for _, name := range audit.NeededFiles(&kv.Get{Key: x.Key, Data: x.Data, Version: x.Version}, now) {
				if name != "" && !n.to.Has(name) {
					n.lacking[strings.Clone(name)] = x.Key
				}
			}
		}
		return each(x)
	})
}

// lack returns the files that are really missing: not in the backup, which includes new files, and
// still in the store's records. It returns nil for none. It doesn't check individual files that the
// second walk didn't find, because with a wrong bucket these are all files.
func (n *naming) lack(ctx context.Context, from Source) (*Lack, error) {
	maps.DeleteFunc(n.lacking, func(name string, _ kv.Key) bool { return n.to.Has(name) })
	var err error
	for look := range lackLooks {
		if len(n.lacking) == 0 {
			return nil, nil
		}
		if look > 0 {
			if err := pause(ctx, lackPause); err != nil {
				return nil, err
			}
		}
		err = n.again(ctx, from.Engine) // the next attempt repeats it
	}
	if err != nil || len(n.lacking) == 0 {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(n.lacking))
	return &Lack{Files: int64(len(names)), Named: names[:min(len(names), lackNames)], Location: from.Files.Where()}, nil
}

// again removes files that the store's records no longer refer to.
func (n *naming) again(ctx context.Context, e kv.Engine) error {
	now, err := e.Now(ctx)
	if err != nil {
		return fmt.Errorf("read the clock of the store: %w", err)
	}
	for part := range slices.Chunk(slices.Sorted(maps.Keys(n.lacking)), checkBatch) {
		var gets []*kv.Get
		var qs []kv.Query
		for _, name := range part {
			get := &kv.Get{Key: n.lacking[name]}
			gets, qs = append(gets, get), append(qs, get)
		}
		if err := e.Read(ctx, qs...); err != nil {
			return fmt.Errorf("reread the records that refer to files: %w", err)
		}
		for i, name := range part {
			if gets[i].Version == 0 || !slices.Contains(audit.NeededFiles(gets[i], now), name) {
				delete(n.lacking, name)
			}
		}
	}
	return nil
}
