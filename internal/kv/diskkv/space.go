package diskkv

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"linnet/internal/kv"
	"linnet/internal/wording"
)

// askEvery is how long the amount of free space is cached.
const askEvery = 250 * time.Millisecond

// space prevents the store from filling the disk, on which the library hangs. Between two checks of
// the disk, it subtracts the bytes written.
type space struct {
	free    func() (uint64, error)
	reserve int64

	left  atomic.Int64 // estimated bytes above the reserve
	now   func() time.Time
	asked atomic.Int64 // when the system was asked, nanoseconds after start; 0: never
	one   sync.Mutex   // held by the caller that checks the disk
	start time.Time
	full  atomic.Bool // at the last check; for the log
	warn  func(full bool, left int64)
}

func (s *space) init(opts Options, dir string) {
	s.free, s.reserve, s.now, s.start = opts.Free, opts.Reserve, opts.Now, opts.Now()
	if s.free == nil {
		s.free = func() (uint64, error) {
			u, err := opts.FS.GetDiskUsage(dir)
			return u.AvailBytes, err
		}
	}
	s.warn = func(full bool, left int64) {
		if full {
			opts.Logger.Warn("free disk space is below the reserve; refusing writes", "dir", dir, "reserve", s.reserve, "missing", -left)
		} else {
			opts.Logger.Info("free disk space is above the reserve again; accepting writes", "dir", dir, "left", left)
		}
	}
}

// check returns kv.ErrFull if n more bytes would use the reserve.
func (s *space) check(n int) error {
	if s.reserve < 0 {
		return nil
	}
	now := int64(s.now().Sub(s.start)) + 1
	if asked := s.asked.Load(); asked == 0 || now-asked >= int64(askEvery) {
		if err := s.ask(now, asked == 0); err != nil {
			return err
		}
	}
	if left := s.left.Load() - 3*int64(n); left <= 0 {
		return &kv.Trouble{
			Reason: wording.Messagef("free disk space is below the reserve: the store can be read, but refuses writes until there is more free space"),
			Err:    fmt.Errorf("%w: the disk has less free space than the reserve of %d bytes", kv.ErrFull, s.reserve),
		}
	}
	return nil
}

// ask checks the disk. Only the very first check makes other callers wait.
func (s *space) ask(now int64, wait bool) error {
	if wait {
		s.one.Lock()
	} else if !s.one.TryLock() {
		return nil
	}
	defer s.one.Unlock()
	free, err := s.free()
	switch {
	case errors.Is(err, vfs.ErrUnsupported): // the file system does not support it
		free = 1 << 62
	case err != nil:
		return fmt.Errorf("%w: read the free space of the disk: %w", kv.ErrUnavailable, err)
	}
	left := int64(min(free, 1<<62)) - s.reserve
	s.left.Store(left)
	s.asked.Store(now)
	if full := left <= 0; s.full.Swap(full) != full {
		s.warn(full, left)
	}
	return nil
}

// LeastFree is the free space that opening a store needs, in addition to the size of its log, which
// is then written to tables.
const LeastFree = 1 << 20

// ErrNoRoom is returned by Open if the disk is full. The library would retry forever.
var ErrNoRoom = fmt.Errorf("%w: not enough free space to open the store", kv.ErrFull)

// checkRoom returns ErrNoRoom if there is not enough free space to open the store.
func (e *Engine) checkRoom() error {
	fs, dir := e.opts.FS, e.dir
	free, err := e.space.free()
	if errors.Is(err, vfs.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the free space of %s: %w", dir, err)
	}
	names, err := fs.List(dir)
	if err != nil {
		return fmt.Errorf("list %s: %w", dir, err)
	}
	need := uint64(LeastFree)
	for _, name := range names {
		if !strings.HasSuffix(name, ".log") {
			continue
		}
		info, err := fs.Stat(fs.PathJoin(dir, name))
		if err != nil {
			return fmt.Errorf("read the size of %s: %w", name, err)
		}
		need += uint64(info.Size())
	}
	if free < need {
		return fmt.Errorf("%w: %d bytes are needed, %d are free", ErrNoRoom, need, free)
	}
	return nil
}

// Free returns the bytes of a directory's disk that are free for this process, and its size.
func Free(dir string) (free, total uint64, err error) {
	u, err := vfs.Default.GetDiskUsage(dir)
	return u.AvailBytes, u.TotalBytes, err
}
