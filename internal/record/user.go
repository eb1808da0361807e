package record

import (
	"slices"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Secret is the record with a user's secrets, which is only read for logins and account settings.
type Secret struct {
	Hash      string `json:"hash"` // argon2id, in the usual encoded form
	Email     string `json:"email,omitempty"`
	Reason    string `json:"reason,omitempty"` // the reason given at sign-up
	Invite    string `json:"invite,omitempty"` // code of the invitation used
	InvitedBy JID    `json:"invited_by,omitempty"`
	Mail      Mail   `json:"mail,omitzero"`
	Version   uint64 `json:"-"` // version that was read; 0 for a user without a password
}

type Login struct {
	User JID  `json:"user"`
	Gone bool `json:"gone,omitempty"` // the account is deleted
	Seen bool `json:"seen,omitempty"` // of a deleted account: it was visible
	Free bool `json:"free,omitempty"` // of a deleted account: it was never approved, so the login is available
}

// NamePrefix is the number of letters by which names are indexed for search. The set of a word's
// first letters contains "word:user" for each login and each word of a display name. All scores are
// 0, so that the members are ordered by word.
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

// NameRune removes characters that are not allowed in keys.
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

// fieldRecord is a profile field. Its JSON names come from earlier releases, which had no Verified.
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

const (
	DirectorySlices = 16
)

func directoryKeys() []KeyDoc {
	return []KeyDoc{{KindDirectory, "set", "order", "discoverable users, in 16 slices: active by last status, new by time of sign-up", "1,000 a slice", "", noSecret()}}
}

func DirectoryKey(order linnet.DirectoryOrder, slice int) kv.Key {
	return kv.Key{Kind: KindDirectory, Shard: uint16(slice * (kv.Shards / DirectorySlices)), ID: string(order)}
}

func DirectorySlice(user linnet.ID) int { return int(user.Shard()) % DirectorySlices }
