package record

import (
	"slices"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// TestKeysOfMany checks that the keys of many ids equal the keys of each.
func TestKeysOfMany(t *testing.T) {
	ids := []linnet.ID{0, 7, 1 << 40, 1<<64 - 1, 7}
	var want []kv.Key
	for _, id := range ids {
		want = append(want, IDKey(KindHome, id))
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	if got := IDKeys(KindHome, ids, texts); !slices.Equal(got, want) {
		t.Errorf("keys of %v, with texts: %v, want %v", ids, got, want)
	}
	if got := IDKeys(KindHome, ids, nil); !slices.Equal(got, want) {
		t.Errorf("keys of %v: %v, want %v", ids, got, want)
	}
	if got := IDKeys(KindHome, nil, nil); len(got) != 0 {
		t.Errorf("keys of nobody: %v", got)
	}
}

// TestKeysStateSecrets checks that every kind of key states its secrets.
func TestKeysStateSecrets(t *testing.T) {
	for _, d := range Keys() {
		if !d.Secrets.Stated() {
			t.Errorf("%s does not say what of it is secret", d.Kind)
		}
		if len(d.Secrets.Fields) > 0 && d.Shape != "value" {
			t.Errorf("%s is a %s and cannot have secret fields", d.Kind, d.Shape)
		}
	}
}

// TestKeysOfTasks checks that the table has the kinds of keys that package task uses.
func TestKeysOfTasks(t *testing.T) {
	for kind, key := range map[string]kv.Key{kindLater: task.LaterKey(1), kindDue: task.DueKey(1), kindTask: task.Key(1, "a"), kindDead: task.DeadKey(1), kindServers: task.ServersKey()} {
		if key.Kind != kind {
			t.Errorf("a key of package task has the kind %q, but the table %q", key.Kind, kind)
		}
		if !slices.ContainsFunc(Keys(), func(d KeyDoc) bool { return d.Kind == kind }) {
			t.Errorf("the table has no kind %q", kind)
		}
	}
}
