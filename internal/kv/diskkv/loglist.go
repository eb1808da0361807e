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

// logsFile names the logs of the store, one number per line.
const logsFile = "LINNET-LOGS"

// logList is the list of logs in logsFile. The library does not notice a deleted log and opens the
// store without its writes. A log is added after it was made and removed before its file is, so
// every listed log exists, even after a crash.
type logList struct {
	fs  vfs.FS
	dir string

	mu   sync.Mutex
	logs map[uint64]bool
}

// check returns an error if a listed log is missing. Stores of earlier releases have no list.
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
			return fmt.Errorf("%s: %w: %q is not a log number", logsFile, walcheck.ErrDamaged, line)
		}
		if name := fmt.Sprintf("%06d%s", n, logSuffix); !slices.Contains(names, name) {
			return fmt.Errorf("%s: %w: the file is missing, and with it the last writes", name, walcheck.ErrDamaged)
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

// reset deletes the list of a store whose creation did not finish.
func (l *logList) reset() error {
	if err := l.fs.Remove(l.fs.PathJoin(l.dir, logsFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", logsFile, err)
	}
	return nil
}

// add adds a new log to the list.
func (l *logList) add(n uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.logs[n] = true
	if err := syncDir(l.fs, l.dir); err != nil { // otherwise a power loss could remove the log but not its entry
		_ = l.reset()
		return
	}
	l.write()
}

// remove removes a log from the list before its file is removed.
func (l *logList) remove(n uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.logs[n] {
		delete(l.logs, n)
		l.write()
	}
}

// write writes the list. If the disk is full, it deletes the list, because an entry of a removed
// log would make an intact store look damaged.
func (l *logList) write() {
	var text strings.Builder
	for _, n := range slices.Sorted(maps.Keys(l.logs)) {
		fmt.Fprintln(&text, n)
	}
	if err := writeFile(l.fs, l.dir, logsFile, text.String()); err != nil {
		_ = l.reset()
	}
}
