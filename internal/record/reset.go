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
		{KindSecurityLog, "value", "user", "security events, the latest first: time, browser, network; JSON", "100 entries, 60 of them log-ins", "", noSecret()},
	}
}

func ResetKey(user linnet.ID) kv.Key { return IDKey(KindReset, user) }

func SecurityLogKey(user linnet.ID) kv.Key { return IDKey(KindSecurityLog, user) }

// PasskeysKey is where the passkeys of a user lie.
func PasskeysKey(user linnet.ID) kv.Key { return IDKey(KindPasskeys, user) }

// Passkey is a public key by which its owner logs in.
// https://www.w3.org/TR/webauthn-3/#credential-record
type Passkey struct {
	ID         []byte   `json:"id"`
	Key        []byte   `json:"key"` // public, COSE
	Name       string   `json:"name"`
	Added      int64    `json:"added"`            // Unix seconds
	Used       int64    `json:"used,omitempty"`   // likewise
	Count      uint32   `json:"count,omitempty"`  // of signatures, as its device says; 0: it does not count
	Synced     bool     `json:"synced,omitempty"` // it may lie on several devices
	Transports []string `json:"transports,omitempty"`
}

// Hash returns the hash by which the passkey is claimed for one account.
func (p Passkey) Hash() string { return Hash(string(p.ID)) }

// HasPasskey reports whether all contains the passkey with a hash.
func HasPasskey(all []Passkey, hash string) bool {
	return slices.ContainsFunc(all, func(p Passkey) bool { return p.Hash() == hash })
}

// PasskeyKey returns the key of the claim of a passkey. The claim counts while the passkeys of
// its user contain that passkey.
func PasskeyKey(hash string) kv.Key { return HashKey(KindPasskey, HashShard(hash), hash) }

// ChallengeKey is where a challenge lies for a passkey.
func ChallengeKey(challenge string) kv.Key {
	hash := Hash(challenge)
	return HashKey(KindChallenge, HashShard(hash), hash)
}

// Challenge is what lies there.
type Challenge struct {
	For     string `json:"for"`
	Holder  string `json:"holder"` // SHA-256 of what the browser has that may answer
	User    JID    `json:"user,omitempty"`
	Expires int64  `json:"expires"` // Unix milliseconds
}

// Reset is a link by which the owner of an account gets in again.
type Reset struct {
	User      linnet.ID
	TwoFactor bool // it turns two-factor log-in off; else it sets a password
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

	Count  int    `json:"count,omitempty"` // times in a row, if more than once
	Device string `json:"device,omitempty"`
	Place  string `json:"place,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Like reports whether two entries say the same of different moments.
func (s Security) Like(o Security) bool {
	s.At, s.Count = o.At, o.Count
	return s == o
}

// EmailKey is who has confirmed that an address is theirs, by the address's hash.
func EmailKey(hash string) kv.Key { return HashKey(KindEmail, HashShard(hash), hash) }

// Claim reserves an e-mail address or a passkey for one user. It counts while the user's own
// record says so too.
type Claim struct {
	User JID   `json:"user"`
	At   int64 `json:"at"` // Unix milliseconds
}

// DevicesKey is the set of browsers that have logged in to an account.
func DevicesKey(user linnet.ID) kv.Key { return IDKey(KindDevices, user) }

// RefusedKey is where it lies how somebody is told that there is no account for them.
func RefusedKey(user linnet.ID) kv.Key { return IDKey(KindRefused, user) }

// Refused is what lies there.
type Refused struct {
	Email string `json:"email"`
	Login string `json:"login"`
}

// Mail is what is known of the e-mail address in a user's secrets, and of mails to it.
type Mail struct {
	Confirmed int64  `json:"confirmed,omitempty"` // since when the address is known to be theirs, Unix milliseconds; 0: it is not
	Wanted    string `json:"wanted,omitempty"`    // the address that takes its place once it is confirmed
	Former    string `json:"former,omitempty"`    // the one before, until it was told
	Hash      string `json:"hash,omitempty"`      // SHA-256 of the token of the link by which an address is confirmed
	Expires   int64  `json:"expires,omitempty"`   // of that link, Unix milliseconds
	Enters    bool   `json:"enters,omitempty"`    // the account waits for this, and for nobody else
	Held      bool   `json:"held,omitempty"`      // no link is sent to the address that waits until its owner asks for one

	Unwanted []string `json:"unwanted,omitempty"` // kinds of mail that are turned off
	Wished   []string `json:"wished,omitempty"`   // and on, of those that are off at first
	Digest   string   `json:"digest,omitempty"`   // the task that makes the next digest
	Stop     string   `json:"stop,omitempty"`     // the secret in links that end digests
}

// SetPassword replaces the hash of the password. With the one before ends what somebody may have begun
// who knew it: another address, and the link that confirms one.
func (s *Secret) SetPassword(hash string) {
	s.Hash = hash
	s.Mail.Wanted, s.Mail.Hash, s.Mail.Expires = "", "", 0
	s.Mail.Held = s.Pending() != ""
}

// Pending is the address that waits to be confirmed, "" if none does.
func (s *Secret) Pending() string {
	switch {
	case s.Mail.Wanted != "":
		return s.Mail.Wanted
	case s.Mail.Confirmed == 0:
		return s.Email
	}
	return ""
}

// MailState says of the sending of mails what happened last, for people.
type MailState struct {
	Sent   int64  `json:"sent,omitempty"`   // Unix milliseconds, to a quarter of an hour
	Failed int64  `json:"failed,omitempty"` // Unix milliseconds
	Why    string `json:"why,omitempty"`
}

// MailStateKey is where that lies.
func MailStateKey() kv.Key { return MetaKey("mail") }
