package notify_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// PushDevice is a push service with one device. It decrypts pushes with an independent implementation:
// HKDF by hand, in the order of the drafts and RFCs.
type PushDevice struct {
	*testing.T
	*httptest.Server
	key    *ecdh.PrivateKey
	auth   []byte
	code   atomic.Int64 // status code of its responses, 0 for 201
	after  string       // Retry-After header
	pushes chan pushed
}

// pushed is a push that a device has received.
type pushed struct {
	header http.Header
	text   []byte
	told   struct {
		AccessToken      string `json:"access_token"`
		PreferredLocale  string `json:"preferred_locale"`
		NotificationID   uint64 `json:"notification_id"`
		NotificationType string `json:"notification_type"`
		Icon             string `json:"icon"`
		Title            string `json:"title"`
		Body             string `json:"body"`
		Account          string `json:"account"`
	}
}

func NewPushDevice(t *testing.T) *PushDevice {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	d := &PushDevice{T: t, key: key, auth: make([]byte, 16), pushes: make(chan pushed, 100)}
	_, _ = rand.Read(d.auth)
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

func (d *PushDevice) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		d.Error(err)
	}
	p := pushed{header: r.Header}
	if err := d.authorised(r); err != nil {
		d.Error(err)
	}
	if r.Header.Get("Content-Encoding") == "aesgcm" {
		p.text = d.readDraft(r.Header, body)
	} else {
		p.text = d.readStandard(body)
	}
	if err := json.Unmarshal(p.text, &p.told); err != nil {
		d.Errorf("%q: %v", p.text, err)
	}
	if d.after != "" {
		w.Header().Set("Retry-After", d.after)
	}
	code := int(d.code.Load())
	if code == 0 {
		code = http.StatusCreated
	}
	w.WriteHeader(code)
	d.pushes <- p
}

// next returns the next push.
func (d *PushDevice) next() pushed {
	d.Helper()
	select {
	case p := <-d.pushes:
		return p
	case <-time.After(time.Minute):
		d.Fatal("nothing is pushed")
	}
	return pushed{}
}

// silent fails if the device has received a push.
func (d *PushDevice) silent() {
	d.Helper()
	select {
	case p := <-d.pushes:
		d.Errorf("pushed %s", p.text)
	default:
	}
}

func (d *PushDevice) draft(standard bool, alerts ...linnet.NotificationType) linnet.PushDraft {
	return linnet.PushDraft{Endpoint: d.URL + "/device", P256dh: base64.RawURLEncoding.EncodeToString(d.key.PublicKey().Bytes()),
		Auth: base64.RawURLEncoding.EncodeToString(d.auth), Standard: standard, PushChange: linnet.PushChange{Alerts: &alerts}}
}

func unbase64(d *PushDevice, s string) []byte {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		d.Error(err)
	}
	return b
}

func hash(key, text []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(text)
	return h.Sum(nil)
}

// hkdf1 computes HKDF (RFC 5869) for at most 32 bytes.
func hkdf1(salt, ikm []byte, info string, n int) []byte {
	return hash(hash(salt, ikm), append([]byte(info), 1))[:n]
}

func (d *PushDevice) open(key, nonce, sealed []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil {
		d.Error(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		d.Error(err)
	}
	out, err := gcm.Open(nil, nonce, sealed, nil)
	if err != nil {
		d.Error(err)
	}
	return out
}

func (d *PushDevice) agree(point []byte) []byte {
	theirs, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		d.Error(err)
		return nil
	}
	secret, err := d.key.ECDH(theirs)
	if err != nil {
		d.Error(err)
	}
	return secret
}

// readStandard decrypts aes128gcm (RFC 8188, RFC 8291).
func (d *PushDevice) readStandard(body []byte) []byte {
	salt, size, n := body[:16], binary.BigEndian.Uint32(body[16:]), int(body[20])
	point, sealed := body[21:21+n], body[21+n:]
	if len(sealed) > int(size) || len(body) > 4096 {
		d.Errorf("%d bytes in records of %d", len(sealed), size)
	}
	ikm := hkdf1(d.auth, d.agree(point), "WebPush: info\x00"+string(d.key.PublicKey().Bytes())+string(point), 32)
	plain := d.open(hkdf1(salt, ikm, "Content-Encoding: aes128gcm\x00", 16), hkdf1(salt, ikm, "Content-Encoding: nonce\x00", 12), sealed)
	return []byte(strings.TrimSuffix(strings.TrimRight(string(plain), "\x00"), "\x02"))
}

// readDraft decrypts aesgcm (draft-ietf-webpush-encryption-04).
func (d *PushDevice) readDraft(h http.Header, body []byte) []byte {
	salt := unbase64(d, strings.TrimPrefix(h.Get("Encryption"), "salt="))
	dh, _, _ := strings.Cut(strings.TrimPrefix(h.Get("Crypto-Key"), "dh="), ";")
	point, own := unbase64(d, dh), d.key.PublicKey().Bytes()
	ikm := hkdf1(d.auth, d.agree(point), "Content-Encoding: auth\x00", 32)
	with := "P-256\x00\x00\x41" + string(own) + "\x00\x41" + string(point)
	plain := d.open(hkdf1(salt, ikm, "Content-Encoding: aesgcm\x00"+with, 16), hkdf1(salt, ikm, "Content-Encoding: nonce\x00"+with, 12), body)
	return plain[2+binary.BigEndian.Uint16(plain):]
}

// authorised verifies the signature of the server (RFC 8292).
func (d *PushDevice) authorised(r *http.Request) error {
	auth := r.Header.Get("Authorization")
	var token, public string
	if rest, ok := strings.CutPrefix(auth, "vapid t="); ok {
		token, public, _ = strings.Cut(rest, ",k=")
	} else {
		token = strings.TrimPrefix(auth, "WebPush ")
		_, public, _ = strings.Cut(r.Header.Get("Crypto-Key"), "p256ecdsa=")
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return fmt.Errorf("Authorization: %s", auth)
	}
	point, signature := unbase64(d, public), unbase64(d, parts[2])
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return err
	}
	if !ecdsa.Verify(key, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return fmt.Errorf("the signature is wrong")
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(unbase64(d, parts[1]), &claims); err != nil {
		return err
	}
	if left := time.Until(time.Unix(claims.Exp, 0)); claims.Aud != d.URL || claims.Sub != "https://linnet.test" || left < time.Hour {
		return fmt.Errorf("claims %+v", claims)
	}
	return nil
}
