package apptest

import (
	"fmt"
	"linnet/internal/linnet"
)

func (w *World) Filter(me linnet.ID, at linnet.FilterContext, keywords ...string) linnet.Filter {
	w.Helper()
	c := linnet.FilterChange{Title: new("T"), Context: &at}
	for _, k := range keywords {
		c.Keywords = append(c.Keywords, linnet.KeywordChange{Keyword: new(k)})
	}
	return Must(w.Reading.CreateFilter(w.Ctx, me, c))(w)
}

// Found returns the keywords by which filters match the statuses at home.
func (w *World) Found(me linnet.ID) string {
	w.Helper()
	out := ""
	for _, v := range w.Home(me, 20) {
		if v.Filtered == nil {
			out += "-"
			continue
		}
		for _, r := range *v.Filtered {
			out += fmt.Sprint(r.Keywords)
		}
	}
	return out
}

func (e *Listener) Seen() []linnet.StreamEvent {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	return append([]linnet.StreamEvent(nil), e.All...)
}
