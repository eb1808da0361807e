package posting

import (
	"context"
	"errors"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/view"
)

// closeArgs are the arguments of TaskClosePoll.
type closeArgs struct {
	Status  linnet.ID `json:"status"`
	Expires int64     `json:"expires"` // Unix milliseconds
	From    kv.Member `json:"from,omitzero"`
}

// checkPoll returns an error for an invalid poll.
func checkPoll(p *linnet.PollDraft) error {
	if p == nil {
		return nil
	}
	options := pollOptions(p)
	switch n := len(options); {
	case n < linnet.MinPollOptions:
		return linnet.FieldError("poll.options", "ERR_TOO_SHORT", "needs at least %d options that aren't blank, but has %d", linnet.MinPollOptions, n)
	case n > linnet.MaxPollOptions:
		return linnet.FieldError("poll.options", "ERR_TOO_LONG", "can have at most %d options, but has %d", linnet.MaxPollOptions, n)
	}
	seen := map[string]bool{}
	for _, o := range options {
		switch n := text.Characters(o); {
		case len(o) > core.CharBytes*linnet.MaxPollOptionChars, n > linnet.MaxPollOptionChars:
			return linnet.FieldError("poll.options", "ERR_TOO_LONG", "has an option with %d characters (maximum is %d): %s", n, linnet.MaxPollOptionChars, cut(o))
		case seen[o]:
			return linnet.FieldError("poll.options", "ERR_INVALID", "has the option %q twice", o)
		}
		seen[o] = true
	}
	if err := core.CheckMarks("poll.options", options...); err != nil {
		return err
	}
	if p.Seconds < linnet.MinPollSeconds || p.Seconds > linnet.MaxPollSeconds {
		return linnet.FieldError("poll.expires_in", "ERR_INVALID", "is %d seconds, but must be from %d to %d seconds", p.Seconds, linnet.MinPollSeconds, linnet.MaxPollSeconds)
	}
	return nil
}

// cut shortens a text for an error message.
func cut(s string) string {
	if r := []rune(s); len(r) > linnet.MaxPollOptionChars {
		return string(r[:linnet.MaxPollOptionChars]) + "…"
	}
	return s
}

// pollOptions returns the options that are not empty, without surrounding space.
func pollOptions(p *linnet.PollDraft) (out []string) {
	for _, o := range p.Options {
		if o = strings.TrimSpace(core.Lines(o)); o != "" && !text.Blank(o) {
			out = append(out, strings.Join(strings.Fields(o), " "))
		}
	}
	return out
}

// newPoll returns the poll of a draft, starting now. It returns nil if the draft has none.
func newPoll(p *linnet.PollDraft, now time.Time) *linnet.Poll {
	if p == nil {
		return nil
	}
	return &linnet.Poll{Options: pollOptions(p), Multiple: p.Multiple, HideTotals: p.HideTotals,
		Expires: time.UnixMilli(now.Add(time.Duration(p.Seconds) * time.Second).UnixMilli()), Seconds: p.Seconds}
}

// closing returns the task that closes the poll of a status.
func closing(st *linnet.Status) (task.Task, error) {
	return task.NewLater(st.ID.Shard(), statuses.ClosingID(st), TaskClosePoll,
		closeArgs{Status: st.ID, Expires: st.Poll.Expires.UnixMilli()}, st.Poll.Expires)
}

// Polls manages votes in polls, and their end. It is safe for concurrent use.
type Polls struct {
	st     *store.Store
	view   *view.Service
	notify *notify.Service
}

// Vote votes for options of a poll, by index. A vote can't be changed. It returns NotFound if there
// is no poll that me can see.
// https://docs.joinmastodon.org/methods/polls/#vote
func (s *Polls) Vote(ctx context.Context, me, id linnet.ID, options []int) (linnet.StatusView, error) {
	l := s.view.Loader(me)
	l.Want(id, 0)
	v, err := l.Show(ctx, id)
	switch {
	case err != nil:
		return v, err
	case v.PollView == nil:
		return v, linnet.Errorf(linnet.NotFound, "Record not found")
	case v.Author == me:
		return v, linnet.Errorf(linnet.Invalid, "Validation failed: You can't vote in your own poll. You can see the results without voting")
	case l.Relation(v.Author).Blocks():
		return v, social.ErrBlocking
	case v.PollView.Voted && !v.PollView.Multiple:
		return v, errVoted()
	}
	err = s.st.Statuses.Vote(ctx, me, id, func(st *linnet.Status) (linnet.Choices, error) {
		if st.Poll == nil {
			return 0, db.ErrDeleted
		}
		return choices(st.Poll, options, s.st.Now())
	})
	switch {
	case errors.Is(err, statuses.ErrVoted):
		return v, errVoted()
	case errors.Is(err, db.ErrDeleted): // the status or the account
		return v, linnet.Errorf(linnet.NotFound, "Record not found")
	case err != nil:
		return v, core.StoreError(err)
	}
	return s.view.Poll(ctx, me, id)
}

func errVoted() error {
	return linnet.Errorf(linnet.Invalid, "Validation failed: You've already voted in this poll and can't change your vote")
}

// choices returns the options of a vote. It returns an error if they are invalid.
func choices(p *linnet.Poll, options []int, now time.Time) (c linnet.Choices, err error) {
	if p.Expired(now) {
		return 0, linnet.Errorf(linnet.Invalid, "Validation failed: The poll ended on %s. You can still see the results", p.Expires.UTC().Format("2006-01-02 15:04 UTC"))
	}
	for _, i := range options {
		if i < 0 || i >= len(p.Options) {
			return 0, linnet.FieldError("choices", "ERR_INVALID", "can't contain %d, which is not an option of this poll. Choose a number from 0 to %d", i, len(p.Options)-1)
		}
		c |= 1 << i
	}
	switch n := len(c.Options()); {
	case n == 0:
		return 0, linnet.FieldError("choices", "ERR_BLANK", "must include the number of an option, from 0 to %d", len(p.Options)-1)
	case n > 1 && !p.Multiple:
		return 0, linnet.FieldError("choices", "ERR_INVALID", "can't contain %d options, because this poll allows only one", n)
	}
	return c, nil
}

// votersPass is the number of voters that one batch notifies. Each takes a transaction.
const votersPass = 100

// close ends an expired poll and notifies its author and voters, one batch at a time. No vote
// is accepted after the first batch, so no voter is missed.
func (s *Polls) close(ctx context.Context, a closeArgs) (*closeArgs, error) {
	if s.st.Now().UnixMilli() < a.Expires { // the clock of another server was ahead
		return nil, errEarly
	}
	st, err := s.st.Statuses.ClosePoll(ctx, a.Status, a.Expires)
	if err != nil || st == nil {
		return nil, err
	}
	if a.From.Member == "" {
		if err := s.notify.NotifyPollEnded(ctx, st, []linnet.ID{st.Author}); err != nil {
			return nil, err
		}
	}
	ids, last, err := s.st.Statuses.Voters(ctx, st.ID, a.From, votersPass)
	if err != nil {
		return nil, err
	}
	if err := s.notify.NotifyPollEnded(ctx, st, ids); err != nil {
		return nil, err
	}
	if len(ids) < votersPass {
		return nil, nil
	}
	a.From = last
	return &a, nil
}

// errEarly lets a task run again a little later.
var errEarly = errors.New("the poll has not ended yet")
