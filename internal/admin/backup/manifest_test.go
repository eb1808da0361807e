package backup

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func someManifest(t testing.TB) []byte {
	data, err := Manifest{Format: 1, Program: "1.0", Moment: time.UnixMilli(1_800_000_000_000).UTC(), Shards: make([]Shard, shards),
		Files: Files{List: []Chunk{{Hash: strings.Repeat("a", 64), Bytes: 7}}}}.sealed()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestManifestIsReadAsItWasWritten(t *testing.T) {
	m, err := parseManifest(someManifest(t))
	if err != nil || m.Name() != "20270115T080000.000Z" || len(m.Files.List) != 1 {
		t.Errorf("got %+v, %v", m, err)
	}
	for text, want := range map[string]error{
		"":              ErrDamaged,
		"{}":            ErrDamaged,
		`{"format": 9}`: ErrNewer,
		strings.Replace(string(someManifest(t)), `"bytes":7`, `"bytes":8`, 1):                                     ErrDamaged,
		strings.Replace(string(someManifest(t)), strings.Repeat("a", 64), strings.Repeat("/", 64), 1):             ErrDamaged,
		strings.Replace(string(someManifest(t)), strings.Repeat("a", 64), "../"+strings.Repeat("a", 61), 1) + " ": ErrDamaged,
	} {
		if _, err := parseManifest([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%.40q: %v, want %v", text, err, want)
		}
	}
}

// FuzzManifest: nothing makes it panic, and nothing that it takes leads out of the directory.
func FuzzManifest(f *testing.F) {
	f.Add(someManifest(f))
	f.Add([]byte(`{"format":1,"shards":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data)
		if err != nil {
			return
		}
		for _, c := range m.Files.List {
			if !isHash(c.Hash) {
				t.Errorf("chunk %q", c.Hash)
			}
		}
	})
}
