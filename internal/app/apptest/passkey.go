package apptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
)

// Authenticator is a device with passkeys and its browser, for tests. It answers with valid keys
// and signatures by https://www.w3.org/TR/webauthn-3/. Tests set its fields to make answers
// invalid.
type Authenticator struct {
	Origin     string // of the requesting page
	RPID       string // "" for the requested one
	Unverified bool   // without user verification
	Challenge  string // the challenge to answer, "" for the requested one
	Handle     string // claimed owner of the passkey, "" for the real one
	Count      uint32 // signature counter, 0 for none

	ID     []byte // id of its only passkey, nil for a random one
	key    *ecdsa.PrivateKey
	handle string
}

var enc = base64.RawURLEncoding

// asked contains the options of a ceremony that Answer uses.
type asked struct {
	Challenge string               `json:"challenge"`
	RPID      string               `json:"rpId"`
	RP        struct{ ID string }  `json:"rp"`
	User      *struct{ ID string } `json:"user"`
}

// Answer returns the answer to JSON options. It creates a passkey or uses the existing one.
func (a *Authenticator) Answer(options []byte) []byte {
	var o asked
	if err := json.Unmarshal(options, &o); err != nil {
		panic(err)
	}
	if a.Challenge != "" {
		o.Challenge = a.Challenge
	}
	if o.User != nil {
		return a.create(o)
	}
	return a.get(o)
}

func (a *Authenticator) clientData(kind, challenge string) []byte {
	b, _ := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.Origin, "crossOrigin": false}) // strings can always be encoded
	return b
}

// authData returns the authenticator data of section 6.1: the hash of the RP ID, flags, the
// counter.
func (a *Authenticator) authData(rp string, flags byte) []byte {
	if a.RPID != "" {
		rp = a.RPID
	}
	if !a.Unverified {
		flags |= 0x04
	}
	sum := sha256.Sum256([]byte(rp))
	return binary.BigEndian.AppendUint32(append(sum[:], flags|0x01), a.Count)
}

func (a *Authenticator) create(o asked) []byte {
	a.key, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader) // never fails
	if a.ID == nil {
		a.ID = make([]byte, 16)
		rand.Read(a.ID)
	}
	a.handle = o.User.ID
	point, _ := a.key.PublicKey.Bytes() // an uncompressed point: 4, x, y
	data := append(a.authData(o.RP.ID, 0x40), make([]byte, 16)...)
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(a.ID))), a.ID...)
	// The public key as COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
	data = append(data, 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20)
	data = append(append(data, point[1:33]...), 0x22, 0x58, 0x20)
	data = append(data, point[33:]...)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), byte(len(data)))
	return a.answer(map[string]any{"clientDataJSON": enc.EncodeToString(a.clientData("webauthn.create", o.Challenge)),
		"attestationObject": enc.EncodeToString(append(object, data...)), "transports": []string{"internal"}})
}

func (a *Authenticator) get(o asked) []byte {
	data, client := a.authData(o.RPID, 0), a.clientData("webauthn.get", o.Challenge)
	sum := sha256.Sum256(client)
	signed := sha256.Sum256(append(data[:len(data):len(data)], sum[:]...))
	sig, _ := ecdsa.SignASN1(rand.Reader, a.key, signed[:]) // never fails
	handle := a.handle
	if a.Handle != "" {
		handle = enc.EncodeToString([]byte(a.Handle))
	}
	return a.answer(map[string]any{"clientDataJSON": enc.EncodeToString(client), "authenticatorData": enc.EncodeToString(data),
		"signature": enc.EncodeToString(sig), "userHandle": handle})
}

func (a *Authenticator) answer(response map[string]any) []byte {
	id := enc.EncodeToString(a.ID)
	b, _ := json.Marshal(map[string]any{"id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": map[string]any{}})
	return b
}
