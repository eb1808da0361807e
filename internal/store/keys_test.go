package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestKeysOfMany: the keys of many ids are those of each.
func TestKeysOfMany(t *testing.T) {
	ids := []linnet.ID{0, 7, 1 << 40, 1<<64 - 1, 7}
	var want []kv.Key
	for _, id := range ids {
		want = append(want, record.IDKey(record.KindHome, id))
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	if got := record.IDKeys(record.KindHome, ids, texts); !slices.Equal(got, want) {
		t.Errorf("keys of %v, with texts: %v, want %v", ids, got, want)
	}
	if got := record.IDKeys(record.KindHome, ids, nil); !slices.Equal(got, want) {
		t.Errorf("keys of %v: %v, want %v", ids, got, want)
	}
	if got := record.IDKeys(record.KindHome, nil, nil); len(got) != 0 {
		t.Errorf("keys of nobody: %v", got)
	}
}

// TestTagsAreTrimmedEvenly: of the statuses of one author, and of those of one
// moment, about one in tagTrim trims its tags.
func TestTagsAreTrimmedEvenly(t *testing.T) {
	const many = 100 * tagTrim
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for what, id := range map[string]func(i int) linnet.ID{
		"an author who posts slowly": func(i int) linnet.ID { return linnet.MakeID(start.Add(time.Duration(i)*time.Second), 77, 0) },
		"an author who posts fast": func(i int) linnet.ID {
			return linnet.MakeID(start.Add(time.Duration(i/64)*time.Millisecond), 77, uint8(i))
		},
		"many authors": func(i int) linnet.ID {
			return linnet.MakeID(start.Add(time.Duration(i/1024)*time.Millisecond), uint16(i%1024), 5)
		},
	} {
		n := 0
		for i := range many {
			if trimsTags(id(i)) {
				n++
			}
		}
		if n < 50 || n > 200 {
			t.Errorf("%s: %d of %d trim", what, n, many)
		}
	}
}

// TestKeysStateSecrets: every kind of key says what of it is secret.
func TestKeysStateSecrets(t *testing.T) {
	for _, d := range record.Keys() {
		if !d.Secrets.Stated() {
			t.Errorf("%s does not say what of it is secret", d.Kind)
		}
		if len(d.Secrets.Fields) > 0 && d.Shape != "value" {
			t.Errorf("%s is a %s and cannot have secret fields", d.Kind, d.Shape)
		}
	}
}

// TestSecretsOfRecords: fields of records whose names tell that they let somebody
// in, or where somebody is reached, are named as secrets in the key table.
func TestSecretsOfRecords(t *testing.T) {
	for kind, r := range map[string]any{
		record.KindSecret: record.Secret{Hash: "canary", Email: "canary"}, record.KindTOTP: record.TwoFactor{Secret: "canary", Recovery: []string{"canary"}},
		record.KindApp: record.App{Secret: "canary"}, record.KindCode: record.CodeRecord{Challenge: "canary"},
	} {
		i := slices.IndexFunc(record.Keys(), func(d record.KeyDoc) bool { return d.Kind == kind })
		shown, err := mask(record.Encode(r), record.Keys()[i].Secrets.Fields)
		if err != nil || strings.Contains(string(shown), "canary") {
			t.Errorf("%s is shown as %s, %v", kind, shown, err)
		}
	}
}
