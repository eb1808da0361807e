package rediskv

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

const (
	// copyPause is the longest pause of writes at the end of a copy, and shorter than the second
	// that a writer waits. The servers end it by themselves.
	copyPause = 400 * time.Millisecond
	// copySafe is how long after the request of a pause no write is possible.
	copySafe = copyPause - 50*time.Millisecond
	// copyFew is a number of changes that can be read within a pause.
	copyFew = 500
	// copyLimit limits how long changes are read again before a copy fails.
	copyLimit = 3 * time.Minute
	// copyAgain is how often a copy restarts after missed changes.
	copyAgain = 3
	// copyRest is the initial time between two pauses, in which waiting writers are served. It is
	// halved after each pause, down to copyLeastRest. Writers then wait most of the time, while
	// each pause gives the same time to read.
	copyRest      = 200 * time.Millisecond
	copyLeastRest = 25 * time.Millisecond
)

// Copy implements kv.Copier. Redis has no snapshots to read from, so Copy makes one. It reads all
// keys while client tracking reports changed ones, which are read again in rounds as long as they
// become fewer. Then every master pauses writes (CLIENT PAUSE) while the last ones are read. The
// copy is the state of all masters at that moment.
//
// If a pause is too short, further ones follow at shrinking intervals. If the user has no right to
// pause, Copy waits for an instant without writes (quiet). After a lost connection or a failover it
// starts again. It returns kv.ErrUnavailable if that happens repeatedly, or while slots move.
func (e *Engine) Copy(ctx context.Context, opt kv.CopyOptions) (kv.Copy, error) {
	for again := 0; ; again++ {
		c, err := e.copyOnce(ctx, opt)
		if err == nil {
			return c, nil
		}
		if !errors.Is(err, errMissedChanges) || again == copyAgain || !sleep(ctx, copyRest) {
			return nil, fmt.Errorf("copy the store: %w", err)
		}
	}
}

// copyOnce tries to make a copy.
func (e *Engine) copyOnce(ctx context.Context, opt kv.CopyOptions) (kv.Copy, error) {
	temp, err := newTempFile(opt.Dir)
	if err != nil {
		return nil, err
	}
	c := &copying{e: e, opt: opt, temp: temp, changed: map[kv.Key]struct{}{}}
	if err := c.run(ctx); err != nil {
		temp.close()
		return nil, err
	}
	return &replica{temp: temp, moment: c.moment}, nil
}

// errMissedChanges ends an attempt in which changes may have been missed.
var errMissedChanges = fmt.Errorf("%w: the connection that reports changes was closed, or now leads to other servers", kv.ErrUnavailable)

// copying is a copy in progress.
type copying struct {
	e       *Engine
	opt     kv.CopyOptions
	temp    *tempFile
	tracker *tracker
	moment  time.Time

	mu        sync.Mutex
	receiving bool // changes are being received
	lost      bool // some changes were missed since
	changed   map[kv.Key]struct{}
}

func (c *copying) run(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // it ends the tracker
	if err := c.e.admit(ctx); err != nil {
		return err
	}
	c.tracker, err = c.e.track(ctx, slices.Sorted(maps.Keys(c.opt.Kinds)), c.receive)
	c.e.leave()
	if err == nil {
		err = c.listen(ctx)
	}
	if err == nil {
		err = c.walk(ctx)
	}
	if err == nil {
		err = c.follow(ctx)
	}
	if err == nil {
		err = c.pauses(ctx)
	}
	return err
}

// follow reads changed records in rounds, until few changes are left or they do not become fewer.
func (c *copying) follow(ctx context.Context) error {
	for left := c.waiting(); left > copyFew; {
		if err := c.readKeys(ctx, c.take(), false); err != nil {
			return err
		}
		before := left
		if left = c.waiting(); left > before*3/4 {
			return nil
		}
	}
	return nil
}

// pauses reads the last changes while writes are paused, in as many pauses as necessary.
func (c *copying) pauses(ctx context.Context) error {
	rest, began := copyRest, time.Now()
	for {
		done, err := c.finish(ctx)
		if refused := (*pauseRefused)(nil); errors.As(err, &refused) {
			return c.quiet(ctx, refused.cause)
		}
		if done || err != nil {
			return err
		}
		if took := time.Since(began); took > copyLimit {
			return fmt.Errorf("%w: records change faster than they can be read: %d remain after %v, although writes were paused most of the time. Try again when there is less traffic",
				kv.ErrUnavailable, c.waiting(), took.Round(time.Second))
		}
		if !sleep(ctx, rest) {
			return ctx.Err()
		}
		rest = max(rest/2, copyLeastRest)
	}
}

// receive receives changes from the tracker.
func (c *copying) receive(keys []kv.Key, alive bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if alive && keys == nil {
		c.receiving = true
	}
	c.lost = c.lost || !alive && c.receiving
	for _, k := range keys {
		c.changed[k] = struct{}{}
	}
}

// copyListen limits the wait for change reports. A Cluster has several connections.
const copyListen = 10 * time.Second

// listen waits until all masters report changes.
func (c *copying) listen(ctx context.Context) error {
	for end := time.Now().Add(copyListen); c.whole() != nil && time.Now().Before(end); {
		if !sleep(ctx, 20*time.Millisecond) {
			return ctx.Err()
		}
	}
	return c.whole()
}

// whole returns an error if changes may have been missed.
func (c *copying) whole() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost || !c.receiving {
		return errMissedChanges
	}
	return nil
}

func (c *copying) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.changed)
}

// take returns the changed keys and clears the list.
func (c *copying) take() []kv.Key {
	c.mu.Lock()
	defer c.mu.Unlock()
	keys := slices.Collect(maps.Keys(c.changed))
	clear(c.changed)
	return keys
}

// putBack adds keys that have to be read again.
func (c *copying) putBack(keys []kv.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		c.changed[k] = struct{}{}
	}
}

// copyTries is the number of attempts at a step of the walk while a busy server does not answer.
const copyTries = 5

// walk reads all keys once.
func (c *copying) walk(ctx context.Context) error {
	for cursor, first := "", true; first || cursor != ""; first = false {
		var keys []kv.Key
		var next string
		err := c.patiently(ctx, func() (err error) {
			keys, next, err = c.e.Keys(ctx, cursor)
			return err
		})
		if err != nil {
			return err
		}
		cursor = next
		if err := c.readKeys(ctx, keys, true); err != nil {
			return err
		}
		if c.opt.Read != nil {
			c.opt.Read(len(keys))
		}
	}
	return nil
}

func (c *copying) patiently(ctx context.Context, do func() error) error {
	var err error
	for try := range copyTries {
		if err = do(); err == nil || !errors.Is(err, kv.ErrUnavailable) || c.whole() != nil {
			return err
		}
		if !sleep(ctx, copyRest<<try) {
			return ctx.Err()
		}
	}
	return err
}

// readKeys reads the records of keys into the temporary file. If gently is set, it pauses so that
// other clients are served.
func (c *copying) readKeys(ctx context.Context, keys []kv.Key, gently bool) error {
	if err := c.whole(); err != nil {
		return err
	}
	keys = slices.DeleteFunc(keys, func(k kv.Key) bool { _, wanted := c.opt.Kinds[k.Kind]; return !wanted })
	for part := range slices.Chunk(keys, copyPipeline) {
		began := time.Now()
		read := func() error { return c.readPart(ctx, part) }
		err := c.patiently(ctx, read)
		if err != nil {
			return err
		}
		if took := time.Since(began); gently && !sleep(ctx, min(took/2, copyRest)) {
			return ctx.Err()
		}
	}
	return nil
}

// finish reads the last changes while writes are paused. It returns false if there was not enough
// time.
func (c *copying) finish(ctx context.Context) (bool, error) {
	if err := c.e.admit(ctx); err != nil {
		return false, err
	}
	defer c.e.leave()
	masters, nodes, err := c.nodes(ctx)
	if err != nil {
		return false, classify(ctx, err, reading)
	}
	began := time.Now()
	short, cancel := context.WithDeadline(ctx, began.Add(copySafe))
	defer cancel()
	defer unpause(context.WithoutCancel(ctx), nodes)
	for _, node := range nodes {
		err := node.Do(short, node.B().Arbitrary("CLIENT", "PAUSE", fmt.Sprint(copyPause.Milliseconds()), "WRITE").Build()).Error()
		if forbidden(err) {
			return false, &pauseRefused{err}
		}
		if err != nil {
			return false, mayPause(classify(ctx, err, reading))
		}
	}
	if c.moment, err = timeOf(short, nodes[0]); err != nil {
		return false, c.late(short, err)
	}
	now, err := c.tracker.ping(short) // all earlier changes have been reported by then
	if err != nil {
		return false, c.late(short, err)
	}
	if !slices.Equal(now, masters) {
		return false, errMissedChanges
	}
	left, err := c.readSome(short, c.take())
	if err == nil && len(left) == 0 && time.Since(began) < copySafe {
		return true, c.whole()
	}
	c.putBack(left) // the tracker reports the others if they change again
	return false, c.late(short, err)
}

// readSome reads records until the time is up, and returns the unread keys.
func (c *copying) readSome(ctx context.Context, keys []kv.Key) ([]kv.Key, error) {
	for len(keys) > 0 {
		n := min(len(keys), copyPipeline)
		if err := c.readKeys(ctx, slices.Clone(keys[:n]), false); err != nil {
			return keys, err
		}
		keys = keys[n:]
	}
	return nil, nil
}

// late returns nil for errors that only mean that the pause was too short.
func (c *copying) late(short context.Context, err error) error {
	if whole := c.whole(); whole != nil {
		return whole
	}
	if short.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// nodes returns the masters: their addresses in a Cluster, and the tracking connections. All reads
// use these connections. On the others, reads would wait behind paused writes.
func (c *copying) nodes(ctx context.Context) ([]string, []rueidis.Client, error) {
	if !c.e.cluster {
		return nil, []rueidis.Client{c.tracker.client}, nil
	}
	l, nodes, err := mastersOf(ctx, c.tracker.client)
	if err == nil && l.moving {
		err = fmt.Errorf("%w: slots of the Cluster are moving", kv.ErrUnavailable)
	}
	return l.masters, nodes, err
}

// unpause ends the pause of writes. If it fails, the pause ends by itself.
func unpause(ctx context.Context, nodes []rueidis.Client) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	for _, node := range nodes {
		_ = node.Do(ctx, node.B().Arbitrary("CLIENT", "UNPAUSE").Build()).Error()
	}
}

// pauseRefused means that the user has no right to pause writes.
type pauseRefused struct{ cause error }

func (p *pauseRefused) Error() string { return p.cause.Error() }

// mayPause adds the remedy to the error of a pause.
func mayPause(err error) error {
	return fmt.Errorf("pause writes for %v: %w (allow the servers' Redis user to run CLIENT PAUSE and CLIENT UNPAUSE: ACL SETUSER NAME +client|pause +client|unpause)", copyPause, err)
}
