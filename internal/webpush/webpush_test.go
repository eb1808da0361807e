package webpush

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

func raw(t *testing.T, s string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestExamples checks the examples of RFC 8291 section 5 and draft-ietf-webpush-encryption-04
// section 5, which contain the keys and salts.
func TestExamples(t *testing.T) {
	for name, x := range map[string]struct {
		public, auth, own, salt, plain, want string
		seal                                 func(*sealing, []byte) ([]byte, error)
	}{
		"RFC 8291": {public: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg",
			own: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", salt: "DGv6ra1nlYgDCS1FRnbzlw", plain: "When I grow up, I want to be a watermelon",
			want: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
			seal: (*sealing).encryptStandard},
		"the draft": {public: "BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU", auth: "R29vIGdvbyBnJyBqb29iIQ",
			own: "nCScek-QpEjmOOlT-rQ38nZzvdPlqa00Zy0i6m2OJvY", salt: "lngarbyKfMoi9Z75xYXmkg", plain: "I am the walrus",
			want: "6nqAQUME8hNqw5J3kl8cpVVJylXKYqZOeseZG8UueKpA", seal: (*sealing).draft},
	} {
		t.Run(name, func(t *testing.T) {
			keys, err := ParseKeys(x.public, x.auth)
			if err != nil {
				t.Fatal(err)
			}
			own, err := ecdh.P256().NewPrivateKey(raw(t, x.own))
			if err != nil {
				t.Fatal(err)
			}
			s, err := sealingWith(keys, own, raw(t, x.salt))
			if err != nil {
				t.Fatal(err)
			}
			got, err := x.seal(s, []byte(x.plain))
			if err != nil || !bytes.Equal(got, raw(t, x.want)) {
				t.Errorf("%s, %v; want %s", encode64(got), err, x.want)
			}
		})
	}
}

func TestKeysOfSubscriptions(t *testing.T) {
	const point, auth = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZMqHH6r4Tts7J_aSIgg"
	other := strings.NewReplacer("-", "+", "_", "/")
	for name, x := range map[string]struct {
		point, auth string
		good        bool
	}{
		"as browsers send them": {point, auth, true}, "padded": {point + "=", auth + "==", true}, "the other alphabet": {other.Replace(point), other.Replace(auth), true},
		"no point of the curve": {"BA" + point[2:], auth, false}, "a short point": {point[:40], auth, false}, "a long secret": {point, auth + "AA", false},
		"nothing": {"", "", false}, "no base64": {"!" + point[1:], auth, false}, "a point at infinity": {"AA", auth, false},
	} {
		if _, err := ParseKeys(x.point, x.auth); (err == nil) != x.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBounds(t *testing.T) {
	private, err := NewVAPID()
	if err != nil {
		t.Fatal(err)
	}
	v, err := ParseVAPID(private)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := ParseVAPID(private); err != nil || again.Public() != v.Public() {
		t.Errorf("read again, the key is another: %v", err)
	}
	if _, err := ParseVAPID(private[:31]); err == nil {
		t.Error("a cut key is taken")
	}
	keys, _ := ParseKeys("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZMqHH6r4Tts7J_aSIgg")
	for _, draft := range []bool{false, true} {
		m := Message{Endpoint: "https://push.test/x", Keys: keys, Draft: draft, Payload: make([]byte, MaxPayload), TTL: time.Hour}
		r, err := v.Request(context.Background(), m, "https://linnet.test", time.Now())
		if err != nil || r.ContentLength > 4096 {
			t.Errorf("draft %v: %v", draft, err)
		}
		m.Payload = append(m.Payload, 0)
		if _, err := v.Request(context.Background(), m, "https://linnet.test", time.Now()); err == nil {
			t.Errorf("draft %v: a message that is too long is taken", draft)
		}
	}
}

// FuzzKeys checks that any keys are either refused or usable for encryption.
func FuzzKeys(f *testing.F) {
	f.Add("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZMqHH6r4Tts7J_aSIgg")
	f.Add("", "=")
	f.Fuzz(func(t *testing.T, p256dh, auth string) {
		keys, err := ParseKeys(p256dh, auth)
		if err != nil {
			return
		}
		s, err := newSealing(keys)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.encryptStandard([]byte("x")); err != nil {
			t.Fatal(err)
		}
	})
}
