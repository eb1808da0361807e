package record

import (
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

const (
	KindReset       = "reset"
	KindConfirmed   = "confirmed"
	KindSecurityLog = "securitylog"
)

// securityKeys are the kinds of key about access to accounts.
func securityKeys() []KeyDoc {
	return []KeyDoc{
		{KindReset, "value", "user", "the link in force by which the owner gets in again, under the SHA-256 of its token, JSON, 24 hours", "1 KiB", "", noSecret()},
		{KindConfirmed, "value", "SHA-256 of a token", "a session whose owner has given the password again, 15 minutes", "1", "", noSecret()},
		{KindSecurityLog, "value", "user", "what happened to the access to an account, the latest first, JSON", "50 entries", "", noSecret()},
	}
}

func ResetKey(user linnet.ID) kv.Key { return IDKey(KindReset, user) }

func SecurityLogKey(user linnet.ID) kv.Key { return IDKey(KindSecurityLog, user) }

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
}
