package linnet_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"linnet/internal/linnet"
)

func TestIDParts(t *testing.T) {
	parts := func(ms uint32, shard uint16, seq uint8) bool {
		at := time.UnixMilli(int64(ms) * 1000)
		id := linnet.MakeID(at, shard, seq)
		back, ok := linnet.ParseID(id.String())
		return id.Shard() == shard&1023 && id.Millis() == at.UnixMilli() && id.Time().Equal(at) &&
			(ok && back == id || id == 0 && !ok) && id < 1<<63
	}
	if err := quick.Check(parts, nil); err != nil {
		t.Error(err)
	}
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	low, high := linnet.MakeID(day, 1023, 63), linnet.MakeID(day.Add(time.Millisecond), 0, 0)
	if low >= high {
		t.Errorf("ids do not sort by time: %v, %v", low, high)
	}
	if id := linnet.MakeID(time.Unix(-1, 0), 5, 6); id.Millis() != 0 || id.Shard() != 5 {
		t.Errorf("before 1970: %v", id)
	}
	if id := linnet.MakeID(time.UnixMilli(1<<50), 5, 6); id >= 1<<63 {
		t.Errorf("far future: %v", id)
	}
}

func TestNotificationNumbers(t *testing.T) {
	numbers := func(days uint16, recipient uint64, seq, later uint8) bool {
		at := time.UnixMilli(1_100_000_000_000).Add(time.Duration(days) * 24 * time.Hour) // valid until the year 2184
		user := linnet.ID(recipient >> 1)
		n := linnet.Notification{ID: linnet.MakeID(at, user.Shard(), seq)}
		next := linnet.Notification{ID: linnet.MakeID(at.Add((time.Duration(later)+1)*time.Millisecond), user.Shard(), 0)}
		return n.Number() < 1<<53 && n.Number() < next.Number() &&
			linnet.NotificationID(linnet.ID(n.Number()), user) == n.ID && linnet.NotificationID(n.ID, user) == n.ID
	}
	if err := quick.Check(numbers, nil); err != nil {
		t.Error(err)
	}
	for _, id := range []linnet.ID{0, 1, 35098814, 1<<63 - 1} {
		if got := linnet.NotificationID(id, 1<<20); got != id {
			t.Errorf("%d became %d", id, got)
		}
	}
}

func TestParseID(t *testing.T) {
	for in, want := range map[string]linnet.ID{"1": 1, "116000000000000000": 116000000000000000, "9223372036854775807": 1<<63 - 1} {
		if id, ok := linnet.ParseID(in); !ok || id != want {
			t.Errorf("%q: %v %v", in, id, ok)
		}
	}
	for _, in := range []string{"", "0", "00", "01", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "1_000", "9223372036854775808",
		"9999999999999999999", "99999999999999999999", "11600000000000000/", "1160000000000000:0", "١", "1\n", "null"} {
		if id, ok := linnet.ParseID(in); ok || id != 0 {
			t.Errorf("%q was read as %v", in, id)
		}
	}
}

func TestCursorOfIDs(t *testing.T) {
	for in, want := range map[linnet.Cursor]linnet.ID{"": 0, "0": 0, "000": 0, "5": 5, "007": 7, linnet.CursorOf(77): 77,
		"9223372036854775808": 1<<63 - 1, "99999999999999999999": 1<<63 - 1, linnet.ScoredCursor(1_790_000_000_000, 5): 1<<63 - 1} {
		if id, err := in.ID(); err != nil || id != want {
			t.Errorf("%q: %v %v", in, id, err)
		}
	}
	for _, in := range []linnet.Cursor{"x", "-5", "1.5", " 7", "7 ", "5,6", "١٢"} {
		if _, err := in.ID(); linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%q: %v", in, err)
		}
	}
}

// TestCursorErrorsAreSentences: the errors name the parameter for clients, but pages show a
// sentence without it.
func TestCursorErrorsAreSentences(t *testing.T) {
	for _, in := range []linnet.Cursor{"x", "99999999999999990000000000000000001", linnet.Cursor(strings.Repeat("7", linnet.SealedDigits))} {
		_, err := in.ID()
		if err == nil {
			_, _, err = in.Scored()
		}
		var e *linnet.Error
		if !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Name != "max_id" {
			t.Fatalf("%q: %v", in, err)
		}
		page := e.Plain(fmt.Sprintf)
		if page != e.Fields[0].Msg || "Validation failed: "+page != e.Msg || page[0] != 'T' {
			t.Errorf("%q: %q on pages, %q in the API", in, page, e.Msg)
		}
	}
}

func TestCursorOfPairs(t *testing.T) {
	pairs := func(score uint64, id uint64) bool {
		s, i := int64(score%(1<<53)), linnet.ID(id%(1<<63))
		s2, i2, err := linnet.ScoredCursor(s, i).Scored()
		return err == nil && s2 == s && i2 == i
	}
	if err := quick.Check(pairs, nil); err != nil {
		t.Error(err)
	}
	at := linnet.MakeID(time.UnixMilli(1_790_000_000_123), 4, 5)
	if s, id, err := linnet.CursorOf(at).Scored(); err != nil || s != 1_790_000_000_123 || id != 0 {
		t.Errorf("an id alone: %v %v %v", s, id, err)
	}
	if s, id, err := linnet.Cursor("").Scored(); s != 0 || id != 0 || err != nil {
		t.Errorf("no cursor: %v %v %v", s, id, err)
	}
	for _, in := range []linnet.Cursor{"x", "-1", "1.5", "123456789012345678901234567890123456",
		"99999999999999990000000000000000001", "17900000000009999999999999999999"} {
		if s, id, err := in.Scored(); linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%q: %v %v %v", in, s, id, err)
		}
	}
}
