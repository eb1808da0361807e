package apptest

import (
	"fmt"
	"linnet/internal/linnet"
)

func Logins(vs []linnet.UserView) string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Login)
	}
	return fmt.Sprint(out)
}
