package moderation_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
)

// staffReads returns the reads for staff with the lowest role that is allowed.
func staffReads(w *apptest.World, bob, report linnet.ID) map[string]struct {
	least linnet.Role
	read  func(ctx context.Context, by linnet.Actor) error
} {
	type row = struct {
		least linnet.Role
		read  func(ctx context.Context, by linnet.Actor) error
	}
	return map[string]row{
		"Moderation.Account": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Moderation.Account(ctx, by, bob)
			return err
		}},
		"Moderation.AccountNamed": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Moderation.AccountNamed(ctx, by, "bob")
			return err
		}},
		"Moderation.Accounts": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Moderation.Accounts(ctx, by, moderation.AccountsQuery{}, linnet.Page{})
			return err
		}},
		"Moderation.Reports": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Moderation.Reports(ctx, by, linnet.ReportFilter{}, linnet.Page{})
			return err
		}},
		"Moderation.ReportByID": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Moderation.ReportByID(ctx, by, report)
			return err
		}},
		"Moderation.Acts": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Moderation.Acts(ctx, by, linnet.Page{})
			return err
		}},
		"Invites.All": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error { _, err := w.Invites.All(ctx, by); return err }},
		"Moderation.Statistics.LastDays": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Moderation.Statistics.LastDays(ctx, by, 3)
			return err
		}},
		"Moderation.Statistics.Measures": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Moderation.Statistics.Measures(ctx, by, []string{"new_users"}, time.Now().AddDate(0, 0, -1), time.Now())
			return err
		}},
		"Trends.All": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Trends.All(ctx, by, discovery.TrendTags)
			return err
		}},
		"Trends.AllTags": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error { _, err := w.Trends.AllTags(ctx, by); return err }},
		"Trends.FindTag": {linnet.Moderator, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Trends.FindTag(ctx, by, "birds", func(name string) string { return name })
			return err
		}},
		"Moderation.Server.Tasks": {linnet.Admin, func(ctx context.Context, by linnet.Actor) error {
			_, _, err := w.Moderation.Server.Tasks(ctx, by)
			return err
		}},
		"Moderation.Roles": {linnet.Admin, func(ctx context.Context, by linnet.Actor) error { _, err := w.Moderation.Roles(ctx, by); return err }},
		"Moderation.Server.StoreInfo": {linnet.Admin, func(ctx context.Context, by linnet.Actor) error {
			_, err := w.Moderation.Server.StoreInfo(ctx, by)
			return err
		}},
	}
}

// TestStaffReads checks that services restrict the reads for staff themselves, independent of the
// frontends.
func TestStaffReads(t *testing.T) {
	w := apptest.InMemory(t)
	ids := map[linnet.Role]linnet.ID{linnet.Member: w.User("bob"), linnet.Moderator: w.User("una"), linnet.Admin: w.User("ann")}
	w.OK(w.GiveRole("una", linnet.Moderator))
	w.OK(w.GiveRole("ann", linnet.Admin))
	former, suspended := w.User("former"), w.User("gone")
	for login, id := range map[string]linnet.ID{"former": former, "gone": suspended} {
		w.OK(w.GiveRole(login, linnet.Admin))
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.Operator(), linnet.Measure{On: id, Act: map[string]linnet.Moderation{"former": linnet.Disable, "gone": linnet.Suspend}[login]}))
	}
	filed := apptest.Must(w.Moderation.Report(w.Ctx, ids[linnet.Member], linnet.ReportDraft{On: former, Comment: "x"}))(t)
	w.Drain()
	for name, r := range staffReads(w, ids[linnet.Member], filed.ID) {
		for role, id := range ids {
			want := linnet.Forbidden
			err := r.read(w.Ctx, linnet.By(id))
			if may := role >= r.least; may && err != nil || !may && linnet.KindOf(err) != want {
				t.Errorf("%s by role %d: %v", name, role, err)
			}
		}
		for who, id := range map[string]linnet.ID{"nobody": 0, "an unknown account": 12345, "one locked out": former, "one suspended": suspended} {
			if err := r.read(w.Ctx, linnet.By(id)); linnet.KindOf(err) != linnet.Forbidden {
				t.Errorf("%s by %s: %v", name, who, err)
			}
		}
		if err := r.read(w.Ctx, linnet.Operator()); err != nil {
			t.Errorf("%s by a command: %v", name, err)
		}
	}
}

// TestStaffReadsAreInTheTable checks that every method of a service that returns data for staff is
// in staffReads.
func TestStaffReadsAreInTheTable(t *testing.T) {
	w := apptest.InMemory(t)
	table := staffReads(w, 0, 0)
	secret := []string{"AccountView", "StaffReport", "CustomRoleView", "ActView", "InviteView", "Queued", "task.Listed", "StoreInfo", "DayCount", "Measured", "TrendItem"}
	acts := []string{"Moderation.ChangeReport", "Invites.Create", "Invites.CreateAs", "Invites.Own"} // methods that change something and check the actor, or return the caller's own data
	looked := 0
	var look func(service reflect.Type, path string)
	look = func(service reflect.Type, path string) {
		for i := range service.NumMethod() {
			m := service.Method(i)
			looked++
			for o := range m.Type.NumOut() {
				out := m.Type.Out(o).String()
				if slices.ContainsFunc(secret, func(s string) bool { return strings.Contains(out, s) }) && table[path+m.Name].read == nil && !slices.Contains(acts, path+m.Name) {
					t.Errorf("%s%s returns %s and is not in the table", path, m.Name, out)
				}
			}
		}
		if service.Kind() == reflect.Pointer && service.Elem().Kind() == reflect.Struct {
			for _, field := range reflect.VisibleFields(service.Elem()) {
				if field.IsExported() && !field.Anonymous {
					look(field.Type, path+field.Name+".")
				}
			}
		}
	}
	look(reflect.TypeFor[*app.App](), "")
	if looked < 300 {
		t.Errorf("only %d methods were looked at", looked)
	}
}
