package record

import (
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// moderationKeys are the kinds of key of moderation.
func moderationKeys() []KeyDoc {
	return append(append(reportKeys(), strikeKeys()...), []KeyDoc{
		{KindState, "set", "state", "pending, disabled, silenced, sensitized or suspended users of the shard, by time of sign-up", "users/1024", "", noSecret()},
		{KindStaff, "set", "", "staff, by rank (shard 0)", "staff", "", noSecret()},
		{KindAct, "value", "act", "an audit log entry, JSON (shard 1)", "3 KiB", "", noSecret()},
		{KindActs, "set", "", "audit log entries, by time (shard 1)", "20,000", "", noSecret()},
	}...)
}

// ListedStates returns the states that have their own set.
func ListedStates() []linnet.AccountState {
	return []linnet.AccountState{linnet.StatePending, linnet.StateDisabled, linnet.StateSilenced, linnet.StateSensitized, linnet.StateSuspended}
}

func StateKey(shard uint16, state linnet.AccountState) kv.Key {
	return kv.Key{Kind: KindState, Shard: shard, ID: string(state)}
}

const (
	ActShard = 1
)

type Act struct {
	By     JID    `json:"by,omitempty"`
	Act    string `json:"act"`
	On     JID    `json:"on,omitempty"`
	Report JID    `json:"report,omitempty"`
	Detail string `json:"detail,omitempty"`
	Reason string `json:"reason,omitempty"`
}

func ActKey(id linnet.ID) kv.Key { return IDKey(KindAct, id) }

func ActsKey() kv.Key { return ShardKey(KindActs, ActShard) }

// The kinds of key of strikes.
const (
	KindStrike  = "strike"
	KindStrikes = "strikes"
	KindAppeals = "appeals"
)

func strikeKeys() []KeyDoc {
	return []KeyDoc{
		{KindStrike, "value", "strike", "an action of staff against an account, with its appeal, JSON; in the account's shard", "150 KiB", "", secretIn("key")},
		{KindStrikes, "set", "user", "the strikes of an account, by time", "100", "", noSecret()},
		{KindAppeals, "set", "", "strikes of the shard with a pending appeal, by time", "pending appeals", "", noSecret()},
	}
}

type strikeRecord struct {
	On     JID           `json:"on"`
	By     JID           `json:"by,omitempty"`
	Act    string        `json:"act"`
	Text   string        `json:"text,omitempty"`
	Rules  []brokenRule  `json:"rules,omitempty"`
	Posts  []struckPost  `json:"posts,omitempty"`
	Report JID           `json:"report,omitempty"`
	Key    string        `json:"key"`
	Appeal *appealRecord `json:"appeal,omitempty"`
}

type brokenRule struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

type struckPost struct {
	ID      JID    `json:"id"`
	Excerpt string `json:"excerpt,omitempty"`
}

type appealRecord struct {
	Text    string `json:"text"`
	At      int64  `json:"at"` // Unix milliseconds
	State   string `json:"state"`
	By      JID    `json:"by,omitempty"`
	Decided int64  `json:"decided,omitempty"` // Unix milliseconds
}

func EncodeStrike(s *linnet.Strike) []byte {
	r := strikeRecord{On: JID(s.On), By: JID(s.By), Act: string(s.Act), Text: s.Text, Report: JID(s.Report), Key: s.Key}
	for _, b := range s.Rules {
		r.Rules = append(r.Rules, brokenRule(b))
	}
	for _, p := range s.Posts {
		r.Posts = append(r.Posts, struckPost{JID(p.ID), p.Excerpt})
	}
	if a := s.Appeal; a != nil {
		r.Appeal = &appealRecord{Text: a.Text, At: a.At.UnixMilli(), State: string(a.State), By: JID(a.By)}
		if !a.Decided.IsZero() {
			r.Appeal.Decided = a.Decided.UnixMilli()
		}
	}
	return Encode(r)
}

func DecodeStrike(id linnet.ID, get *kv.Get) (s linnet.Strike, err error) {
	var r strikeRecord
	if err := Decode(get, &r); err != nil {
		return s, err
	}
	s = linnet.Strike{ID: id, On: linnet.ID(r.On), By: linnet.ID(r.By), Act: linnet.Moderation(r.Act), Text: r.Text, Report: linnet.ID(r.Report), Key: r.Key, Version: get.Version}
	for _, b := range r.Rules {
		s.Rules = append(s.Rules, linnet.BrokenRule(b))
	}
	for _, p := range r.Posts {
		s.Posts = append(s.Posts, linnet.StruckPost{ID: linnet.ID(p.ID), Excerpt: p.Excerpt})
	}
	if a := r.Appeal; a != nil {
		s.Appeal = &linnet.Appeal{Text: a.Text, At: time.UnixMilli(a.At).UTC(), State: linnet.AppealState(a.State), By: linnet.ID(a.By)}
		if a.Decided != 0 {
			s.Appeal.Decided = time.UnixMilli(a.Decided).UTC()
		}
	}
	return s, nil
}

func StrikeKey(id linnet.ID) kv.Key { return IDKey(KindStrike, id) }

func StrikesKey(user linnet.ID) kv.Key { return IDKey(KindStrikes, user) }

// AppealsKey lists the strikes of a shard with a pending appeal.
func AppealsKey(shard uint16) kv.Key { return ShardKey(KindAppeals, shard) }
