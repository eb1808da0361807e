package record

import (
	"slices"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Secret is what nobody but the log-in may read.
type Secret struct {
	Hash      string `json:"hash"` // argon2id, in the usual encoded form
	Email     string `json:"email,omitempty"`
	Reason    string `json:"reason,omitempty"` // why they want the account
	Invite    string `json:"invite,omitempty"` // the code of the invitation that they came by
	InvitedBy JID    `json:"invited_by,omitempty"`
	Mail      Mail   `json:"mail,omitzero"`
	Version   uint64 `json:"-"` // as read; 0 for a user without a password
}

type Login struct {
	User JID  `json:"user"`
	Gone bool `json:"gone,omitempty"` // the account is deleted
	Seen bool `json:"seen,omitempty"` // and everybody could see it
	Free bool `json:"free,omitempty"` // and was never let in, so that somebody else may have the login
}

// Search by name: each login and each word of a display name stands in the set
// of its first two letters as "word:user", all with score 0, so that they are
// ordered by the word.
const NamePrefix = 2

func NameWords(u *linnet.User) []string {
	if u == nil || u.Hidden() || u.ID.System() {
		return nil
	}
	words := append([]string{u.Login}, strings.Fields(u.Name)...)
	for i, w := range words {
		words[i] = CutRunes(strings.ToLower(strings.Map(NameRune, w)), 20)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// NameRune drops what may not stand in a key.
func NameRune(r rune) rune {
	if r <= ' ' || r == '{' || r == '}' || r == 0x7f || r == 0xfffd {
		return -1
	}
	return r
}

func CutRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func NoteKey(user, about linnet.ID) kv.Key {
	return kv.Key{Kind: KindNote, Shard: user.Shard(), ID: user.String() + "." + about.String()}
}

// fieldRecord is a line of a profile. Its names are those of earlier releases, which had no
// Verified.
type fieldRecord struct {
	Name, Value string
	Verified    int64 `json:",omitempty"` // Unix milliseconds
}

func fieldRecords(fs []linnet.ProfileField) (out []fieldRecord) {
	for _, f := range fs {
		r := fieldRecord{Name: f.Name, Value: f.Value}
		if !f.Verified.IsZero() {
			r.Verified = f.Verified.UnixMilli()
		}
		out = append(out, r)
	}
	return out
}

func fieldsIn(rs []fieldRecord) (out []linnet.ProfileField) {
	for _, r := range rs {
		f := linnet.ProfileField{Name: r.Name, Value: r.Value}
		if r.Verified != 0 {
			f.Verified = time.UnixMilli(r.Verified)
		}
		out = append(out, f)
	}
	return out
}
