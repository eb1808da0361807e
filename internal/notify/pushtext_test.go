package notify_test

import (
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/notify"
)

// TestSentence checks the sentences about several senders, and about polls and other events without
// one.
func TestSentence(t *testing.T) {
	const me, bob = 1, 2
	for _, c := range []struct {
		n    linnet.Notification
		lang string
		many int64
		want string
	}{
		{linnet.Notification{Type: linnet.NotifyFollow, From: bob}, "en", 1, "bob followed you"},
		{linnet.Notification{Type: linnet.NotifyFollow, From: bob}, "de", 2, "bob folgen dir jetzt"},
		{linnet.Notification{Type: linnet.NotifyEdit, From: bob}, "en", 1, "bob edited a post you boosted"},
		{linnet.Notification{Type: linnet.NotifyPoll, From: me}, "en", 1, "Your poll has ended"},
		{linnet.Notification{Type: linnet.NotifyPoll, From: bob}, "de", 1, "Eine Umfrage, in der du abgestimmt hast, ist beendet"},
		{linnet.Notification{Type: linnet.NotifySecurity, From: me, Event: linnet.PasswordChanged}, "en", 1, "You changed your password."},
		{linnet.Notification{Type: linnet.NotifyHandled, From: me}, "en", 1, "The moderators handled your report. Thank you for your help."},
	} {
		if got := notify.Sentence(locale.Named(c.lang), &linnet.NotificationView{Notification: c.n}, me, c.many, "bob"); got != c.want {
			t.Errorf("%s from %d is %q, not %q", c.n.Type, c.n.From, got, c.want)
		}
	}
}
