package mastodon

import (
	"bytes"
	"cmp"

	"linnet/internal/linnet"
)

// statusText is a status as JSON with gaps, made once for each state of the
// status and kept with its view: what depends on the viewer, on the author or on
// a reposted original is put in as it is written.
type statusText struct {
	json   []byte
	marks  int // where the viewer's marks go, if somebody is logged in
	reblog int // where the original goes, or null
	author int // where the account goes
}

// statusText returns the text of a status, which is kept with its view.
func (a *API) statusText(v *linnet.StatusView) (*statusText, error) {
	if t, ok := v.Memo.Get().(*statusText); ok {
		return t, nil
	}
	t, err := a.makeStatusText(v)
	if err == nil {
		v.Memo.Keep(t)
	}
	return t, err
}

func (a *API) makeStatusText(v *linnet.StatusView) (*statusText, error) {
	w := borrow()
	defer w.giveBack()
	all, t := a.statusOfAll(v), &statusText{}
	w.text("{")
	w.members(&all.statusHead)
	w.text(",")
	t.marks = len(w.b)
	w.members(&all.statusBody)
	w.text(`,"reblog":`)
	t.reblog = len(w.b)
	w.text(",")
	if all.Application != nil {
		w.members(&all.statusApp)
		w.text(",")
	}
	w.text(`"account":`)
	t.author = len(w.b)
	w.text(",")
	w.members(&all.statusTail)
	w.text("}")
	t.json = bytes.Clone(w.b)
	return t, w.err
}

// accountText returns the JSON of an account, which is kept with its view.
func (a *API) accountText(u *linnet.SharedUser) ([]byte, error) {
	if text, ok := u.Memo.Get().([]byte); ok {
		return text, nil
	}
	w := borrow()
	defer w.giveBack()
	w.value(a.account(&u.UserView))
	text := bytes.Clone(w.b)
	if w.err == nil {
		u.Memo.Keep(text)
	}
	return text, w.err
}

// marksTexts are the members that marks become, with a comma behind them, by
// marksIndex.
func marksTexts() (texts [16][]byte) {
	for i := range texts {
		v := linnet.StatusView{Favourited: i&1 != 0, Reposted: i&2 != 0, Bookmarked: i&4 != 0, Muted: i&8 != 0}
		w := borrow()
		w.members(marksOf(&v))
		w.text(",")
		texts[marksIndex(&v)] = bytes.Clone(w.b)
		w.giveBack()
	}
	return texts
}

func marksIndex(v *linnet.StatusView) (i int) {
	if v.Favourited {
		i |= 1
	}
	if v.Reposted {
		i |= 2
	}
	if v.Bookmarked {
		i |= 4
	}
	if v.Muted {
		i |= 8
	}
	return i
}

// writeMarks appends the members of marks with a comma behind them.
func (a *API) writeMarks(w *buffer, v *linnet.StatusView) {
	if v.Filtered == nil {
		w.bytes(a.marks[marksIndex(v)])
		return
	}
	w.members(marksOf(v))
	w.text(",")
}

// writeStatus appends a status as a viewer (0: nobody) sees it: what status is as
// one value.
func (a *API) writeStatus(w *buffer, v *linnet.StatusView, viewer linnet.ID) {
	t, err := a.statusText(v)
	if err != nil {
		w.err = cmp.Or(w.err, err)
		return
	}
	w.bytes(t.json[:t.marks])
	if viewer != 0 {
		a.writeMarks(w, v)
		writeOwnMarks(w, v, viewer)
	}
	w.bytes(t.json[t.marks:t.reblog])
	if v.Repost != nil {
		a.writeStatus(w, v.Repost, viewer)
	} else {
		w.text("null")
	}
	w.bytes(t.json[t.reblog:t.author])
	a.writeAccount(w, v.By)
	w.bytes(t.json[t.author:])
}

func (a *API) writeAccount(w *buffer, u *linnet.SharedUser) {
	text, err := a.accountText(u)
	w.bytes(text)
	w.err = cmp.Or(w.err, err)
}

// writeOwnMarks appends what ownMarks are as members, with a comma behind them.
func writeOwnMarks(w *buffer, v *linnet.StatusView, viewer linnet.ID) {
	switch {
	case viewer != v.Author || !v.Pinnable():
	case v.Pinned:
		w.text(`"pinned":true,`)
	default:
		w.text(`"pinned":false,`)
	}
}
