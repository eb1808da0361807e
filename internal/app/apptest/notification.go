package apptest

import (
	"fmt"
	"linnet/internal/linnet"
)

// NoticesOf reads all notifications of a user, page by page.
func (w *World) NoticesOf(me linnet.ID, f linnet.NotificationFilter, limit int) []linnet.NotificationView {
	w.Helper()
	var all []linnet.NotificationView
	for p := (linnet.Page{Limit: limit}); ; {
		s := Must(w.Notify.Notifications(w.Ctx, me, f, p))(w)
		all = append(all, s.Items...)
		if s.Last == "" {
			return all
		}
		p.Max = s.Last
	}
}

func NoticeText(ns []linnet.NotificationView) string {
	var out []string
	for _, n := range ns {
		s := string(n.Type) + " by " + n.By.Login
		if n.Status != nil {
			s += ": " + n.Status.Text
		}
		out = append(out, s)
	}
	return fmt.Sprint(out)
}
