package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// moderationKeys are the kinds of key of moderation.
func moderationKeys() []KeyDoc {
	return append(reportKeys(), []KeyDoc{
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
