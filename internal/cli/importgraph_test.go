package cli

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/exit"
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func TestImportFault(t *testing.T) {
	for _, cause := range []error{kv.ErrUnavailable, kv.ErrUnknown, kv.ErrFull} {
		err := importError(fmt.Errorf("make users: %w", cause))
		if exit.CodeOf(err) != exit.Temporary || !strings.Contains(err.Error(), "run the same command again") {
			t.Errorf("%v: code %d, %v", cause, exit.CodeOf(err), err)
		}
	}
	if err := importError(linnet.Errorf(linnet.Invalid, "no users")); exit.CodeOf(err) != exit.Usage || strings.Contains(err.Error(), "again") {
		t.Errorf("invalid: code %d, %v", exit.CodeOf(err), err)
	}
}
