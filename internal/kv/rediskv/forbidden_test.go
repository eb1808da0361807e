package rediskv

import (
	"errors"
	"strings"
	"testing"

	"linnet/internal/kv"
)

// TestNoInstantNamesTheRemedy checks that the error of a copy during which writes never stopped
// contains the missing right.
func TestNoInstantNamesTheRemedy(t *testing.T) {
	err := noInstant(errors.New("NOPERM this user has no permissions"))
	if !errors.Is(err, kv.ErrUnavailable) || !strings.Contains(err.Error(), "+client|pause") || !strings.Contains(err.Error(), "NOPERM") {
		t.Errorf("got %v", err)
	}
	if forbidden(nil) || forbidden(err) {
		t.Error("what no server said counts as its refusal")
	}
}
