package linnet_test

import (
	"testing"

	"linnet/internal/linnet"
)

func TestBoostableBy(t *testing.T) {
	const author, group = linnet.ID(1), linnet.ID(3)
	for _, c := range []struct {
		name         string
		visibility   linnet.Visibility
		group        linnet.ID
		author, user bool // whether each user can boost it
	}{
		{"public", linnet.Public, 0, true, true},
		{"unlisted", linnet.Unlisted, 0, true, true},
		{"followers only", linnet.Private, 0, true, false},
		{"direct", linnet.Direct, 0, false, false},
		{"in an open group", linnet.Public, group, true, true},
		{"for group members", linnet.Private, group, false, false},
		{"for those who were group members", linnet.Direct, group, false, false},
	} {
		st := &linnet.Status{Author: author, Visibility: c.visibility, Group: c.group}
		if got := st.BoostableBy(author); got != c.author {
			t.Errorf("%s: the author can boost it is %v, want %v", c.name, got, c.author)
		}
		if got := st.BoostableBy(2); got != c.user {
			t.Errorf("%s: another user can boost it is %v, want %v", c.name, got, c.user)
		}
	}
}
