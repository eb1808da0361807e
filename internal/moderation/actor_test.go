package moderation_test

import (
	"reflect"
	"slices"
	"testing"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/linnet"
)

// staffMethods calls each method that takes an actor, with zero values for the other arguments. It
// returns the errors by method name.
func staffMethods(w *apptest.World, by linnet.Actor) map[string]error {
	storeys, out := reflect.ValueOf(w.App).Elem(), map[string]error{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[app.App]()) {
		if !field.IsExported() {
			continue
		}
		for i := range field.Type.NumMethod() {
			m := storeys.FieldByIndex(field.Index).Method(i)
			if m.Type().NumIn() < 2 || m.Type().In(1) != reflect.TypeFor[linnet.Actor]() {
				continue
			}
			in := []reflect.Value{reflect.ValueOf(w.Ctx), reflect.ValueOf(by)}
			for n := 2; n < m.Type().NumIn(); n++ {
				in = append(in, reflect.Zero(m.Type().In(n)))
			}
			name := field.Name + "." + field.Type.Method(i).Name
			// NewAct and LogAct record actions that their callers have checked. Members can add feeds.
			if slices.Contains([]string{"Core.NewAct", "Core.LogAct", "Outside.Resolve"}, name) {
				continue
			}
			results := m.Call(in)
			out[name], _ = results[len(results)-1].Interface().(error)
		}
	}
	return out
}

// TestActorsAreChecked checks that each method that takes an actor refuses callers who are not
// staff before it validates anything else. The log stays empty.
func TestActorsAreChecked(t *testing.T) {
	w := apptest.InMemory(t)
	ann, former := w.User("ann"), w.User("former")
	w.OK(w.GiveRole("former", linnet.Admin))
	w.OK(w.Operate("former", linnet.Measure{Act: linnet.Disable}))
	w.Drain()
	logged := func() int {
		return len(apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{}))(t).Items)
	}
	before := logged()
	for who, by := range map[string]linnet.Actor{"nobody": {}, "a user without an id": linnet.By(0), "a member": linnet.By(ann), "one locked out": linnet.By(former)} {
		methods := staffMethods(w, by)
		if len(methods) < 30 {
			t.Errorf("only %d methods take an actor", len(methods))
		}
		for name, err := range methods {
			if linnet.KindOf(err) != linnet.Forbidden {
				t.Errorf("%s by %s: %v", name, who, err)
			}
		}
	}
	w.Drain()
	if now := logged(); now != before {
		t.Errorf("the log has %d acts, and had %d", now, before)
	}
}

// TestOperatorActs checks that administrators cannot perform actions that are reserved to the
// operator, and that the log shows those as commands.
func TestOperatorActs(t *testing.T) {
	w := apptest.InMemory(t)
	boss, bob := w.User("boss"), w.User("bob")
	w.OK(w.GiveRole("boss", linnet.Admin))
	acts := map[linnet.Moderation]func(by linnet.Actor) error{
		core.ActCreate: func(by linnet.Actor) error {
			return apptest.Err(w.Moderation.CreateUser(w.Ctx, by, linnet.SignUp{Login: "eve", Password: apptest.Password, Agreed: true}))
		},
		core.ActPassword:  func(by linnet.Actor) error { return w.Identity.SetPassword(w.Ctx, by, "bob", apptest.Password) },
		core.ActTwoFactor: func(by linnet.Actor) error { return w.Identity.ResetTwoFactor(w.Ctx, by, "bob") },
		core.ImportWorld:  func(by linnet.Actor) error { return w.Moderation.LogCommand(w.Ctx, by, core.ImportWorld, "x") },
		linnet.Remove:     func(by linnet.Actor) error { return w.Moderation.DeleteAccount(w.Ctx, by, bob) }, // not suspended
	}
	for _, do := range acts {
		apptest.WantKind(t, do(linnet.By(boss)), linnet.Forbidden)
	}
	for _, act := range []linnet.Moderation{core.ActCreate, core.ActPassword, core.ActTwoFactor, core.ImportWorld, linnet.Remove} {
		w.OK(acts[act](linnet.Operator()))
		w.Drain()
		last := apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{Limit: 1}))(t).Items[0]
		if last.Act.Act != act || last.By != 0 || last.ByUser != nil {
			t.Errorf("after %s the log holds %+v", act, last.Act)
		}
	}
	w.Check()
}
