package rediskv

import (
	"testing"
	"time"

	"linnet/internal/kv"
)

// What was read before a change is not kept behind it, whoever made the change.
func TestMirrorFillRaces(t *testing.T) {
	k := kv.Key{Kind: "home", Shard: 3, ID: "a"}
	for name, c := range map[string]struct {
		between func(*mirror)
		kept    bool
	}{
		"nothing":           {func(*mirror) {}, true},
		"another feed":      {func(m *mirror) { m.written([]kv.Op{&kv.Push{Key: kv.Key{Kind: "home", Shard: 3, ID: "b"}, ID: 1}}) }, true},
		"a push":            {func(m *mirror) { m.written([]kv.Op{&kv.Push{Key: k, ID: 1}}) }, false},
		"a deletion":        {func(m *mirror) { m.written([]kv.Op{kv.Delete{Key: k}}) }, false},
		"a push by another": {func(m *mirror) { m.heard([]kv.Key{k}, true) }, false},
		"a loss":            {func(m *mirror) { m.heard(nil, false); m.heard(nil, true) }, false},
		"a push, and another reader": {func(m *mirror) {
			m.heard([]kv.Key{k}, true)
			m.begin([]kv.Query{&kv.Feed{Key: k, Limit: 60}})
		}, false},
	} {
		m := &mirror{age: time.Hour, room: 1 << 20}
		for i := range m.parts {
			m.parts[i].feeds = map[kv.Key]*mirrored{}
		}
		m.heard(nil, true)
		read := &kv.Feed{Key: k, Limit: 60}
		fill := m.begin([]kv.Query{read})
		c.between(m)
		read.State, read.IDs = kv.Warm, []uint64{7}
		m.end(fill, true)
		if kept := m.answer([]kv.Query{&kv.Feed{Key: k, Limit: 60}}) == 1; kept != c.kept {
			t.Errorf("%s between question and answer: kept %v", name, kept)
		}
	}
}
