package compose

import (
	"context"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/post"
)

// pollForm is the poll of the composer.
type pollForm struct {
	Options    [linnet.MaxPollOptions]string
	Seconds    int
	Multiple   bool
	HideTotals bool
}

// pollDuration is a duration to choose for a poll.
type pollDuration struct {
	Seconds int
	Text    string
	Chosen  bool
}

const pollDay = 24 * 60 * 60

// Given reports whether there is a poll.
func (f pollForm) Given() bool { return strings.TrimSpace(strings.Join(f.Options[:], "")) != "" }

// Lengths returns the poll durations, including the form's own.
func (f pollForm) Lengths(ctx context.Context) []pollDuration {
	var all []pollDuration
	for _, seconds := range []int{5 * 60, 30 * 60, 60 * 60, 6 * 60 * 60, 12 * 60 * 60, pollDay, 3 * pollDay, 7 * pollDay, 14 * pollDay, 30 * pollDay} {
		all = append(all, pollDuration{seconds, post.Duration(ctx, time.Duration(seconds)*time.Second), false})
	}
	want := f.Seconds
	if want == 0 {
		want = pollDay
	}
	for i := range all {
		if all[i].Seconds == want {
			all[i].Chosen = true
			return all
		}
	}
	if want < linnet.MinPollSeconds || want > linnet.MaxPollSeconds {
		all[len(all)-1].Chosen = true
		return all
	}
	own := pollDuration{want, post.Duration(ctx, time.Duration(want)*time.Second), true}
	return append([]pollDuration{own}, all...)
}

// draft returns the poll of the form, or nil.
func (f pollForm) draft() *linnet.PollDraft {
	if !f.Given() {
		return nil
	}
	return &linnet.PollDraft{Options: f.Options[:], Seconds: f.Seconds, Multiple: f.Multiple, HideTotals: f.HideTotals}
}

// pollLike returns the form for a poll like the one in a status, with the same duration.
func pollLike(st *linnet.Status) (f pollForm) {
	if p := st.Poll; p != nil {
		copy(f.Options[:], p.Options)
		f.Multiple, f.HideTotals, f.Seconds = p.Multiple, p.HideTotals, p.Lasting(st.ID.Time())
	}
	return f
}
