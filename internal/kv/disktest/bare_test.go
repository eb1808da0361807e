package disktest

import "testing"

// TestPostWritesAsMuch checks that Post writes as much as a real post.
func TestPostWritesAsMuch(t *testing.T) {
	b := NewBare(t)
	before := b.db.Metrics().WAL.BytesIn
	const posts = 50
	for n := range int64(posts) {
		if err := b.Post(n); err != nil {
			t.Fatal(err)
		}
	}
	if each := (b.db.Metrics().WAL.BytesIn - before) / posts; each < 801 || each > 963 {
		t.Errorf("a post writes %d bytes; the server's writes 801 to 963", each)
	}
}
