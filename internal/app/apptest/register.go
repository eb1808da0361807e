package apptest

import (
	"linnet/internal/linnet"
)

// Registrations sets the registration mode.
func (w *World) Registrations(r linnet.Registrations) {
	w.Helper()
	Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &r}))(w)
}

func Applicant(login string) linnet.SignUp {
	return linnet.SignUp{Login: login, Password: "correct horse", Agreed: true, Reason: "I like birds."}
}
