package record

import (
	"strconv"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// pollKeys are the kinds of key of polls. The questions are in the status.
func pollKeys() []KeyDoc {
	return []KeyDoc{
		{KindBallots, "counters", "status", "number of voters, and votes for each option", strconv.Itoa(1 + linnet.MaxPollOptions), "", noSecret()},
		{KindVoters, "set", "status", "voters; the score has a bit for each chosen option, and is 0 if the account was deleted", "none", "", noSecret()},
		{KindVoted, "set", "user", "statuses with the user's votes, including incomplete ones, by time", "none", "", noSecret()},
	}
}

// pollRecord is a poll within the record of its status.
type pollRecord struct {
	Options    []string `json:"options"`
	Expires    int64    `json:"expires"` // Unix milliseconds
	Multiple   bool     `json:"multiple,omitempty"`
	HideTotals bool     `json:"hide_totals,omitempty"`
	Closed     bool     `json:"closed,omitempty"`
	Seconds    int      `json:"seconds,omitempty"`
}

func pollRecordOf(p *linnet.Poll) *pollRecord {
	if p == nil {
		return nil
	}
	return &pollRecord{p.Options, p.Expires.UnixMilli(), p.Multiple, p.HideTotals, p.Closed, p.Seconds}
}

func (r *pollRecord) poll() *linnet.Poll {
	if r == nil {
		return nil
	}
	return &linnet.Poll{Options: r.Options, Expires: time.UnixMilli(r.Expires), Multiple: r.Multiple, HideTotals: r.HideTotals, Closed: r.Closed, Seconds: r.Seconds}
}

// BallotsKey holds the vote counters of a status's poll.
func BallotsKey(status linnet.ID) kv.Key { return IDKey(KindBallots, status) }

// VotersKey is the set of users that have voted in a poll.
func VotersKey(status linnet.ID) kv.Key { return IDKey(KindVoters, status) }

// VotedKey is the set of statuses in whose polls a user has voted.
func VotedKey(user linnet.ID) kv.Key { return IDKey(KindVoted, user) }

// ballotNames are the counters under ballots: the voters, and the votes by option.
var ballotNames = func() (names [1 + linnet.MaxPollOptions]string) {
	names[0] = "voters"
	for option := range linnet.MaxPollOptions {
		names[1+option] = strconv.Itoa(option)
	}
	return names
}()

// BallotNames returns the names of a poll's counters: the voters, and the votes for each option.
// Callers must not modify it.
func BallotNames() []string { return ballotNames[:] }
