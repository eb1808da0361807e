package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"linnet/internal/linnet"
)

// postRow is a status as it stands on a page, for the part "post".
type postRow struct {
	c           *call
	S           linnet.StatusView   // what is read: the original, if it is a boost
	Booster     *linnet.SharedUser  // who boosted it; nil: nobody
	Anchor      string              // names the row on its page
	Opened      bool                // the page is about it
	Pinned      bool                // it stands on top of a profile
	Told        bool                // the reader is told that it quotes a post of theirs
	Why         why                 // what brought it here
	AtGroup     bool                // it stands on the page of its group, which need not be named
	Takes       string              // begins the addresses of a group that the reader may take it out of; "": of none
	Quiet       bool                // nothing can be done to it here
	AlsoBy      int                 // how many others boosted it, who have no row of their own
	Filtered    string              // the title of a filter that wants a warning
	Depth       int                 // levels below a direct answer to the opened status; 0: none, or it is no thread
	Translation *linnet.Translation // what S says is this, and not what its author wrote; nil: it is not
	Answers     string              // login of whom it answers, where its depth no longer shows that

	promoters []linnet.ID // of a promotion: who voted for it lately
}

// Me is the reader, if there is anything that they can do to the status here.
func (r postRow) Me() *linnet.UserView {
	if r.Quiet {
		return nil
	}
	return r.c.me
}

// Mine reports whether the reader wrote it.
func (r postRow) Mine() bool { return r.c.me != nil && r.c.me.ID == r.S.Author }

// Boostable reports whether the reader may boost it: what is for followers alone
// only its author, what is for those mentioned or for members of a group nobody.
func (r postRow) Boostable() bool {
	if r.S.ForMembers() {
		return false
	}
	return r.S.Visibility <= linnet.Unlisted || r.S.Visibility == linnet.Private && r.Mine()
}

// In is the group that it was posted in, where that is not clear without.
func (r postRow) In() *linnet.UserView {
	if r.AtGroup {
		return nil
	}
	return r.S.In
}

// At tells an act which row of the page it was done at.
func (r postRow) At() string {
	if r.Anchor == "p"+r.S.ID.String() {
		return ""
	}
	return "?at=" + r.Anchor
}

// openedRow is the row of the status that a page is about.
func (c *call) openedRow(s linnet.StatusView) postRow {
	r := c.row(s)
	r.Opened, r.Filtered = true, ""
	return r
}

// mainRow is the row of the status that a page of a thread is about.
func (c *call) mainRow(p statusPage) postRow {
	r := c.openedRow(p.Status)
	r.Translation = p.Translation
	return r
}

// quietRow is the row of a status that is shown and not acted upon.
func (c *call) quietRow(s linnet.StatusView) postRow {
	r := c.row(s)
	r.Quiet = true
	return r
}

// pinnedRow is the row of a status on top of a profile.
func (c *call) pinnedRow(s linnet.StatusView) postRow {
	r := c.row(s)
	r.Pinned, r.Anchor = true, "pin"+s.ID.String()
	return r
}

// row is a status as it stands on a page.
func (c *call) row(s linnet.StatusView) postRow {
	r := postRow{c: c, S: s, Anchor: "p" + s.ID.String(), Why: c.why, AlsoBy: s.AlsoBy}
	titles := filterTitles(s)
	if s.Repost != nil {
		r.S, r.Booster, r.promoters = *s.Repost, s.By, s.Promoters
		titles = append(titles, filterTitles(r.S)...)
	}
	slices.Sort(titles)
	r.Filtered = strings.Join(slices.Compact(titles), ", ")
	return r
}

// filterTitles names the reader's filters that have found a status.
func filterTitles(s linnet.StatusView) []string {
	if s.Filtered == nil {
		return nil
	}
	var titles []string
	for _, f := range *s.Filtered {
		titles = append(titles, f.Filter.Title)
	}
	return titles
}

// A text is cut off at 500 px, some 20 lines; one that is little longer would gain
// nothing from it.
const foldLines = 24

// Letters of a line in a column of 600 px and on a phone, those of Latin scripts.
const wideLine, narrowLine = 70, 36

// foldClass says what becomes of a text of many lines: " long" is cut off everywhere,
// " long on-phones" only where lines are short. A browser measures better, but only by script.
func foldClass(text string) string {
	breaks := strings.Count(text, "\n")
	if len(text)/narrowLine+breaks+1 < foldLines {
		return "" // no letter takes more cells than bytes
	}
	wide, narrow := 0, 0
	for line := range strings.Lines(text) {
		n := uniseg.StringWidth(strings.TrimSuffix(line, "\n"))
		wide += max(1, (n+wideLine-1)/wideLine)
		narrow += max(1, (n+narrowLine-1)/narrowLine)
	}
	switch {
	case wide >= foldLines:
		return " long"
	case narrow >= foldLines:
		return " long on-phones"
	}
	return ""
}

// pictureName is what is read out in place of a picture.
func pictureName(a linnet.Attachment, i, of int) string {
	switch {
	case a.Description != "":
		return a.Description
	case a.Clip != nil:
		return either(a.Clip.Kind == linnet.Audio, "Sound", "Video") + " without a description"
	case of == 1:
		return "Picture without a description"
	}
	return "Picture " + strconv.Itoa(i+1) + " of " + strconv.Itoa(of) + ", without a description"
}

// visible leaves out what the reader's filters hide.
func visible(all []linnet.StatusView) []linnet.StatusView {
	shown := make([]linnet.StatusView, 0, len(all))
	for _, s := range all {
		if !hidden(s) && (s.Repost == nil || !hidden(*s.Repost)) {
			shown = append(shown, s)
		}
	}
	return shown
}

func hidden(s linnet.StatusView) bool {
	if s.Filtered == nil {
		return false
	}
	for _, f := range *s.Filtered {
		if f.Filter.Action == linnet.FilterHide {
			return true
		}
	}
	return false
}
