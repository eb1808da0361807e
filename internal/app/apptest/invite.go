package apptest

import (
	"linnet/internal/linnet"
)

func Guest(login, code string) linnet.SignUp {
	return linnet.SignUp{Login: login, Password: "correct horse", Agreed: true, Invite: code}
}
