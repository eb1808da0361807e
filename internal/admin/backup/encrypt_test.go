package backup

import (
	"bytes"
	"io"
	"testing"

	"filippo.io/age"
)

// TestSealedSizeIsKnown before anything is encrypted, around the ends of age's parts, for one
// recipient and for two.
func TestSealedSizeIsKnown(t *testing.T) {
	var to Recipients
	for range 2 {
		k, err := age.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		to = append(to, k.Recipient().String())
		s := to.sealing([]byte("a secret"))
		bare, err := s.copy(io.Discard, bytes.NewReader(nil))
		if err != nil {
			t.Fatal(err)
		}
		w := Writer{location: &Location{sealed: true, seal: s}, bare: bare}
		for _, n := range []int64{0, 1, sealedPart - 1, sealedPart, sealedPart + 1, 3 * sealedPart, 3*sealedPart + 7} {
			if is, err := s.copy(io.Discard, bytes.NewReader(make([]byte, n))); err != nil || is != w.takes(n) {
				t.Errorf("%d bytes for %d recipients take %d, expected were %d: %v", n, len(to), is, w.takes(n), err)
			}
		}
	}
}
