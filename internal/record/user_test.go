package record

import (
	"slices"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// TestFieldsOfAProfile checks that profile fields of earlier releases, which had no verification,
// are decoded, and that those releases can decode ours.
func TestFieldsOfAProfile(t *testing.T) {
	at := time.UnixMilli(1_770_000_000_123)
	for name, c := range map[string]struct {
		data string
		want []linnet.ProfileField
	}{
		"of an earlier release": {`{"login":"ann","fields":[{"Name":"Home","Value":"https://a.test"}]}`, []linnet.ProfileField{{Name: "Home", Value: "https://a.test"}}},
		"verified":              {`{"login":"ann","fields":[{"Name":"Home","Value":"https://a.test","Verified":1770000000123}]}`, []linnet.ProfileField{{Name: "Home", Value: "https://a.test", Verified: at}}},
		"none":                  {`{"login":"ann"}`, nil},
	} {
		u, _, err := DecodeUser(1, &kv.Get{Data: []byte(c.data)})
		if err != nil || !slices.EqualFunc(u.Fields, c.want, sameField) {
			t.Errorf("%s: %+v, %v", name, u, err)
			continue
		}
		if got := string(EncodeUser(u, false)); got != c.data {
			t.Errorf("%s: it is written as %s", name, got)
		}
	}
}

func sameField(a, b linnet.ProfileField) bool {
	return a.Name == b.Name && a.Value == b.Value && a.Verified.Equal(b.Verified)
}
