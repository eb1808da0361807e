package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"linnet/internal/kv/rediskv"
)

// TestTornStore: a Cluster that has lost a part is for an operator, and no service manager, to
// see to.
func TestTornStore(t *testing.T) {
	c := &config{Store: "redis://a,b"}
	err := c.storeFault("cannot use the store", fmt.Errorf("open Redis: %w", &rediskv.ErrTorn{Of: 1024, Lack: 341}))
	var f *fault
	if !errors.As(err, &f) || f.code != exitState || !strings.Contains(f.advice, "linnet check --accept") || !strings.Contains(err.Error(), "of its 1024 shards 341 lack the mark") {
		t.Errorf("%+v", err)
	}
}
