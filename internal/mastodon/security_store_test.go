package mastodon_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// stored is a record of a store, as text.
type stored struct {
	key  kv.Key
	text string
}

// records reads everything that a store holds, raw, but for feeds, which hold
// ids only.
func records(t testing.TB, e kv.Engine) []stored {
	t.Helper()
	shapes := map[string]string{}
	for _, d := range record.Keys() {
		shapes[d.Kind] = d.Shape
	}
	var out []stored
	seen := map[kv.Key]bool{}
	for cursor := ""; ; {
		keys, next, err := e.Keys(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			if shapes[k.Kind] == "" {
				t.Errorf("nobody has described the key %v", k)
			}
			if !seen[k] {
				out = append(out, stored{k, content(t, e, k, shapes[k.Kind])})
			}
			seen[k] = true
		}
		if cursor = next; cursor == "" {
			slices.SortFunc(out, func(a, b stored) int { return strings.Compare(a.key.String(), b.key.String()) })
			return out
		}
	}
}

func content(t testing.TB, e kv.Engine, k kv.Key, shape string) string {
	t.Helper()
	var q kv.Query
	switch shape {
	case "value":
		q = &kv.Get{Key: k}
	case "set":
		q = &kv.Range{Key: k, Limit: kv.MaxRange}
	case "counters":
		q = &kv.Counters{Key: k, Names: []string{"followers", "following", "statuses", "replies", "reposts", "favourites", "users", "conversations", "unfollowed", "unlisted"}}
	default:
		return ""
	}
	if err := e.Read(context.Background(), q); err != nil {
		t.Fatalf("read %v: %v", k, err)
	}
	switch q := q.(type) {
	case *kv.Get:
		return fmt.Sprint(q.Version, " ", string(q.Data))
	case *kv.Range:
		return fmt.Sprint(q.Members)
	case *kv.Counters:
		return fmt.Sprint(q.Values)
	}
	return ""
}

// fingerprint covers all keys that reads must not change: all except feeds and the statistic of
// active users.
func fingerprint(t testing.TB, e kv.Engine) string {
	t.Helper()
	var b strings.Builder
	for _, r := range records(t, e) {
		switch r.key.Kind {
		case "active", "stats", "servers", "tasks", "task":
		case "catchup", "ranking": // cached for further pages, like feeds
		default:
			fmt.Fprintf(&b, "%v = %s\n", r.key, r.text)
		}
	}
	return b.String()
}
