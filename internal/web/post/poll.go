package post

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Votes reports whether the reader can vote in the poll here.
func (r *Row) Votes() bool { return r.Me() != nil && r.S.VotableBy(r.C.Me.ID) }

// pollLine is an option of a poll with its votes.
type pollLine struct {
	Title string
	Share int  // percentage of voters
	Shown bool // the share is visible
	Own   bool // the reader voted for it
	Most  bool // no option has more votes
}

// pollLines returns the options of a poll with their results.
func pollLines(p *linnet.PollView) []pollLine {
	lines, most := make([]pollLine, len(p.Options)), int64(1)
	for _, n := range p.Counts {
		most = max(most, n)
	}
	for i, title := range p.Options {
		lines[i].Title = title
		if p.Counts != nil {
			lines[i].Shown, lines[i].Most = true, p.Counts[i] == most
			if p.Voters > 0 {
				lines[i].Share = int((100*p.Counts[i] + p.Voters/2) / p.Voters)
			}
		}
	}
	for _, i := range p.Own {
		lines[i].Own = true
	}
	return lines
}

// Duration returns an approximate duration in words.
func Duration(ctx context.Context, d time.Duration) string {
	switch d = d.Round(time.Minute); {
	case d < time.Hour:
		return ui.Trn(ctx, int64(d.Minutes()), "%s minute", "%s minutes")
	case d < 24*time.Hour || d%(24*time.Hour) != 0 && d < 48*time.Hour:
		return ui.Trn(ctx, int64(d.Hours()), "%s hour", "%s hours")
	}
	return ui.Trn(ctx, int64(d.Hours()/24), "%s day", "%s days")
}

// remaining returns the approximate time until end in words.
func remaining(ctx context.Context, now, end time.Time) string {
	switch d := end.Sub(now).Round(time.Minute); {
	case d < time.Minute:
		return ui.Tr(ctx, "less than a minute left")
	case d < time.Hour:
		return ui.Trn(ctx, int64(d.Minutes()), "%s minute left", "%s minutes left")
	case d < 48*time.Hour:
		return ui.Trn(ctx, int64(d.Hours()), "%s hour left", "%s hours left")
	default:
		return ui.Trn(ctx, int64(d.Hours()/24), "%s day left", "%s days left")
	}
}

// Vote records the reader's vote in the poll of a status, and redirects back to the status.
func (h *Pages) Vote(c *page.Context) error {
	st, err := h.StatusInPath(c)
	if err != nil {
		return err
	}
	var options []int
	for _, v := range c.Request.PostForm["choice"] {
		n, err := strconv.Atoi(v)
		if err != nil {
			return &page.Error{Code: 400, Msg: "The form is incomplete. Reload the page and try again.", Back: paths.Post(st), BackText: "Go to the post"}
		}
		options = append(options, n)
	}
	if len(options) == 0 {
		return &page.Error{Code: 422, Msg: "You didn't choose an option. Choose one and vote again.", Back: paths.Post(st), BackText: "Go to the post"}
	}
	if _, err := h.Posting.Polls.Vote(c.Request.Context(), c.Me.ID, st.ID, options); err != nil {
		return fmt.Errorf("vote in a poll: %w", err)
	}
	anchor := "p" + st.ID.String()
	if at := c.Request.URL.Query().Get("at"); isAnchor(at) {
		anchor = at
	}
	return c.Redirect(c.PreviousPage(paths.Post(st)) + "#" + anchor)
}
