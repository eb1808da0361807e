package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

// closes: a poll that is open will be closed by a task.
func (x *auditing) closes(st *linnet.Status) {
	if st.Poll == nil || st.Poll.Closed {
		return
	}
	get := &kv.Get{Key: task.Key(st.ID.Shard(), statuses.ClosingID(st))}
	x.ask(func() {
		if get.Version == 0 {
			x.found(RuleTask, record.StatusKey(st.ID), fmt.Sprintf("no task %s closes its poll", get.Key.ID), record.StatusAffair(st.ID))
		}
	}, get)
}

// withPoll reads the status whose poll a record is about.
func (x *auditing) withPoll(key kv.Key, f func(*linnet.Status)) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	x.withStatus(id, func(st *linnet.Status) {
		if st == nil || st.Poll == nil {
			x.found(RuleOrphan, key, "there is no such poll", record.StatusAffair(id))
			return
		}
		f(st)
	})
}

// checkBallots checks that no votes are counted without voters. The check of voters compares the
// others.
func checkBallots(x *auditing, key kv.Key) {
	x.withPoll(key, func(st *linnet.Status) {
		q := &kv.Counters{Key: key, Names: record.BallotNames()}
		first := &kv.Range{Key: record.VotersKey(st.ID), Limit: 1}
		x.ask(func() {
			if len(first.Members) == 0 && q.Values[0] != 0 {
				x.found(RuleCounter, key, fmt.Sprintf("%d have voted, but %v is empty", q.Values[0], first.Key))
			}
		}, q, first)
	})
}

// voters: each vote is for options of the poll, one unless it takes several; its voter
// finds it again; and the votes are counted.
func checkVoters(x *auditing, key kv.Key) {
	x.withPoll(key, func(st *linnet.Status) {
		counted := make([]int64, 1+linnet.MaxPollOptions)
		x.each(key, func(m kv.Member) {
			user, ok := linnet.ParseID(m.Member)
			c := linnet.Choices(m.Score)
			if !ok || m.Score < 0 || m.Score >= 1<<len(st.Poll.Options) || !st.Poll.Multiple && len(c.Options()) > 1 {
				x.found(RuleRecord, key, fmt.Sprintf("%q at %d is not a vote in this poll", m.Member, m.Score))
				return
			}
			if m.Score == 0 { // of a deleted account, which can't vote any more
				return
			}
			counted[0]++
			for _, i := range c.Options() {
				counted[1+i]++
			}
			x.votedBy(key, st.ID, user)
		}, func(whole) { x.ballots(st.ID, counted) })
	})
}

func (x *auditing) votedBy(key kv.Key, status, user linnet.ID) {
	q := &kv.Scores{Key: record.VotedKey(user), Members: []string{status.String()}}
	x.ask(func() {
		if !q.Found[0] {
			x.found(RuleEdge, key, fmt.Sprintf("the vote of %v is not in %v", user, q.Key), record.UserAffair(user))
		}
	}, q)
}

func (x *auditing) ballots(status linnet.ID, counted []int64) {
	q := &kv.Counters{Key: record.BallotsKey(status), Names: record.BallotNames()}
	x.ask(func() {
		for i, name := range q.Names {
			if q.Values[i] != counted[i] {
				x.found(RuleCounter, q.Key, fmt.Sprintf("%s is %d, there are %d", name, q.Values[i], counted[i]))
			}
		}
	}, q)
}
