package record_test

import (
	"math"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

func TestPushIDs(t *testing.T) {
	for _, stored := range []string{"1", "2147483647", "2147483648", "4294967294", "116000000000000000", "9223372036854775807"} {
		get := &kv.Get{Version: 1, Data: []byte(`{"id":"` + stored + `","user":"5","endpoint":"https://push.test/1","policy":"all","created":1}`)}
		p, err := record.DecodePush(get)
		if err != nil {
			t.Fatal(err)
		}
		if p.ID < 1 {
			t.Errorf("a subscription stored as %s has the id %d", stored, p.ID)
		}
		if want, _ := linnet.ParseID(stored); want <= math.MaxInt32 && linnet.ID(p.ID) != want {
			t.Errorf("a subscription stored as %s has the id %d", stored, p.ID)
		}
		again, err := record.DecodePush(&kv.Get{Version: 1, Data: record.EncodePush(p)})
		if err != nil || again.ID != p.ID {
			t.Errorf("stored again as %d: %v, %v", p.ID, again.ID, err)
		}
	}
}
