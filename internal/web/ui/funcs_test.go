package ui_test

import (
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/ui"
)

func TestAgo(t *testing.T) {
	now := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	at := ui.WithReader(t.Context(), ui.Reader{Zone: time.UTC, Lang: locale.English(), Now: func() time.Time { return now }})
	for _, tc := range []struct {
		past time.Duration
		want string
	}{
		{-time.Second, "now"},
		{59 * time.Second, "now"},
		{time.Minute, "1 min"},
		{59*time.Minute + 59*time.Second, "59 min"},
		{time.Hour, "1 h"},
		{23*time.Hour + 59*time.Minute, "23 h"},
		{24 * time.Hour, "1 d"},
		{7*24*time.Hour - time.Second, "6 d"},
		{7 * 24 * time.Hour, "26 Feb"},
		{64 * 24 * time.Hour, "31 Dec 2025"},
	} {
		if got := ui.Ago(at, now.Add(-tc.past)); got != tc.want {
			t.Errorf("Ago(%v) = %q, want %q", tc.past, got, tc.want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tc := range []struct{ login, name, wantName string }{
		{"ann", "Ann Lee", "Ann Lee"},
		{"ann", "  ", "ann"},
		{"ann", "🐦 élan", "🐦 élan"},
		{"ann", "🐦🐦", "🐦🐦"},
		{"_x", "", "_x"},
		{"__", "", "__"},
		{"ann", "ليلى", "ليلى"},
	} {
		u := linnet.UserView{User: linnet.User{Login: tc.login, Name: tc.name}}
		if got := ui.DisplayName(u); got != tc.wantName {
			t.Errorf("DisplayName(%q, %q) = %q, want %q", tc.login, tc.name, got, tc.wantName)
		}
	}
}

// An unknown icon is a bug and panics.
func TestUnknownIcon(t *testing.T) {
	for _, class := range [][]string{nil, {"flip"}, {"wide"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("of class %v: nothing on the page, want a panic", class)
				}
			}()
			ui.Icon("no such drawing", class...)
		}()
	}
}
