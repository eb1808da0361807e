package apptest

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"linnet/internal/linnet"
)

// PeopleNamed creates n users with numbered names.
func (w *World) PeopleNamed(name string, n int) []linnet.ID {
	out := make([]linnet.ID, n)
	for i := range out {
		out[i] = w.Person(fmt.Sprint(name, i))
	}
	return out
}

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

// GroupMembers returns the members of a group with their roles, sorted.
func (w *World) GroupMembers(viewer, group linnet.ID) []string {
	w.Helper()
	m := Must(w.Groups.GroupMembers(w.Ctx, viewer, group, linnet.Outsider, linnet.Page{}))(w)
	var out []string
	for _, x := range m.Items {
		out = append(out, x.Login+" "+x.Role.String())
	}
	return Sorted(out)
}

// Want reports two different lists of texts.
func Want(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// SizeOr returns the number in LINNET_LARGE, or usual.
func SizeOr(usual int) int {
	if many, err := strconv.Atoi(os.Getenv("LINNET_LARGE")); err == nil {
		return many
	}
	return usual
}

// Collection creates a collection with some accounts.
func (w *World) Collection(me linnet.ID, name string, accounts ...linnet.ID) linnet.CollectionView {
	w.Helper()
	return Must(w.Social.Collections.Create(w.Ctx, me, linnet.CollectionChange{Name: &name}, accounts))(w)
}

// ListPage reads the timeline of a list and returns its texts.
func (w *World) ListPage(me, list linnet.ID) string {
	w.Helper()
	return fmt.Sprint(Texts(w.Pages(3, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Feeds.ListTimeline(w.Ctx, me, list, p)
	})))
}

// List creates a list.
func (w *World) List(me linnet.ID, c linnet.ListChange) linnet.ID {
	w.Helper()
	if c.Title == nil {
		c.Title = new("list")
	}
	return Must(w.Lists.CreateList(w.Ctx, me, c))(w).ID
}

// AddTo adds users to a list.
func (w *World) AddTo(me, list linnet.ID, users ...linnet.ID) {
	w.Helper()
	if err := w.Lists.AddToList(w.Ctx, me, list, users); err != nil {
		w.Fatal(err)
	}
}
