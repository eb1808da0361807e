package apptest

import (
	"linnet/internal/linnet"
)

func (w *World) Moderate(by linnet.Actor, on linnet.ID, act linnet.Moderation) error {
	return w.Moderation.Moderate(w.Ctx, by, linnet.Measure{On: on, Act: act, Reason: "because"})
}

// Operate performs an action of the operator on an account.
func (w *World) Operate(login string, m linnet.Measure) error {
	u, err := w.Moderation.AccountNamed(w.Ctx, linnet.Operator(), login)
	if err != nil {
		return err
	}
	m.On = u.ID
	return w.Moderation.Moderate(w.Ctx, linnet.Operator(), m)
}

func (w *World) GiveRole(login string, r linnet.Role) error {
	return w.Operate(login, linnet.Measure{Act: linnet.GiveRole, Role: r})
}

func (w *World) OK(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}
