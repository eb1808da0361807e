package diskkv

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/atomicfs"
)

// errDamagedFile is in the chain when a file was damaged after it had been
// written.
var errDamagedFile = errors.New("damaged")

// checkLogs looks, before the store is opened, for damage that the library would
// take for the end of a file and then forget what follows: in the manifest in
// use and in the newest log. About older logs it is strict itself.
func checkLogs(fs vfs.FS, dir string) (logEnd, error) {
	names, err := fs.List(dir)
	if err != nil {
		return logEnd{}, fmt.Errorf("list %s: %w", dir, err)
	}
	manifest, err := atomicfs.ReadMarker(fs, dir, "manifest")
	if err != nil {
		return logEnd{}, fmt.Errorf("read the name of the manifest in %s: %w", dir, err)
	}
	log, number := newestLog(names)
	if manifest == "" {
		if log != "" {
			return logEnd{}, fmt.Errorf("marker.manifest.*: %w: it is missing, and %s is there", errDamagedFile, log)
		}
		return logEnd{clean: true}, nil // not yet created
	}
	if err := scanFile(fs, fs.PathJoin(dir, manifest), newLogScan(true, 0)); err != nil {
		return logEnd{}, err
	}
	if log == "" {
		return logEnd{clean: true}, nil
	}
	scan := newLogScan(false, uint32(number))
	err = scanFile(fs, fs.PathJoin(dir, log), scan)
	return logEnd{file: log, at: scan.end, clean: scan.clean}, err
}

// logEnd is where the newest log ends.
type logEnd struct {
	file  string
	at    int64 // behind the last record that will be read
	clean bool  // whoever wrote it closed it
}

// tell says in the log of the server that the end is not a clean one, and what that
// may mean: whether a crash left it so or something cut it off later cannot be seen.
func (l logEnd) tell(log *slog.Logger, mode SyncMode) {
	if l.clean {
		return
	}
	missing := "nothing that was acknowledged, if only the process ended or the disk kept what it had confirmed; " +
		"if the file was cut off since, the last writes before the stop"
	if mode == SyncInterval {
		missing = "writes of about the last second before the stop, also acknowledged ones, if the machine or the process crashed; " +
			"more, if the file was cut off since"
	}
	log.Warn("store: the log has no clean end: the server did not stop in order, or the end of the file was cut off",
		"file", l.file, "read up to byte", l.at, "may be missing", missing,
		"remedy", "if the machine did not crash, look at the disk and compare with a backup; linnet check finds what no longer fits together")
}

// checkOptions looks at the file in which the library keeps its settings, since
// what it says about a damaged one does not name it.
func checkOptions(fs vfs.FS, dir string, now *pebble.Options) error {
	names, err := fs.List(dir)
	if err != nil {
		return fmt.Errorf("list %s: %w", dir, err)
	}
	newest := ""
	for _, name := range names {
		if strings.HasPrefix(name, "OPTIONS-") && name > newest {
			newest = name
		}
	}
	if newest == "" {
		return nil
	}
	f, err := fs.Open(fs.PathJoin(dir, newest))
	if err != nil {
		return fmt.Errorf("open %s: %w", newest, err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("read %s: %w", newest, err)
	}
	now.EnsureDefaults()
	if err := now.CheckCompatibility(dir, string(text)); err != nil {
		return fmt.Errorf("%s: %w: %w", newest, errDamagedFile, err)
	}
	return nil
}

// newestLog returns the log with the greatest number, "" if there is none.
func newestLog(names []string) (string, uint64) {
	log, number := "", uint64(0)
	for _, name := range names {
		digits, ok := strings.CutSuffix(path.Base(name), ".log")
		n, err := strconv.ParseUint(digits, 10, 64)
		if ok && err == nil && (log == "" || n > number) {
			log, number = path.Base(name), n
		}
	}
	return log, number
}

func scanFile(fs vfs.FS, name string, s *logScan) error {
	f, err := fs.Open(name)
	if err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	defer f.Close()
	block := make([]byte, scanBlock)
	for offset := int64(0); ; offset += scanBlock {
		n, err := io.ReadFull(f, block)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if !s.block(block[:n], offset) || n < scanBlock {
			break
		}
	}
	if s.evidence != "" {
		return fmt.Errorf("%s: %w at offset %d: %s", fs.PathBase(name), errDamagedFile, s.invalid, s.evidence)
	}
	return nil
}
