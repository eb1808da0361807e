package diskkv

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
)

const remedy = "keep a copy of the directory, then restore it from a backup; " +
	"a damaged file usually means a failing disk or memory"

// damaged adds to an error of the store, if it comes from a damaged file, which
// one that is and what to do. Other errors pass as they are.
func (e *Engine) damaged(err error) error {
	if err == nil || !isDamage(err) {
		return err
	}
	file := fileIn(fmt.Sprintf("%+v", err))
	if file == "" {
		file = "a file"
	}
	e.noteDamage(file, err)
	return fmt.Errorf("the store in %s is damaged (%s): %w; %s", e.dir, file, err, remedy)
}

// noteDamage makes Ping say that a file is damaged. Others than the first are left to
// the log; the remedy is the same.
func (e *Engine) noteDamage(file string, err error) {
	e.damage.CompareAndSwap(nil, &kv.Trouble{
		Reason: "the store is damaged (" + file + "), and what lies there cannot be read: stop the server and " + remedy,
		Err:    err,
	})
}

func isDamage(err error) bool {
	return pebble.IsCorruptionError(err) || errors.Is(err, errMalformed) || errors.Is(err, errDamagedFile)
}

// fileIn finds the name of a file of the store in what an error says.
func fileIn(text string) string {
	re := regexp.MustCompile(`\d{6,}\.(log|sst|blob)|MANIFEST-\d+|OPTIONS-\d+|marker\.[\w.-]+`)
	return re.FindString(text)
}
