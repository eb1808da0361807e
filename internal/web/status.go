package web

import (
	"fmt"
	"net/http"
	"strings"

	"linnet/internal/linnet"
)

type statusPage struct {
	Above  []linnet.StatusView // what it answers, oldest first
	Status linnet.StatusView
	Below  []linnet.StatusView // answers
	Reply  *composeForm        // nil for strangers
}

func (c *call) status() error {
	ctx := c.r.Context()
	login, digits := c.personInPath()
	id, ok := linnet.ParseID(digits)
	if !ok {
		return errNowhere()
	}
	st, err := c.svc.Status(ctx, c.viewer(), id)
	if err != nil {
		return c.statusGone(notThere(err, "look up a status"), c.viewer(), login, id)
	}
	switch {
	case !strings.EqualFold(st.By.Login, login):
		return errNowhere()
	case st.Repost != nil:
		return c.seeOther(postPath(*st.Repost))
	case st.By.Login != login:
		return c.seeOther(postPath(st))
	}
	thread, err := c.svc.Thread(ctx, c.viewer(), id)
	if err != nil {
		return fmt.Errorf("read a thread: %w", err)
	}
	c.shared = true
	main := statusPage{Above: visible(thread.Ancestors), Status: st, Below: visible(thread.Descendants)}
	if c.me != nil {
		f := c.replyForm(st)
		main.Reply = &f
	}
	open := st.Visibility == linnet.Public || st.Visibility == linnet.Unlisted
	p := page{Title: "Post by " + displayName(st.By.UserView), Listed: st.By.Indexable && st.Visibility == linnet.Public,
		Main: main}
	if open {
		p.Alternates = c.statusLinks(st)
		p.Card = &card{Type: "article", Title: displayName(st.By.UserView) + " (@" + st.By.Login + ")", Text: preview(st), URL: st.URL}
	}
	return c.render(http.StatusOK, "status", p)
}

// preview is what other sites may show of a status: nothing that lies behind a
// warning.
func preview(st linnet.StatusView) string {
	if st.Warning != "" {
		return st.Warning
	}
	return st.Text
}
