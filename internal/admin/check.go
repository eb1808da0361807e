package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"linnet/internal/app"
	"linnet/internal/audit"
	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/timeline"
)

// CheckOptions adjust a check.
type CheckOptions struct {
	Progress *Progress
	Keep     int           // maximum number of listed findings of each severity; 0 for 1,000
	Pause    time.Duration // pause before each recheck of the findings; 0 for 200 ms
	HasFile  audit.Files   // reports whether a media file exists; nil checks the server's storage
}

const (
	checkBatch   = 128    // keys audited together
	checkWorkers = 4      // batches at a time
	mostSuspects = 20_000 // maximum number of keys to recheck
	rechecks     = 3      // number of rechecks
)

// Check reads a whole store. It compares every record with related ones, and every feed with a
// rebuild. It rechecks findings several times and reports only persistent ones, so it can run
// alongside servers. Findings that a queued task will fix are pending. For a store without writes
// the report is exact. Memory grows with the number of findings. Beyond 20,000 suspect keys it
// reports findings without a recheck.
func Check(ctx context.Context, svc *app.App, opt CheckOptions) (*Report, error) {
	if opt.Keep == 0 {
		opt.Keep = 1000
	}
	if opt.Pause == 0 {
		opt.Pause = 200 * time.Millisecond
	}
	if opt.HasFile == nil {
		opt.HasFile = filesOf(ctx, svc)
	}
	began := time.Now()
	if err := svc.Reload(ctx); err != nil {
		return nil, fmt.Errorf("prepare the check: %w", err)
	}
	queue, err := readQueue(ctx, svc.Store().Engine())
	if err != nil {
		return nil, err
	}
	c := &checker{svc: svc, opt: opt, audit: audit.New(svc.Store().Engine(), svc.Store().Now, timeline.PublicTimelines).WithFiles(opt.HasFile), queue: queue,
		report: &Report{Count: map[Severity]int64{}, Rules: map[audit.Rule]int64{}, Findings: []Found{},
			limit: opt.Keep, alike: map[string]int{}, listed: map[Severity]int{}}, suspects: map[kv.Key]signs{}, seen: signs{}, seed: maphash.MakeSeed(), sets: setKinds()}
	total, toil, err := c.count(ctx)
	if err != nil {
		return nil, err
	}
	opt.Progress.start("keys", total)
	opt.Progress.weigh(toil)
	if err := c.scan(ctx); err != nil {
		return nil, err
	}
	opt.Progress.end()
	if err := c.recheck(ctx); err != nil {
		return nil, err
	}
	c.report.Tasks = int64(c.queue.size)
	c.report.Seconds = time.Since(began).Seconds()
	rank := func(s Severity) int { return slices.Index([]Severity{Breach, Pending, Note}, s) }
	slices.SortFunc(c.report.Findings, func(a, b Found) int {
		return cmp.Or(cmp.Compare(rank(a.Severity), rank(b.Severity)), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Key, b.Key), cmp.Compare(a.Text, b.Text))
	})
	return c.report, nil
}

// filesOf returns a function that reports whether media files exist, or nil if the server stores
// none. Files that can't be checked count as existing.
func filesOf(ctx context.Context, svc *app.App) audit.Files {
	files := svc.Files()
	if files == nil {
		return nil
	}
	return func(name string) bool {
		f, err := files.Open(ctx, name)
		if err == nil {
			f.Close()
		}
		return !errors.Is(err, blob.ErrAbsent)
	}
}

type checker struct {
	svc    *app.App
	opt    CheckOptions
	audit  *audit.Audit
	queue  *queue
	report *Report

	sets     map[string]bool // kinds of key
	mu       sync.Mutex
	suspects map[kv.Key]signs // findings of the first audit by key
	seen     signs            // findings reported at once
	seed     maphash.Seed
}

// signs identifies findings without storing them.
type signs map[uint64]bool

func (c *checker) sign(f audit.Finding) uint64 {
	return maphash.String(c.seed, string(f.Rule)+" "+f.Key.String()+" "+f.Text+" "+f.Mark)
}

// count walks only over the keys, for the estimate of the remaining time. This takes a fraction of
// the audit. It returns 0 if progress isn't shown.
func (c *checker) count(ctx context.Context) (total, toil int64, err error) {
	if c.opt.Progress == nil {
		return 0, 0, nil
	}
	c.opt.Progress.start("counting keys", 0)
	for cursor, first := "", true; first || cursor != ""; first = false {
		var keys []kv.Key
		if keys, cursor, err = c.svc.Store().Engine().Keys(ctx, cursor); err != nil {
			return 0, 0, fmt.Errorf("count the keys: %w", err)
		}
		total += int64(len(keys))
		toil += c.toilOf(keys)
		c.opt.Progress.add(len(keys))
	}
	c.opt.Progress.end()
	return total, toil, nil
}

// setToil is the measured cost of auditing a set compared with another record, since each member is
// looked up.
const setToil = 30

// toilOf returns the relative cost of auditing some keys.
func (c *checker) toilOf(keys []kv.Key) (toil int64) {
	for _, k := range keys {
		if toil++; c.sets[k.Kind] {
			toil += setToil - 1
		}
	}
	return toil
}

// setKinds returns the kinds of keys with sets.
func setKinds() map[string]bool {
	sets := map[string]bool{}
	for _, k := range record.Keys() {
		sets[k.Kind] = k.Shape == "set"
	}
	return sets
}

// scan audits all keys, several batches at a time.
func (c *checker) scan(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	batches := make(chan []kv.Key)
	errs := make(chan error, checkWorkers+1)
	var work sync.WaitGroup
	for range checkWorkers {
		work.Go(func() {
			for keys := range batches {
				if err := c.batch(ctx, keys); err != nil {
					errs <- err
					cancel()
					return
				}
			}
		})
	}
	errs <- c.feed(ctx, batches)
	close(batches)
	work.Wait()
	close(errs)
	var first error
	for err := range errs {
		if first == nil || errors.Is(first, context.Canceled) {
			first = err
		}
	}
	return first
}

// feed sends the keys of the store to the workers.
func (c *checker) feed(ctx context.Context, batches chan<- []kv.Key) error {
	cursor := ""
	for {
		keys, next, err := c.svc.Store().Engine().Keys(ctx, cursor)
		if err != nil {
			return fmt.Errorf("scan the store: %w", err)
		}
		for part := range slices.Chunk(keys, checkBatch) {
			select {
			case batches <- part:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if next == "" {
			return nil
		}
		cursor = next
	}
}

// batch audits some keys and the feeds of their users and lists.
func (c *checker) batch(ctx context.Context, keys []kv.Key) error {
	found, err := c.audit.Keys(ctx, keys)
	if err != nil {
		return err
	}
	warm, feeds, err := c.svc.Moderation.FeedAudit.Feeds(ctx, found.Feeds)
	if err != nil {
		return fmt.Errorf("check feeds: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Keys += int64(len(keys))
	c.report.Users += int64(found.Users)
	c.report.Statuses += int64(found.Statuses)
	c.report.Feeds += int64(warm)
	c.opt.Progress.spend(c.toilOf(keys))
	c.opt.Progress.add(len(keys))
	for _, f := range append(found.Findings, feeds...) {
		// A walk can return a key twice.
		before, known := c.suspects[f.At]
		switch s := c.sign(f); {
		case known:
			before[s] = true
		case len(c.suspects) < mostSuspects:
			c.suspects[f.At] = signs{s: true}
		case !c.seen[s]:
			c.seen[s] = true
			c.classify(f, c.queue)
		}
	}
	return nil
}

// classify adds a finding to the report, with the severity that follows from the queued tasks.
func (c *checker) classify(f audit.Finding, q *queue) {
	switch dead, waits := q.about(f.Waits); {
	case f.Minor:
		c.report.add(Note, f)
	case waits:
		c.report.add(Pending, f)
	case dead != "":
		f.Text += "; task " + dead + " should have fixed this, but failed"
		c.report.add(Breach, f)
	default:
		c.report.add(Breach, f)
	}
}
