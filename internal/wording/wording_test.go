package wording

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

type told struct{}

func (told) Error() string    { return "not this" }
func (told) Message() Message { return Messagef("%d disks", 2) }

func TestMessages(t *testing.T) {
	two, noon := Messagef("%d disks", 2), time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		m       Message
		english string
		values  []any
	}{
		{Messagef("none"), "none", nil},
		{Messagef("%d of %s", uint8(3), "five"), "3 of five", []any{int64(3), "five"}},
		{Messagef("%.1f GB", 1.5), "1.5 GB", []any{1.5}},
		{Messagef("%s and %q", two, two), `2 disks and "2 disks"`, []any{two, two}},
		{Messagef("%s", Store("%d disks", 2)), "2 disks", []any{two}},
		{Messagef("because: %v", fmt.Errorf("wrapped: %w", told{})), "because: 2 disks", []any{two}},
		{Messagef("because: %v", errors.New("of a library")), "because: of a library", []any{"of a library"}},
		{Messagef("in %v", time.March), "in March", []any{"March"}}, // a number with a name
		{Messagef("in %d", time.March), "in 3", nil},                // but the format prints a number
		{Messagef("in %s", 1050*time.Microsecond), "in 1.05ms", []any{1050 * time.Microsecond}},
		{Messagef("in %d", 2*time.Second), "in 2000000000", []any{2 * time.Second}},
		{Messagef("at %s", noon), "at 2026-11-26T12:00:00Z", []any{noon}},
		{Messagef("on %s", Day(noon)), "on 2026-11-26", []any{Day(noon.Add(-12 * time.Hour))}},
		{List(), "", nil},
		{List(two), "2 disks", []any{int64(2)}},
		{List(two, "none", two), "2 disks; none; 2 disks", []any{two, Message("none"), two}},
		{Messagef("%s %s", "a\x1eb\x1f\"c\"\n", "é"), "a\x1eb\x1f\"c\"\n é", []any{Message("a\x1eb\x1f\"c\"\n"), "é"}},
	} {
		if _, values, ok := tc.m.Parts(); tc.m.String() != tc.english || ok != (tc.values != nil) || !reflect.DeepEqual(values, tc.values) {
			t.Errorf("%q reads %q, of %#v, want %q of %#v", string(tc.m), tc.m, values, tc.english, tc.values)
		}
		if !strings.HasPrefix(string(tc.m), tc.english) {
			t.Errorf("%q does not begin as it reads", string(tc.m))
		}
	}
	if data, err := json.Marshal(two); err != nil || string(data) != `"2 disks"` {
		t.Errorf("%s, %v", data, err)
	}
}

// FuzzParts checks that any stored text can be decoded safely, and that encoded messages are
// decoded unchanged.
func FuzzParts(f *testing.F) {
	for _, s := range []string{"", "plain", string(Messagef("%d of %s", 3, Messagef("%s", "x"))), "a\x1e", "a\x1ex", "a\x1e\"%s\"\x1f", "a\x1e\"%d\"\x1fix", "a\x1e\"%d\"\x1fs\"", string(Messagef("%s %s", time.Unix(0, 0).UTC(), time.Second)), "a\x1e\"%s\"\x1ft\"x\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, _, ok := Message(s).Parts(); !ok && Message(s).String() != s {
			t.Errorf("%q reads %q", s, Message(s))
		}
		if m := Messagef("it was %s", s); !strings.HasPrefix(string(m), m.String()) {
			t.Errorf("%q was kept as %q", s, string(m))
		}
	})
}
