package linnet_test

import (
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestNotificationKinds checks the rows of the table: a type and its letter have one row, and each
// row has an icon and one kind of text.
func TestNotificationKinds(t *testing.T) {
	n := 0
	for c := 'A'; c <= 'z'; c++ {
		k, ok := linnet.NotificationKindOf(string(c))
		if !ok {
			continue
		}
		n++
		if k.Type.Kind() != k {
			t.Errorf("%s has two rows, or its letter %s has", k.Type, k.Letter)
		}
		if k.Icon == "" || k.Did != "" && (k.Text != "" || k.Own) || k.Did+k.Text == "" && k.Subject != linnet.AboutAccess || k.Did != "" && !strings.Contains(k.Did, "%[2]s") {
			t.Errorf("%s is incomplete: %+v", k.Type, k)
		}
		if k.OnPages && (k.Alert != "" || k.Fallback) {
			t.Errorf("apps get %s, which is on pages only", k.Type)
		}
	}
	if n != 17 {
		t.Errorf("%d kinds have a letter", n)
	}
	if k := linnet.NotificationType("").Kind(); k != (linnet.NotificationKind{}) {
		t.Errorf("no type has the kind %+v", k)
	}
}
