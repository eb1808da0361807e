// Package webpush builds requests for push services. It encrypts messages for a subscription by RFC
// 8291 (aes128gcm) or its earlier draft (aesgcm), and signs them by RFC 8292. It sends nothing.
package webpush

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// MaxPayload is the limit of a message in bytes (RFC 8291 section 4). Push services accept 4096
	// bytes including the encoding.
	MaxPayload = 3993

	saltBytes  = 16
	pointBytes = 65 // an uncompressed point of P-256
	authBytes  = 16
	recordSize = 4096
)

// ErrKeys is returned for invalid keys of a subscription.
var ErrKeys = errors.New("invalid keys of the subscription")

// Keys are the keys of a subscription: the receiver's public key, an uncompressed point of P-256,
// and a shared secret.
type Keys struct{ P256dh, Auth []byte }

// ParseKeys parses keys as clients send them: base64 in either alphabet, with or without padding.
// It returns ErrKeys for invalid keys.
func ParseKeys(p256dh, auth string) (Keys, error) {
	point, err1 := decode64(p256dh)
	secret, err2 := decode64(auth)
	if err1 != nil || err2 != nil || len(secret) != authBytes {
		return Keys{}, ErrKeys
	}
	if _, err := ecdh.P256().NewPublicKey(point); err != nil || len(point) != pointBytes {
		return Keys{}, ErrKeys
	}
	return Keys{point, secret}, nil
}

func decode64(s string) ([]byte, error) {
	s = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(s, "="))
	return base64.RawURLEncoding.DecodeString(s)
}

func encode64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// Message is a message to one subscription.
type Message struct {
	Endpoint string
	Keys     Keys
	Draft    bool // uses the encoding before RFC 8291
	Payload  []byte
	TTL      time.Duration // time for which the push service stores it for an offline device (RFC 8030 section 5.2)
	Urgency  string        // RFC 8030 section 5.3
	Topic    string        // replaces a waiting message of the same topic, at most 32 characters (RFC 8030 section 5.4)
}

// Request returns the request that delivers a message to its push service. It is signed with a
// subject, which is the contact address of the operator.
func (v *VAPID) Request(ctx context.Context, m Message, subject string, now time.Time) (*http.Request, error) {
	to, err := url.Parse(m.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("parse the endpoint: %w", err)
	}
	token, err := v.token(to.Scheme+"://"+to.Host, subject, now.Add(tokenLife))
	if err != nil {
		return nil, err
	}
	s, err := newSealing(m.Keys)
	if err != nil {
		return nil, err
	}
	seal := s.encryptStandard
	if m.Draft {
		seal = s.draft
	}
	body, err := seal(m.Payload)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.Endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("parse the endpoint: %w", err)
	}
	h := r.Header
	h.Set("Content-Type", "application/octet-stream")
	h.Set("TTL", strconv.Itoa(int(m.TTL.Seconds())))
	h.Set("Urgency", m.Urgency)
	h.Set("Topic", m.Topic)
	if m.Draft {
		h.Set("Content-Encoding", "aesgcm")
		h.Set("Encryption", "salt="+encode64(s.salt))
		h.Set("Crypto-Key", "dh="+encode64(s.public)+";p256ecdsa="+encode64(v.public))
		h.Set("Authorization", "WebPush "+token)
		return r, nil
	}
	h.Set("Content-Encoding", "aes128gcm")
	h.Set("Authorization", "vapid t="+token+",k="+encode64(v.public)) // RFC 8292 section 3
	return r, nil
}

// sealing contains the keys of one message.
type sealing struct {
	to     Keys
	public []byte // of the key pair of the message
	shared []byte // Diffie-Hellman secret
	salt   []byte
}

// newSealing generates a key pair and a salt for a message.
func newSealing(to Keys) (*sealing, error) {
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate a key: %w", err)
	}
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(rand.Reader, salt); err != nil {
		return nil, fmt.Errorf("generate a salt: %w", err)
	}
	return sealingWith(to, own, salt)
}

func sealingWith(to Keys, own *ecdh.PrivateKey, salt []byte) (*sealing, error) {
	theirs, err := ecdh.P256().NewPublicKey(to.P256dh)
	if err != nil {
		return nil, ErrKeys
	}
	shared, err := own.ECDH(theirs)
	if err != nil {
		return nil, ErrKeys
	}
	return &sealing{to: to, public: own.PublicKey().Bytes(), shared: shared, salt: salt}, nil
}

// encryptStandard encrypts a message by RFC 8291 section 3 and RFC 8188 section 2: a header and one
// record.
func (s *sealing) encryptStandard(plain []byte) ([]byte, error) {
	if len(plain) > MaxPayload {
		return nil, fmt.Errorf("the message has %d bytes (maximum is %d)", len(plain), MaxPayload)
	}
	ikm, err := derive(s.shared, s.to.Auth, "WebPush: info\x00"+string(s.to.P256dh)+string(s.public), sha256.Size)
	if err != nil {
		return nil, err
	}
	head := binary.BigEndian.AppendUint32(bytes.Clone(s.salt), recordSize)
	head = append(append(head, byte(len(s.public))), s.public...)
	const last = 2 // the delimiter of the last record
	return seal(head, ikm, s.salt, "Content-Encoding: aes128gcm\x00", "Content-Encoding: nonce\x00", append(bytes.Clone(plain), last))
}

// draft encrypts a message by draft-ietf-webpush-encryption-04 section 3, with the record of
// draft-ietf-httpbis-encryption-encoding-03. The parameters are HTTP headers.
func (s *sealing) draft(plain []byte) ([]byte, error) {
	if len(plain) > MaxPayload {
		return nil, fmt.Errorf("the message has %d bytes (maximum is %d)", len(plain), MaxPayload)
	}
	ikm, err := derive(s.shared, s.to.Auth, "Content-Encoding: auth\x00", sha256.Size)
	if err != nil {
		return nil, err
	}
	between := "P-256\x00" + sized(s.to.P256dh) + sized(s.public)
	unpadded := append([]byte{0, 0}, plain...)
	return seal(nil, ikm, s.salt, "Content-Encoding: aesgcm\x00"+between, "Content-Encoding: nonce\x00"+between, unpadded)
}

// sized returns b with its length as a prefix.
func sized(b []byte) string {
	return string(binary.BigEndian.AppendUint16(nil, uint16(len(b)))) + string(b)
}

func derive(secret, salt []byte, info string, n int) ([]byte, error) {
	return hkdf.Key(sha256.New, secret, salt, info, n)
}

// seal appends the encrypted text to head.
func seal(head, ikm, salt []byte, keyInfo, nonceInfo string, plain []byte) ([]byte, error) {
	key, err := derive(ikm, salt, keyInfo, 16)
	if err != nil {
		return nil, err
	}
	nonce, err := derive(ikm, salt, nonceInfo, 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return gcm.Seal(head, nonce, plain, nil), nil
}

// tokenLife is the lifetime of a signature. RFC 8292 section 2 allows 24 hours, but clocks differ.
const tokenLife = 12 * time.Hour

// VAPID is the key that identifies the server to push services (RFC 8292). It is safe for
// concurrent use.
type VAPID struct {
	key    *ecdsa.PrivateKey
	public []byte
}

// NewVAPID generates a key and returns its private part for ParseVAPID.
func NewVAPID() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate a key: %w", err)
	}
	return key.Bytes()
}

// ParseVAPID parses a key from its private part.
func ParseVAPID(private []byte) (*VAPID, error) {
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), private)
	if err != nil {
		return nil, fmt.Errorf("parse the server key: %w", err)
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		return nil, fmt.Errorf("parse the server key: %w", err)
	}
	return &VAPID{key, public}, nil
}

// Public returns the public key for clients: URL-safe base64 with padding, like Mastodon.
func (v *VAPID) Public() string { return base64.URLEncoding.EncodeToString(v.public) }

// token returns a JSON web token, signed with ES256 (RFC 8292 section 2, RFC 7515, RFC 7518).
func (v *VAPID) token(audience, subject string, expires time.Time) (string, error) {
	signed := encode64([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." +
		encode64(fmt.Appendf(nil, `{"aud":%q,"exp":%d,"sub":%q}`, audience, expires.Unix(), subject))
	sum := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, v.key, sum[:])
	if err != nil {
		return "", fmt.Errorf("sign the request: %w", err)
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return signed + "." + encode64(signature), nil
}
