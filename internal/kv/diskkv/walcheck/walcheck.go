// Package walcheck searches the write-ahead log and the manifest of a store for damage before the
// storage library opens it. The library would take the damage for the end of a file and drop all
// later records.
//
// It knows the format of these files, but not the content of the store.
package walcheck

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/atomicfs"
)

// ErrDamaged is returned for a file that was damaged after it was written.
var ErrDamaged = errors.New("damaged")

// Check searches the current manifest and the newest log of the store in dir. The library checks
// older logs strictly itself.
func Check(fs vfs.FS, dir string) (End, error) {
	names, err := fs.List(dir)
	if err != nil {
		return End{}, fmt.Errorf("list %s: %w", dir, err)
	}
	manifest, err := atomicfs.ReadMarker(fs, dir, "manifest")
	if err != nil {
		return End{}, fmt.Errorf("read the name of the manifest in %s: %w", dir, err)
	}
	log, number := newestLog(names)
	if manifest == "" {
		if log != "" {
			return End{}, fmt.Errorf("marker.manifest.*: %w: the file is missing, but %s exists", ErrDamaged, log)
		}
		return End{Clean: true}, nil // not yet created
	}
	if err := scanFile(fs, fs.PathJoin(dir, manifest), newScan(true, 0)); err != nil {
		return End{}, err
	}
	if log == "" {
		return End{Clean: true}, nil
	}
	s := newScan(false, uint32(number))
	err = scanFile(fs, fs.PathJoin(dir, log), s)
	return End{File: log, At: s.end, Clean: s.clean}, err
}

// End is the end of the newest log.
type End struct {
	File  string // its name, or "" without a log
	At    int64  // after the last record that will be read
	Clean bool   // the log was closed
}

// newestLog returns the log with the greatest number, or "".
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

func scanFile(fs vfs.FS, name string, s *scan) error {
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
		return fmt.Errorf("%s: %w at offset %d: %s", fs.PathBase(name), ErrDamaged, s.invalid, s.evidence)
	}
	return nil
}
