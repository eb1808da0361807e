package web

import (
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

func TestAgo(t *testing.T) {
	now := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	at := withReader(t.Context(), reader{zone: time.UTC, lang: locale.English(), now: func() time.Time { return now }})
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
		if got := ago(at, now.Add(-tc.past)); got != tc.want {
			t.Errorf("ago(%v) = %q, want %q", tc.past, got, tc.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := number(n); got != want {
			t.Errorf("number(%d) = %q, want %q", n, got, want)
		}
	}
	for _, tc := range []struct {
		n    int64
		noun string
		want string
	}{{1, "reply", "1 reply"}, {2, "reply", "2 replies"}, {0, "boost", "0 boosts"}, {1200, "favourite", "1,200 favourites"}} {
		if got := count(tc.n, tc.noun); got != tc.want {
			t.Errorf("count(%d, %q) = %q, want %q", tc.n, tc.noun, got, tc.want)
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
		if got := displayName(u); got != tc.wantName {
			t.Errorf("displayName(%q, %q) = %q, want %q", tc.login, tc.name, got, tc.wantName)
		}
	}
}
