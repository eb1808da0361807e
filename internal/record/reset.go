package record

import (
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

const (
	KindReset       = "reset"
	KindConfirmed   = "confirmed"
	KindSecurityLog = "securitylog"
	KindEmail       = "email"
	KindDevices     = "devices"
	KindRefused     = "refused"
	KindPasskeys    = "passkeys"
	KindPasskey     = "passkey"
	KindChallenge   = "challenge"
)

// securityKeys are the kinds of key about access to accounts.
func securityKeys() []KeyDoc {
	return []KeyDoc{
		{KindReset, "value", "user", "the current reset link, with the SHA-256 of its token, JSON, 24 hours", "1 KiB", "", noSecret()},
		{KindConfirmed, "value", "SHA-256 of a token", "a session with a recently repeated password, 15 minutes", "1", "", noSecret()},
		{KindEmail, "value", "SHA-256 of an e-mail address", "the user with this confirmed address, JSON", "1", "", noSecret()},
		{KindDevices, "set", "user", "SHA-256 of user and cookie of known browsers, by time", "50", "", noSecret()},
		{KindRefused, "value", "account whose sign-up was rejected", "the address for the rejection e-mail, JSON, 2 days", "1 KiB", "", secretIn("email")},
		{KindPasskeys, "value", "user", "the user's passkeys: public keys, counters, names, JSON", "20", "", noSecret()},
		{KindPasskey, "value", "SHA-256 of a credential ID", "the user with this passkey, JSON", "1", "", noSecret()},
		{KindChallenge, "value", "SHA-256 of a challenge", "a passkey challenge for login or registration, JSON, 5 minutes", "1 KiB", "", noSecret()},
		{KindSecurityLog, "value", "user", "security events, the latest first: time, browser, network; JSON", "100 entries, 60 of them logins", "", noSecret()},
	}
}

func ResetKey(user linnet.ID) kv.Key { return IDKey(KindReset, user) }

func SecurityLogKey(user linnet.ID) kv.Key { return IDKey(KindSecurityLog, user) }

// PasskeysKey holds the passkeys of a user.
func PasskeysKey(user linnet.ID) kv.Key { return IDKey(KindPasskeys, user) }

// Passkey is a public key for the login of its owner.
// https://www.w3.org/TR/webauthn-3/#credential-record
type Passkey struct {
	ID         []byte   `json:"id"`
	Key        []byte   `json:"key"` // public, COSE
	Name       string   `json:"name"`
	Added      int64    `json:"added"`            // Unix seconds
	Used       int64    `json:"used,omitempty"`   // Unix seconds
	Count      uint32   `json:"count,omitempty"`  // signature counter of the device; 0: none
	Synced     bool     `json:"synced,omitempty"` // it may be on several devices
	Transports []string `json:"transports,omitempty"`
}

// Hash returns the hash by which the passkey is claimed for one account.
func (p Passkey) Hash() string { return Hash(string(p.ID)) }

// HasPasskey reports whether all contains the passkey with a hash.
func HasPasskey(all []Passkey, hash string) bool {
	return slices.ContainsFunc(all, func(p Passkey) bool { return p.Hash() == hash })
}

// PasskeyKey returns the key of the claim of a passkey. The claim is valid while its user has that
// passkey.
func PasskeyKey(hash string) kv.Key { return HashKey(KindPasskey, HashShard(hash), hash) }

// ChallengeKey holds a challenge for a passkey.
func ChallengeKey(challenge string) kv.Key {
	hash := Hash(challenge)
	return HashKey(KindChallenge, HashShard(hash), hash)
}

// Challenge is the record of a challenge.
type Challenge struct {
	For     string `json:"for"`
	Holder  string `json:"holder"` // SHA-256 of the browser's secret
	User    JID    `json:"user,omitempty"`
	Expires int64  `json:"expires"` // Unix milliseconds
}

// Reset is a link by which the owner regains access to an account.
type Reset struct {
	User      linnet.ID
	TwoFactor bool // it turns two-factor login off instead of setting a password
	Expires   time.Time
	Version   uint64
}

type ResetRecord struct {
	Hash      string `json:"hash"`
	TwoFactor bool   `json:"two_factor,omitempty"`
	Expires   int64  `json:"expires"` // Unix milliseconds
}

type Security struct {
	At    int64  `json:"at"` // Unix milliseconds
	Event string `json:"event"`
	By    JID    `json:"by,omitempty"`

	Count  int    `json:"count,omitempty"` // consecutive times, if more than one
	Device string `json:"device,omitempty"`
	Place  string `json:"place,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Like reports whether two entries differ only in their time.
func (s Security) Like(o Security) bool {
	s.At, s.Count = o.At, o.Count
	return s == o
}

// EmailKey is the claim of a confirmed address, by the address's hash.
func EmailKey(hash string) kv.Key { return HashKey(KindEmail, HashShard(hash), hash) }

// Claim reserves an e-mail address or a passkey for one user. It is valid while the user's own
// record agrees.
type Claim struct {
	User JID   `json:"user"`
	At   int64 `json:"at"` // Unix milliseconds
}

// DevicesKey is the set of browsers that have logged in to an account.
func DevicesKey(user linnet.ID) kv.Key { return IDKey(KindDevices, user) }

// RefusedKey holds the notice for a user whose sign-up was rejected.
func RefusedKey(user linnet.ID) kv.Key { return IDKey(KindRefused, user) }

// Refused is the notice for a user whose sign-up was rejected.
type Refused struct {
	Email string `json:"email"`
	Login string `json:"login"`
}

// Mail is the state of the e-mail address in a user's secrets, and of e-mails to it.
type Mail struct {
	Confirmed int64  `json:"confirmed,omitempty"` // time since which the address is confirmed, Unix milliseconds; 0 if it is not
	Wanted    string `json:"wanted,omitempty"`    // the address that replaces it once confirmed
	Former    string `json:"former,omitempty"`    // the previous address, until it is notified
	Hash      string `json:"hash,omitempty"`      // SHA-256 of the token in the confirmation link
	Expires   int64  `json:"expires,omitempty"`   // expiry of that link, Unix milliseconds
	Enters    bool   `json:"enters,omitempty"`    // the account is approved once this address is confirmed
	Held      bool   `json:"held,omitempty"`      // the pending address gets no link until its owner requests one

	Unwanted []string `json:"unwanted,omitempty"` // kinds of e-mail that are turned off
	Wished   []string `json:"wished,omitempty"`   // kinds that are turned on although off by default
	Digest   string   `json:"digest,omitempty"`   // id of the task that sends the next digest
	Stop     string   `json:"stop,omitempty"`     // the secret in links that unsubscribe from digests
}

// SetPassword replaces the hash of the password. It also cancels a pending address and its
// confirmation link, because an attacker with the previous password may have started them.
func (s *Secret) SetPassword(hash string) {
	s.Hash = hash
	s.Mail.Wanted, s.Mail.Hash, s.Mail.Expires = "", "", 0
	s.Mail.Held = s.Pending() != ""
}

// Pending returns the address that waits for confirmation, or "".
func (s *Secret) Pending() string {
	switch {
	case s.Mail.Wanted != "":
		return s.Mail.Wanted
	case s.Mail.Confirmed == 0:
		return s.Email
	}
	return ""
}

// MailState is the last result of sending e-mails, for operators.
type MailState struct {
	Sent   int64  `json:"sent,omitempty"`   // Unix milliseconds, to a quarter of an hour
	Failed int64  `json:"failed,omitempty"` // Unix milliseconds
	Why    string `json:"why,omitempty"`
}

// MailStateKey holds the MailState.
func MailStateKey() kv.Key { return MetaKey("mail") }
