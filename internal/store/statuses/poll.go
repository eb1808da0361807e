package statuses

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// ErrVoted means that the user has already voted in the poll.
var ErrVoted = errors.New("the user has already voted")

// ClosingID returns the id of the task that closes a status's poll.
func ClosingID(st *linnet.Status) string {
	return fmt.Sprintf("poll.%v.%d", st.ID, st.Poll.Expires.UnixMilli())
}

// forgetPoll returns the changes that delete a status's poll, with its votes and the task that
// closes it.
func forgetPoll(st *linnet.Status) []kv.Op {
	if st.Poll == nil {
		return nil
	}
	return append(task.Recall(st.ID.Shard(), ClosingID(st)),
		kv.Delete{Key: record.BallotsKey(st.ID)}, kv.Delete{Key: record.VotersKey(st.ID)})
}

// Vote counts a user's vote in the poll of a status once, in one transaction in the author's shard.
// may checks the current record and returns the options of the vote. In a poll with several choices
// a user may vote again for other options.
//
// Before that, Vote adds the status to the user's voted polls, so that account deletion finds the
// vote. Every vote has such an entry, but an entry may have no vote. Vote returns ErrDeleted if the
// status or the user does not exist, and ErrVoted if the vote is already counted.
func (s *Store) Vote(ctx context.Context, user, status linnet.ID, may func(*linnet.Status) (linnet.Choices, error)) error {
	tried := linnet.Choices(0) // possibly counted, with a lost response
	for range db.MaxRaces {
		get, mine := &kv.Get{Key: record.StatusKey(status)}, &kv.Scores{Key: record.VotersKey(status), Members: []string{user.String()}}
		if err := s.db.Read(ctx, get, mine); err != nil {
			return fmt.Errorf("read a poll: %w", err)
		}
		if get.Version == 0 {
			return db.ErrDeleted
		}
		st, err := record.DecodeStatus(status, get)
		if err != nil {
			return err
		}
		before := linnet.Choices(mine.Values[0])
		if tried != 0 && before&tried == tried {
			return nil
		}
		if mine.Found[0] && (before == 0 || st.Poll == nil || !st.Poll.Multiple) {
			return ErrVoted
		}
		choices, err := may(st)
		if err != nil {
			return err
		}
		if before&choices != 0 {
			return ErrVoted
		}
		err = s.vote(ctx, user, st, mine, choices)
		switch {
		case errors.Is(err, kv.ErrUnknown):
			tried, ctx = choices, kv.Durable(ctx)
		case !errors.Is(err, db.ErrRace):
			return err
		}
	}
	return db.TooManyRaces("poll", status)
}

func (s *Store) vote(ctx context.Context, user linnet.ID, st *linnet.Status, mine *kv.Scores, choices linnet.Choices) error {
	_, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted)},
		kv.Add{Key: record.VotedKey(user), Member: st.ID.String(), Score: st.ID.Millis()})
	if err != nil && !errors.Is(err, kv.ErrUnknown) {
		return voteFailed(err)
	}
	if err != nil { // retried in both cases
		return db.ErrRace
	}
	as := voteAsRead(&kv.Get{Key: record.StatusKey(st.ID), Version: st.Version}, mine)
	_, err = s.db.Txn(ctx, db.AllElse(as, db.ErrRace), append(ballotOps(st.ID, choices, 1, !mine.Found[0]),
		kv.Add{Key: mine.Key, Member: mine.Members[0], Score: mine.Values[0] | int64(choices)})...)
	return voteFailed(err)
}

func voteFailed(err error) error {
	if err == nil || errors.Is(err, db.ErrDeleted) || errors.Is(err, db.ErrRace) || errors.Is(err, ErrVoted) {
		return err
	}
	return fmt.Errorf("write a vote: %w", err)
}

// ballotOps returns the changes that count choices, and the voter unless already counted.
func ballotOps(status linnet.ID, choices linnet.Choices, by int64, voter bool) (ops []kv.Op) {
	names := record.BallotNames()
	if voter {
		ops = append(ops, kv.Incr{Key: record.BallotsKey(status), Name: names[0], By: by})
	}
	for _, i := range choices.Options() {
		ops = append(ops, kv.Incr{Key: record.BallotsKey(status), Name: names[1+i], By: by})
	}
	return ops
}

// ClosePoll closes the poll of a status that expired at a time, in Unix milliseconds. It returns
// the updated status, or nil if the poll does not exist or has another end.
func (s *Store) ClosePoll(ctx context.Context, status linnet.ID, expired int64) (*linnet.Status, error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.StatusKey(status)}
		if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
			return nil, err
		}
		st, err := record.DecodeStatus(status, get)
		if err != nil || st.Poll == nil || st.Poll.Expires.UnixMilli() != expired {
			return nil, err
		}
		if st.Poll.Closed {
			return st, nil
		}
		closed := *st.Poll
		closed.Closed, st.Poll, st.Version = true, &closed, get.Version+1
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			kv.Put{Key: get.Key, Data: record.EncodeStatus(st), Version: st.Version})
		if err != nil {
			return nil, fmt.Errorf("close a poll: %w", err)
		}
		if made {
			return st, nil
		}
	}
	return nil, db.TooManyRaces("poll", status)
}

// ForgetVotes removes the votes of a deleted user in at most limit polls, and returns their number.
// It replaces each vote by a member without a choice, so that a concurrent vote is refused.
func (s *Store) ForgetVotes(ctx context.Context, user linnet.ID, limit int) (int, error) {
	ids, _, err := s.db.After(ctx, record.VotedKey(user), kv.Member{}, limit)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := s.forgetVote(ctx, user, id); err != nil {
			return 0, fmt.Errorf("remove a vote: %w", err)
		}
	}
	return len(ids), nil
}

func (s *Store) forgetVote(ctx context.Context, user, status linnet.ID) error {
	for range db.MaxRaces {
		get, mine := &kv.Get{Key: record.StatusKey(status)}, &kv.Scores{Key: record.VotersKey(status), Members: []string{user.String()}}
		if err := s.db.Read(kv.Durable(ctx), get, mine); err != nil {
			return err
		}
		if get.Version != 0 && (!mine.Found[0] || mine.Values[0] != 0) {
			made, err := s.db.Txn(ctx, voteAsRead(get, mine), removeVote(status, mine)...)
			if err != nil {
				return err
			}
			if !made {
				continue
			}
		}
		return s.db.Apply(ctx, kv.Remove{Key: record.VotedKey(user), Member: status.String()})
	}
	return db.TooManyRaces("vote in poll", status)
}

// voteAsRead returns the conditions that a status and a user's vote in its poll have not changed.
func voteAsRead(get *kv.Get, mine *kv.Scores) []kv.Cond {
	there := kv.VersionIs{Key: get.Key, Version: get.Version}
	if mine.Found[0] {
		return []kv.Cond{there, kv.ScoreIs{Key: mine.Key, Member: mine.Members[0], Score: mine.Values[0]}}
	}
	return []kv.Cond{there, kv.NoMember{Key: mine.Key, Member: mine.Members[0]}}
}

// removeVote returns the changes that remove a vote, or prevent it.
func removeVote(status linnet.ID, mine *kv.Scores) []kv.Op {
	if !mine.Found[0] {
		return []kv.Op{kv.Add{Key: mine.Key, Member: mine.Members[0]}}
	}
	return append(ballotOps(status, linnet.Choices(mine.Values[0]), -1, true), kv.Remove{Key: mine.Key, Member: mine.Members[0]})
}

// Voters reads the next voters of a poll after a member (zero: from the beginning), and the member
// to continue from. It includes users whose votes were prevented.
func (s *Store) Voters(ctx context.Context, status linnet.ID, from kv.Member, limit int) ([]linnet.ID, kv.Member, error) {
	return s.db.After(ctx, record.VotersKey(status), from, limit)
}
