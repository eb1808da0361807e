package apptest

import (
	"linnet/internal/linnet"
)

// MadeRole creates a role as the operator.
func (w *World) MadeRole(name string, may linnet.Permission) linnet.CustomRole {
	w.Helper()
	return Must(w.Moderation.WriteRole(w.Ctx, linnet.Operator(), 0, linnet.RoleChange{Name: &name, Permissions: &may}))(w.T)
}
