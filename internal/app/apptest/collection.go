package apptest

import (
	"linnet/internal/linnet"
)

func (w *World) Collection(me linnet.ID, name string, accounts ...linnet.ID) linnet.CollectionView {
	w.Helper()
	return Must(w.Social.Collections.Create(w.Ctx, me, linnet.CollectionChange{Name: &name}, accounts))(w)
}
