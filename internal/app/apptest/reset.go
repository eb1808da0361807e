package apptest

import (
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"net/netip"
	"testing"

	"github.com/pquerna/otp/totp"
)

var Here = netip.MustParseAddr("192.0.2.1")

// Confirmed returns the actor of a staff member who has just confirmed the password.
func (w *World) Confirmed(id linnet.ID) linnet.Actor {
	w.Helper()
	w.OK(w.Identity.ConfirmPassword(w.Ctx, identity.OwnSession{User: id, ID: "session"}, RightPassword, Here))
	return linnet.By(id).In("session")
}

// SecondFactor turns on two-factor login.
func SecondFactor(t *testing.T, w *World, who linnet.ID) {
	t.Helper()
	begun := Must(w.Identity.BeginTwoFactor(w.Ctx, who))(t)
	code := Must(totp.GenerateCode(begun.Secret, w.Store.Now()))(t)
	Must(w.Identity.ConfirmTwoFactor(w.Ctx, identity.OwnSession{User: who}, code, RightPassword, Here))(t)
}
