package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/task"
)

// RestoreOptions adjust a restore.
type RestoreOptions struct {
	From       backup.Target
	Name       string            // name of the backup; "" for the newest
	Identities backup.Identities // decrypt the backup if it is encrypted
	Scratch    string            // directory for one temporary media file
	Progress   *Progress
}

var (
	// ErrNotEmpty is returned if a store has other data than opening it or an earlier restore of
	// the same backup creates.
	ErrNotEmpty = errors.New("the target store is not empty: use a new data directory, an empty Redis, or another Redis prefix")
	// ErrServed is returned if servers use the store, because they would continue with cached data.
	ErrServed = errors.New("servers are using the store: stop them and run the restore again")
	// ErrOtherRestore is returned if the restore of another backup into the store was interrupted.
	ErrOtherRestore = errors.New("the restore of another backup into this store was interrupted: run that restore again, or use an empty store")
)

// Restore fills an empty store of any engine, and files (nil for none), from a backup. It deletes
// records that opening or inspecting a store creates, because operators may inspect a store before
// the restore. No server starts on the store during the restore. An interrupted restore continues
// when it is run again. At the end it compares the digests.
func Restore(ctx context.Context, e kv.Engine, files blob.Store, opt RestoreOptions) (*BackupReport, error) {
	began := time.Now()
	r, err := openBackup(ctx, opt)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if missing, err := r.Missing(ctx); err != nil || len(missing) > 0 {
		return nil, errors.Join(err, missingFault(missing))
	}
	into := &restoring{e: e, from: r, opt: opt}
	if err := into.begin(ctx); err != nil {
		return nil, err
	}
	if into.state.Shards == 0 && !into.done { // otherwise it was read from the backup
		if err := into.clear(ctx); err != nil {
			return nil, err
		}
	}
	if err := into.shards(ctx); err != nil {
		return nil, err
	}
	if err := into.files(ctx, files); err != nil {
		return nil, err
	}
	if err := into.compare(ctx); err != nil {
		if into.done {
			return nil, fmt.Errorf("%w (this backup was already restored, but the store has changed since then)", ErrNotEmpty)
		}
		return nil, err
	}
	if into.done {
		return reportOf(opt.From, r.Manifest, began), nil
	}
	return reportOf(opt.From, r.Manifest, began), into.end(ctx)
}

// Restorable returns the error of Restore if there is no readable backup. It writes nothing.
func Restorable(ctx context.Context, opt RestoreOptions) error {
	r, err := openBackup(ctx, opt)
	if err != nil {
		return err
	}
	r.Close()
	return nil
}

func openBackup(ctx context.Context, opt RestoreOptions) (*backup.Reader, error) {
	p, err := backup.Open(ctx, opt.From, opt.Identities)
	if err != nil {
		return nil, err
	}
	r, err := p.NewReader(ctx, opt.Name)
	if err != nil {
		return nil, err
	}
	if r.Schema > record.Format {
		r.Close()
		return nil, fmt.Errorf("the records of the backup have format %d, but this version reads formats up to %d: %w", r.Schema, record.Format, backup.ErrNewer)
	}
	return r, nil
}

func missingFault(missing []string) error {
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%w: missing %s", backup.ErrDamaged, strings.Join(missing, ", "))
}

// restoring is a running restore.
type restoring struct {
	e     kv.Engine
	from  *backup.Reader
	opt   RestoreOptions
	state record.Restoring
	at    uint64 // version of the state
	done  bool   // an earlier run has restored everything
}

// begin marks the store, or reads the progress of an earlier run.
func (r *restoring) begin(ctx context.Context) error {
	get, name := &kv.Get{Key: record.RestoringKey()}, r.from.Name()+" "+r.from.Digest
	if err := r.e.Read(ctx, get); err != nil {
		return fmt.Errorf("read the store: %w", err)
	}
	if get.Version > 0 {
		if err := record.Decode(get, &r.state); err != nil {
			return err
		}
		if r.at = get.Version; r.state.Backup != name {
			return fmt.Errorf("%w (interrupted: %s)", ErrOtherRestore, r.state.Backup)
		}
		return nil
	}
	if err := r.checkUnused(ctx); err != nil {
		return r.restored(ctx, name, err)
	}
	r.state.Backup = name
	return r.note(ctx)
}

// restored returns nil if the same backup was already restored into the store, because the command
// may have been killed just after the end. Otherwise it returns cause.
func (r *restoring) restored(ctx context.Context, name string, cause error) error {
	if !errors.Is(cause, ErrNotEmpty) {
		return cause
	}
	get := &kv.Get{Key: record.RestoredKey()}
	if err := r.e.Read(ctx, get); err != nil {
		return fmt.Errorf("read the store: %w", err)
	}
	var last record.Restoring
	if get.Version == 0 || record.Decode(get, &last) != nil || last.Backup != name {
		return cause
	}
	r.state, r.done = last, true
	return r.unserved(ctx)
}

// checkUnused returns an error if servers use the store, or if it has other records than a store
// that was only opened.
func (r *restoring) checkUnused(ctx context.Context) error {
	err := r.eachKey(ctx, func(keys []kv.Key) error {
		for _, k := range keys {
			if !record.MadeByOpening(k) {
				return ErrNotEmpty
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.unserved(ctx)
}

// unserved returns an error if servers use the store. It waits for the record of a killed server or
// finished command to expire.
func (r *restoring) unserved(ctx context.Context) error {
	for end := time.Now().Add(restoreServed); ; {
		now, err := r.e.Now(ctx)
		if err != nil {
			return fmt.Errorf("read the clock of the store: %w", err)
		}
		servers, err := task.ServersOf(ctx, r.e, now)
		if err != nil || len(servers) == 0 {
			return err
		}
		if time.Now().After(end) {
			var names []string
			for _, s := range servers {
				names = append(names, s.Name)
			}
			return fmt.Errorf("%w: %s", ErrServed, strings.Join(names, ", "))
		}
		if err := pause(ctx, restorePause); err != nil {
			return err
		}
	}
}

// clear deletes the records that opening the store has created, since the backup may not have them.
// No server starts meanwhile, because the restore is recorded, and an interrupted clear is
// repeated.
func (r *restoring) clear(ctx context.Context) error {
	return r.eachKey(ctx, func(keys []kv.Key) error {
		var ops []kv.Op
		for _, k := range keys {
			if record.MadeByOpening(k) {
				ops = append(ops, kv.Delete{Key: k})
			}
		}
		if len(ops) == 0 {
			return nil
		}
		return persist(ctx, func() error { return r.e.Apply(ctx, ops...) })
	})
}

// eachKey calls do with the keys of the store.
func (r *restoring) eachKey(ctx context.Context, do func([]kv.Key) error) error {
	for cursor, first := "", true; first || cursor != ""; first = false {
		keys, next, err := r.e.Keys(ctx, cursor)
		if err != nil {
			return fmt.Errorf("read the store: %w", err)
		}
		if err := do(keys); err != nil {
			return err
		}
		cursor = next
	}
	return nil
}

// note records the progress of the restore.
func (r *restoring) note(ctx context.Context) error {
	r.at++
	_, err := r.e.Txn(ctx, nil, kv.Put{Key: record.RestoringKey(), Data: record.Encode(r.state), Version: r.at})
	if err != nil {
		return fmt.Errorf("save the progress of the restore: %w", err)
	}
	return nil
}

// end lets servers use the store.
func (r *restoring) end(ctx context.Context) error {
	restored := kv.Put{Key: record.RestoredKey(), Data: record.Encode(r.state), Version: r.at}
	if _, err := r.e.Txn(ctx, nil, kv.Delete{Key: record.RestoringKey()}, restored); err != nil {
		return fmt.Errorf("mark the restore as complete: %w", err)
	}
	return nil
}

const (
	restoreBlock   = 32 // shards between progress records
	restoreWorkers = 4  // concurrent shards
	restoreOps     = 1000
	restoreBytes   = 1 << 20
	restoreTries   = 6
	restorePause   = 100 * time.Millisecond
	restoreServed  = 5 * time.Second // longer than the record of a stopped server lasts
)

func (r *restoring) shards(ctx context.Context) error {
	now, err := r.e.Now(ctx)
	if err != nil {
		return fmt.Errorf("read the clock of the store: %w", err)
	}
	r.opt.Progress.start("shards", int64(kv.Shards-r.state.Shards))
	for first := r.state.Shards; first < kv.Shards; first += restoreBlock {
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(restoreWorkers)
		for shard := first; shard < first+restoreBlock; shard++ {
			g.Go(func() error {
				s := shardRestore{e: r.e, now: now}
				if err := r.from.Entries(ctx, uint16(shard), func(x *kv.Entry) error { return s.take(ctx, x) }); err != nil {
					return fmt.Errorf("restore shard %d: %w", shard, err)
				}
				if err := s.flush(ctx); err != nil {
					return fmt.Errorf("restore shard %d: %w", shard, err)
				}
				r.opt.Progress.add(1)
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		r.state.Shards = first + restoreBlock
		if err := r.note(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
	r.opt.Progress.end()
	return nil
}

// shardRestore writes the entries of a shard. All its writes can be repeated.
type shardRestore struct {
	e     kv.Engine
	now   time.Time
	ops   []kv.Op
	bytes int
	sums  []kv.Op // counters of one key
}

// take takes an entry, which is written at the latest by flush.
func (s *shardRestore) take(ctx context.Context, x *kv.Entry) error {
	if len(s.sums) > 0 && (x.Shape != kv.CounterShape || kv.KeyOfOp(s.sums[0]) != x.Key) {
		if err := s.count(ctx); err != nil {
			return err
		}
	}
	switch x.Shape {
	case kv.CounterShape:
		s.sums = append(s.sums, kv.Incr{Key: x.Key, Name: x.Name, By: x.Number})
		return nil
	case kv.SetShape:
		s.ops = append(s.ops, kv.Add{Key: x.Key, Member: x.Name, Score: x.Number})
	case kv.ValueShape:
		put := kv.Put{Key: x.Key, Data: slices.Clone(x.Data), Version: x.Version}
		if !x.Until.IsZero() {
			if put.TTL = x.Until.Sub(s.now); put.TTL <= 0 {
				return nil // expired in the meantime
			}
		}
		s.ops = append(s.ops, put)
	}
	if s.bytes += len(x.Data) + len(x.Name) + len(x.Key.ID); len(s.ops) >= restoreOps || s.bytes >= restoreBytes {
		return s.apply(ctx)
	}
	return nil
}

func (s *shardRestore) flush(ctx context.Context) error {
	if err := s.count(ctx); err != nil {
		return err
	}
	return s.apply(ctx)
}

// apply writes values and members. It doesn't wait for the disk, because the later record of the
// finished shard does.
func (s *shardRestore) apply(ctx context.Context) error {
	if len(s.ops) == 0 {
		return nil
	}
	err := persist(ctx, func() error { return s.e.Apply(kv.Relaxed(ctx), s.ops...) })
	s.ops, s.bytes = s.ops[:0], 0
	return err
}

// count writes the counters of a key. It resets them first, since an interrupted run may have
// written them.
func (s *shardRestore) count(ctx context.Context) error {
	if len(s.sums) == 0 {
		return nil
	}
	err := persist(ctx, func() error {
		begin := []kv.Op{kv.Delete{Key: kv.KeyOfOp(s.sums[0])}}
		for part := range slices.Chunk(s.sums, kv.MaxChanges-1) {
			if _, err := s.e.Txn(kv.Relaxed(ctx), nil, append(begin, part...)...); err != nil {
				return err
			}
			begin = nil
		}
		return nil
	})
	s.sums = s.sums[:0]
	return err
}

// persist retries when the store is busy.
func persist(ctx context.Context, do func() error) error {
	var err error
	for try := range restoreTries {
		if err = do(); !errors.Is(err, kv.ErrUnavailable) && !errors.Is(err, kv.ErrUnknown) {
			return err
		}
		select {
		case <-time.After(restorePause << try):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

// files restores the missing media files.
func (r *restoring) files(ctx context.Context, to blob.Store) error {
	list, err := r.from.List(ctx)
	if err != nil || to == nil || len(list) == 0 {
		return err
	}
	r.opt.Progress.start("files", int64(len(list)))
	for _, f := range list {
		if err := r.file(ctx, to, f); err != nil {
			return fmt.Errorf("restore file %s: %w", f.Name, err)
		}
		r.opt.Progress.add(1)
	}
	r.opt.Progress.end()
	return nil
}

func (r *restoring) file(ctx context.Context, to blob.Store, f backup.File) error {
	there, err := to.Open(ctx, f.Name)
	if err == nil {
		there.Close()
		if there.Info.Bytes == f.Bytes {
			return agree(ctx, to, f.Name, there.Info.Withheld, f.Withheld)
		}
	} else if !errors.Is(err, blob.ErrAbsent) {
		return err
	}
	in, err := os.CreateTemp(r.opt.Scratch, ".linnet-restore-*")
	if err != nil {
		return fmt.Errorf("create a temporary file: %w", err)
	}
	defer func() { _ = errors.Join(in.Close(), os.Remove(in.Name())) }()
	if err := r.from.Copy(ctx, in, f); err != nil {
		return err
	}
	kind := mime.TypeByExtension(path.Ext(f.Name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	if err := to.Put(ctx, f.Name, kind, in); err != nil {
		return err
	}
	return agree(ctx, to, f.Name, false, f.Withheld)
}

// compare returns an error unless the digests of all shards equal the backup's.
func (r *restoring) compare(ctx context.Context) error {
	got, err := DigestOf(ctx, r.e, DigestOptions{Shard: -1, Progress: r.opt.Progress})
	if err != nil {
		return err
	}
	if got.Digest == r.from.Digest {
		return nil
	}
	of := map[int]string{}
	for _, s := range got.Shards {
		of[s.Shard] = s.Digest
	}
	var wrong []string
	for shard, s := range r.from.Shards {
		if is := of[shard]; is != s.Digest && (is != "" || s.Entries > 0) {
			wrong = append(wrong, fmt.Sprint(shard))
		}
	}
	return fmt.Errorf("shards %s of the store differ from the backup: restore again into an empty store, and make sure nothing else writes to it",
		strings.Join(wrong[:min(len(wrong), 10)], ", "))
}

// PrintRestored prints a summary of a restore.
func (r *BackupReport) PrintRestored(w io.Writer) error {
	_, err := fmt.Fprintf(w, "restored backup %s: %s entries and %s files as of %s, in %.1f s; the digests match\n",
		r.Name, group(r.Entries), group(r.Files), r.Moment.Format(time.RFC3339), r.Seconds)
	return err
}
