package diskkv

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// datedFS is the file system of the library. It records when tables were made and how old the bytes
// of each log are. The library reuses old logs and overwrites them from the start, so old bytes may
// remain behind the new end. Logs that are too old are replaced by new files.
type datedFS struct {
	vfs.FS
	now  func() time.Time
	logs *logList

	mu     sync.Mutex
	known  map[uint64]logFile   // logs that this process has begun and not removed
	last   uint64               // the greatest of their numbers, 0 if there is none
	tables map[uint64]time.Time // when this process made them
}

// logFile is a log.
type logFile struct {
	name   string
	born   time.Time // age of the oldest bytes in it
	reused bool      // bytes of another log may be behind its end
}

const (
	logSuffix   = ".log"
	tableSuffix = ".sst"
)

// numberIn returns the number in a name with a suffix.
func numberIn(name, suffix string) (uint64, bool) {
	digits, ok := strings.CutSuffix(path.Base(name), suffix)
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, ok && err == nil
}

// Unwrap implements vfs.FS.
func (d *datedFS) Unwrap() vfs.FS { return d.FS }

// Create implements vfs.FS.
func (d *datedFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n, ok := numberIn(name, logSuffix); ok {
		return d.create(n, logFile{name: name, born: d.now()}, category)
	} else if n, ok := numberIn(name, tableSuffix); ok {
		d.tables[n] = d.now()
	}
	return d.FS.Create(name, category)
}

// create makes a log. The caller holds the lock.
func (d *datedFS) create(n uint64, f logFile, category vfs.DiskWriteCategory) (vfs.File, error) {
	d.begin(n, f)
	file, err := d.FS.Create(f.name, category)
	if err == nil {
		d.logs.add(n)
	}
	return file, err
}

// begin records a log. The caller holds the lock.
func (d *datedFS) begin(n uint64, f logFile) {
	d.known[n] = f
	d.last = max(d.last, n)
}

// ReuseForWrite implements vfs.FS.
func (d *datedFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	from, ok := numberIn(oldname, logSuffix)
	to, also := numberIn(newname, logSuffix)
	if !ok || !also {
		return d.FS.ReuseForWrite(oldname, newname, category)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	old, known := d.known[from]
	if known && d.now().Sub(old.born) < maxAge {
		d.logs.remove(from)
		f, err := d.FS.ReuseForWrite(oldname, newname, category)
		if err == nil {
			d.logs.add(to)
			delete(d.known, from)
			d.begin(to, logFile{name: newname, born: old.born, reused: true})
		}
		return f, err
	}
	if err := d.remove(from, oldname); err != nil {
		return nil, err
	}
	return d.create(to, logFile{name: newname, born: d.now()}, category)
}

// Remove implements vfs.FS.
func (d *datedFS) Remove(name string) error {
	d.mu.Lock()
	if n, ok := numberIn(name, logSuffix); ok {
		delete(d.known, n)
		d.logs.remove(n)
	} else if n, ok := numberIn(name, tableSuffix); ok {
		delete(d.tables, n)
	}
	d.mu.Unlock()
	return d.FS.Remove(name)
}

// remove removes a log, or ignores a missing one. The caller holds the lock.
func (d *datedFS) remove(n uint64, name string) error {
	delete(d.known, n)
	d.logs.remove(n)
	if err := d.FS.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove an old log: %w", err)
	}
	return nil
}

// old reports whether any log is older than maxAge, and returns the number of the last log. If
// empty is set, that log has no writes.
func (d *datedFS) old(empty bool) (last uint64, old bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for n, f := range d.known {
		if now.Sub(f.born) >= maxAge && (n != d.last || f.reused || !empty) {
			return d.last, true
		}
	}
	return d.last, false
}

// removeOld removes unused logs older than maxAge up to a number. The library keeps them only for
// reuse.
func (d *datedFS) removeOld(to uint64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for n, f := range d.known {
		if n > to || now.Sub(f.born) < maxAge {
			continue
		}
		if err := d.remove(n, f.name); err != nil {
			return err
		}
	}
	return nil
}

// made returns when a table was made, from memory or, for tables of earlier processes, from the
// file system.
func (d *datedFS) made(name string) (time.Time, error) {
	n, _ := numberIn(name, tableSuffix)
	d.mu.Lock()
	at, ok := d.tables[n]
	d.mu.Unlock()
	if ok {
		return at, nil
	}
	info, err := d.Stat(name)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}
