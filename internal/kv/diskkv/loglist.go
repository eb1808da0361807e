package diskkv

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"

	"linnet/internal/kv/diskkv/walcheck"
)

// logsFile names the logs of the store, one number a line.
const logsFile = "LINNET-LOGS"

// logList is the list of logs in logsFile. The library does not notice that a log was deleted,
// and opens the store without the writes in it. A log is listed after it was made and until
// before it is removed, so each listed log exists, after a crash too.
type logList struct {
	fs  vfs.FS
	dir string

	mu   sync.Mutex
	logs map[uint64]bool
}

// check fails if a listed log is missing. Stores of earlier programs have no list.
func (l *logList) check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	text, err := readFile(l.fs, l.fs.PathJoin(l.dir, logsFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read %s: %w", logsFile, err)
	}
	names, err := l.fs.List(l.dir)
	if err != nil {
		return fmt.Errorf("list %s: %w", l.dir, err)
	}
	for _, line := range strings.Fields(text) {
		n, err := strconv.ParseUint(line, 10, 64)
		if err != nil {
			return fmt.Errorf("%s: %w: %q is no number of a log", logsFile, walcheck.ErrDamaged, line)
		}
		if name := fmt.Sprintf("%06d%s", n, logSuffix); !slices.Contains(names, name) {
			return fmt.Errorf("%s: %w: the file is missing, and the last writes with it", name, walcheck.ErrDamaged)
		}
	}
	l.logs = map[uint64]bool{}
	for _, name := range names {
		if n, ok := numberIn(name, logSuffix); ok {
			l.logs[n] = true
		}
	}
	return nil
}

// reset forgets the list of a store that was never completed.
func (l *logList) reset() error {
	if err := l.fs.Remove(l.fs.PathJoin(l.dir, logsFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", logsFile, err)
	}
	return nil
}

// add lists a log that was made.
func (l *logList) add(n uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.logs[n] = true
	if err := syncDir(l.fs, l.dir); err != nil { // the log may be lost with the power before its name in the list is
		_ = l.reset()
		return
	}
	l.write()
}

// remove takes a log from the list that is about to be removed.
func (l *logList) remove(n uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.logs[n] {
		delete(l.logs, n)
		l.write()
	}
}

// write writes the list. Without space for it there is none: a list that names too much would
// make a sound store look damaged.
func (l *logList) write() {
	var text strings.Builder
	for _, n := range slices.Sorted(maps.Keys(l.logs)) {
		fmt.Fprintln(&text, n)
	}
	if err := writeFile(l.fs, l.dir, logsFile, text.String()); err != nil {
		_ = l.reset()
	}
}
