package record_test

import (
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestNoticeMember checks the stored form of each type of notification, which must not change.
func TestNoticeMember(t *testing.T) {
	const id, from, about = 1 << 60, 1 << 59, 1 << 58
	for text, n := range map[string]linnet.Notification{
		"1152921504606846976.m.576460752303423488.288230376151711744": {Type: linnet.NotifyMention, Status: about},
		"1152921504606846976.s.576460752303423488.288230376151711744": {Type: linnet.NotifyStatus, Status: about},
		"1152921504606846976.r.576460752303423488.288230376151711744": {Type: linnet.NotifyRepost, Status: about},
		"1152921504606846976.o.576460752303423488.0":                  {Type: linnet.NotifyFollow},
		"1152921504606846976.q.576460752303423488.0":                  {Type: linnet.NotifyRequest},
		"1152921504606846976.f.576460752303423488.288230376151711744": {Type: linnet.NotifyFavourite, Status: about},
		"1152921504606846976.p.576460752303423488.288230376151711744": {Type: linnet.NotifyPoll, Status: about},
		"1152921504606846976.e.576460752303423488.288230376151711744": {Type: linnet.NotifyEdit, Status: about},
		"1152921504606846976.Q.576460752303423488.288230376151711744": {Type: linnet.NotifyQuote, Status: about},
		"1152921504606846976.E.576460752303423488.288230376151711744": {Type: linnet.NotifyQuoted, Status: about},
		"1152921504606846976.R.576460752303423488.288230376151711744": {Type: linnet.NotifyReport, Report: about},
		"1152921504606846976.U.576460752303423488.0":                  {Type: linnet.NotifySignUp},
		"1152921504606846976.c.576460752303423488.288230376151711744": {Type: linnet.NotifyCollected, Collection: about},
		"1152921504606846976.C.576460752303423488.288230376151711744": {Type: linnet.NotifyCollectionEdited, Collection: about},
		"1152921504606846976.S.576460752303423488.1":                  {Type: linnet.NotifySecurity, Event: linnet.PasswordChanged},
		"1152921504606846976.S.576460752303423488.288230376151711744": {Type: linnet.NotifySecurity, Strike: about},
		"1152921504606846976.H.576460752303423488.288230376151711744": {Type: linnet.NotifyHandled, Report: about},
		"1152921504606846976.A.576460752303423488.288230376151711744": {Type: linnet.NotifyAppeal, Strike: about},
	} {
		n.ID, n.From = id, from
		if got := record.NoticeMember(n); got != text {
			t.Errorf("%s is stored as %s, not %s", n.Type, got, text)
		}
		if got, ok := record.ParseNotice(text); !ok || got != n {
			t.Errorf("%s is read as %+v, %v", text, got, ok)
		}
	}
	if n, ok := record.ParseNotice("1152921504606846976.x.576460752303423488.0"); ok {
		t.Errorf("an unknown letter is read as %+v", n)
	}
}
