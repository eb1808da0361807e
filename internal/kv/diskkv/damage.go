package diskkv

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv/walcheck"
	"linnet/internal/wording"
)

const remedy = "keep a copy of the directory and restore a backup. " +
	"The usual cause is a failing disk or faulty memory"

// damaged adds the file and the remedy to an error that comes from a damaged file. It returns other
// errors unchanged.
func (e *Engine) damaged(err error) error {
	if err == nil || !(pebble.IsCorruptionError(err) || errors.Is(err, errMalformed) || errors.Is(err, walcheck.ErrDamaged)) {
		return err
	}
	file := fileIn(fmt.Sprintf("%+v", err))
	if file == "" {
		file = "a file"
	}
	e.noteDamage(file, err)
	return fmt.Errorf("the store in %s is damaged (%s): %w; %s", e.dir, file, err, remedy)
}

// noteDamage makes Ping report a damaged file. Further files are only logged, because the remedy is
// the same.
func (e *Engine) noteDamage(file string, err error) {
	e.damage.CompareAndSwap(nil, &kv.Trouble{
		Reason: wording.Messagef("the store is damaged (%s) and can't be read. Stop the server, "+remedy, file),
		Err:    err,
	})
}

// fileIn returns the name of a store file in an error text.
func fileIn(text string) string {
	re := regexp.MustCompile(`\d{6,}\.(log|sst|blob)|MANIFEST-\d+|OPTIONS-\d+|LINNET-LOGS|marker\.[\w.-]+`)
	return re.FindString(text)
}

// logUncleanEnd logs that the store's log has no clean end, and the possible causes. A crash cannot
// be distinguished from a later truncation.
func logUncleanEnd(log *slog.Logger, end walcheck.End, mode SyncMode) {
	if end.Clean {
		return
	}
	missing := "no acknowledged writes, if only the process ended or the disk stored everything that it confirmed; " +
		"if the file was truncated later, the last writes before the stop"
	if mode == SyncInterval {
		missing = "writes of about the last second before the stop, including acknowledged ones, if the machine or the process crashed; " +
			"more, if the file was truncated later"
	}
	log.Warn("store: the write-ahead log does not end cleanly: the server was killed, or the file is truncated",
		"file", end.File, "offset", end.At, "missing", missing,
		"remedy", "if the machine did not crash, check the disk and compare the store with a backup; linnet check finds inconsistent records")
}

// checkOptions checks the library's options file, because the library's error for a damaged one
// does not contain its name.
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
		return fmt.Errorf("%s: %w: %w", newest, walcheck.ErrDamaged, err)
	}
	return nil
}
