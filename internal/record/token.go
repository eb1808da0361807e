package record

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Hash returns the SHA-256 of a secret in hexadecimal.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// TokenRecord is the record of a token.
type TokenRecord struct {
	Hash    string // of the token, which identifies it; empty before it is issued
	User    linnet.ID
	App     linnet.ID
	Client  linnet.AppName
	Scopes  []string
	Web     bool
	Created time.Time
	Used    time.Time // recorded at most once a day
	Device  string    // browser and system as text, "" if unknown
	Place   string    // part of the client's address, "" if unknown
}

type Token struct {
	User    JID      `json:"user,omitempty"`
	App     JID      `json:"app,omitempty"`
	Name    string   `json:"name,omitempty"`
	Website string   `json:"site,omitempty"`
	Scopes  []string `json:"scopes,omitempty"`
	Web     bool     `json:"web,omitempty"`
	Created int64    `json:"created"`
	Used    int64    `json:"used,omitempty"` // absent in records of earlier releases, and before the second day
	Device  string   `json:"device,omitempty"`
	Place   string   `json:"place,omitempty"`
}

// EncodeToken encodes a token.
func EncodeToken(t *TokenRecord) []byte {
	r := Token{User: JID(t.User), App: JID(t.App), Name: t.Client.Name, Website: t.Client.Website, Scopes: t.Scopes, Web: t.Web, Created: t.Created.Unix(),
		Device: t.Device, Place: t.Place}
	if t.Used.After(t.Created) {
		r.Used = t.Used.Unix()
	}
	return Encode(r)
}

func DecodeToken(get *kv.Get) (TokenRecord, error) {
	var r Token
	if err := Decode(get, &r); err != nil {
		return TokenRecord{}, err
	}
	return TokenRecord{User: linnet.ID(r.User), App: linnet.ID(r.App), Client: linnet.AppName{Name: r.Name, Website: r.Website},
		Scopes: r.Scopes, Web: r.Web, Created: time.Unix(r.Created, 0), Used: time.Unix(max(r.Used, r.Created), 0), Device: r.Device, Place: r.Place}, nil
}

// Code is the content of an authorization code. It is valid only for the same version of its user's
// secrets: a new password revokes earlier approvals.
type Code struct {
	User        linnet.ID
	App         linnet.ID
	RedirectURI string
	Scopes      []string
	Challenge   string
	Secret      uint64 // version of the user's secrets at the time of the approval
	Device      string // of the approving browser, as text
	Place       string // part of the client's address, as text
	Token       string // hash of the token that it was exchanged for; "" if unused
}

type CodeRecord struct {
	User      JID      `json:"user"`
	App       JID      `json:"app,omitempty"`
	Redirect  string   `json:"redirect,omitempty"`
	Scopes    []string `json:"scopes,omitempty"`
	Challenge string   `json:"challenge,omitempty"`
	Secret    uint64   `json:"secret,omitempty"`
	Device    string   `json:"device,omitempty"`
	Place     string   `json:"place,omitempty"`
	Token     string   `json:"token,omitempty"` // of a used code, which has only this field and the user
}

type App struct {
	Name      string   `json:"name"`
	Website   string   `json:"site,omitempty"`
	Redirects []string `json:"redirects"`
	Scopes    []string `json:"scopes"`
	Secret    string   `json:"secret"` // SHA-256
	Created   int64    `json:"created"`
	Used      bool     `json:"used,omitempty"` // a token was issued; absent in records of earlier releases, which never expire
}

// SessionRecord is a token of a user, named by its hash.
type SessionRecord struct {
	Hash string
	TokenRecord
}

// TwoFactor is the second factor of a user's login (RFC 6238).
type TwoFactor struct {
	Secret   string   `json:"secret"`             // base32, in the form for apps
	On       bool     `json:"on,omitempty"`       // confirmed; before that logins do not require it
	Step     uint64   `json:"step,omitempty"`     // step of the last used code, so that no code is valid twice
	Recovery []string `json:"recovery,omitempty"` // SHA-256 of the unused codes
	Version  uint64   `json:"-"`                  // version that was read; 0 if there is none
}

func TOTPKey(user linnet.ID) kv.Key { return IDKey(KindTOTP, user) }

type Ticket struct {
	User   JID    `json:"user"`
	Secret uint64 `json:"secret"`
}
