package kvtest

import (
	"context"
	"strings"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
)

// forgetful is an engine with a defect: it ignores each Remove of "b" in an Apply.
type forgetful struct{ *memkv.Engine }

func (f forgetful) Apply(ctx context.Context, changes ...kv.Op) error {
	kept := changes[:0:0]
	for _, c := range changes {
		if r, ok := c.(kv.Remove); !ok || r.Member != "b" {
			kept = append(kept, c)
		}
	}
	return f.Engine.Apply(ctx, kept...)
}

// TestRandomFindsAFault checks that the comparison with the model detects a defect, and that the
// shortened sequence contains only an Add and a Remove of "b".
func TestRandomFindsAFault(t *testing.T) {
	clock := NewClock()
	fails := func(steps []step) bool {
		e := forgetful{memkv.New(memkv.Options{Now: clock.Now})}
		return compare(t.Context(), e, clock.Advance, steps) != ""
	}
	for seed := range uint64(200) {
		steps := randomSteps(seed, true)
		if !fails(steps) {
			continue
		}
		steps = shrink(steps, fails)
		changes := 0
		for _, s := range steps {
			changes += len(s.changes)
		}
		if len(steps) > 2 || changes != 2 || !strings.Contains(show(steps), `kv.Remove{Key:kv.Key{Kind:"s"`) {
			t.Errorf("seed %d is not as short as it could be:\n%s", seed, show(steps))
		}
		return
	}
	t.Error("no sequence showed the fault")
}

// TestRandomIsRepeatable checks that a seed determines the sequence.
func TestRandomIsRepeatable(t *testing.T) {
	first, again := show(randomSteps(3, true)), show(randomSteps(3, true))
	if first != again {
		t.Error("one seed makes two sequences")
	}
	if first == show(randomSteps(4, true)) {
		t.Error("two seeds make one sequence")
	}
}
