package apptest

import (
	"linnet/internal/linnet"
	"slices"
	"testing"
)

// Group creates a group with members.
func (w *World) Group(by linnet.ID, login string, kind linnet.GroupKind, members ...linnet.ID) linnet.ID {
	w.Helper()
	v, err := w.Groups.CreateGroup(w.Ctx, by, linnet.NewGroup{Login: login, Name: "The " + login, Kind: kind})
	if err != nil {
		w.Fatalf("found %s: %v", login, err)
	}
	for _, m := range members {
		if kind == linnet.Chat {
			w.OK(w.Groups.InviteToGroup(w.Ctx, by, v.ID, []linnet.ID{m}))
		}
		w.Follow(m, v.ID)
		if kind == linnet.PrivateGroup {
			w.OK(w.Groups.AcceptMember(w.Ctx, by, v.ID, m))
		}
	}
	return v.ID
}

// MembersOf returns the members of a group with their roles, sorted.
func (w *World) MembersOf(viewer, group linnet.ID) []string {
	w.Helper()
	m := Must(w.Groups.GroupMembers(w.Ctx, viewer, group, linnet.Outsider, linnet.Page{}))(w)
	var out []string
	for _, x := range m.Items {
		out = append(out, x.Login+" "+x.Role.String())
	}
	return Sorted(out)
}

func Want(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}
