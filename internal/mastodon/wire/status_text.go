package wire

import (
	"bytes"
	"cmp"

	"linnet/internal/linnet"
)

// statusText is the cached JSON of a status, with positions where other parts are inserted: the
// viewer state, the author, the original of a boost, the poll and the quote.
type statusText struct {
	json        []byte
	viewerState int // position of the viewer state
	content     int // position of the link to the quoted status
	reblog      int // position of the boosted status or null
	author      int // position of the account
	poll        int // position of the poll or null, and of the quote
}

// statusText returns the JSON of a status, which is cached with the view.
func (e *Encoder) statusText(v *linnet.StatusView) (*statusText, error) {
	if t, ok := v.Memo.Get().(*statusText); ok {
		return t, nil
	}
	t, err := e.makeStatusText(v)
	if err == nil {
		v.Memo.Set(t)
	}
	return t, err
}

func (e *Encoder) makeStatusText(v *linnet.StatusView) (*statusText, error) {
	w := borrow()
	defer w.release()
	all, t := e.sharedStatus(v), &statusText{}
	w.text("{")
	w.contents(&all.statusHead)
	w.text(",")
	t.viewerState = len(w.b)
	t.content = t.viewerState + len(`"content":"`)
	w.contents(&all.statusBody)
	w.text(`,"reblog":`)
	t.reblog = len(w.b)
	w.text(",")
	if all.Application != nil {
		w.contents(&all.statusApp)
		w.text(",")
	}
	w.text(`"account":`)
	t.author = len(w.b)
	w.text(",")
	w.contents(&all.statusTail)
	w.text(`,"poll":`)
	t.poll = len(w.b)
	if all.Group != nil {
		w.text(",")
		w.contents(&all.statusGroup)
	}
	w.text("}")
	t.json = bytes.Clone(w.b)
	return t, w.err
}

// accountText returns the JSON of an account, which is cached with the view.
func (e *Encoder) accountText(u *linnet.SharedUser) ([]byte, error) {
	if text, ok := u.Memo.Get().([]byte); ok {
		return text, nil
	}
	w := borrow()
	defer w.release()
	w.value(e.Account(&u.UserView))
	text := bytes.Clone(w.b)
	if w.err == nil {
		u.Memo.Set(text)
	}
	return text, w.err
}

// viewerStateTexts returns the JSON of all viewer states by viewerStateIndex, with a trailing
// comma.
func viewerStateTexts() (texts [16][]byte) {
	for i := range texts {
		v := linnet.StatusView{Favourited: i&1 != 0, Reposted: i&2 != 0, Bookmarked: i&4 != 0, Muted: i&8 != 0}
		w := borrow()
		w.contents(viewerStateOf(&v))
		w.text(",")
		texts[viewerStateIndex(&v)] = bytes.Clone(w.b)
		w.release()
	}
	return texts
}

func viewerStateIndex(v *linnet.StatusView) (i int) {
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

// writeViewerState appends the viewer state with a trailing comma.
func (e *Encoder) writeViewerState(w *buffer, v *linnet.StatusView) {
	if v.Filtered == nil {
		w.bytes(e.viewerStates[viewerStateIndex(v)])
		return
	}
	w.contents(viewerStateOf(v))
	w.text(",")
}

// writeStatus appends the JSON of Encoder.Status. The viewer is 0 without a user.
func (e *Encoder) writeStatus(w *buffer, v *linnet.StatusView, viewer linnet.ID) {
	t, err := e.statusText(v)
	if err != nil {
		w.err = cmp.Or(w.err, err)
		return
	}
	w.bytes(t.json[:t.viewerState])
	if viewer != 0 {
		e.writeViewerState(w, v)
		writeOwnState(w, v, viewer)
	}
	w.bytes(t.json[t.viewerState:t.content])
	writeQuoteInline(w, v)
	w.bytes(t.json[t.content:t.reblog])
	if v.Repost != nil {
		e.writeStatus(w, v.Repost, viewer)
	} else {
		w.text("null")
	}
	w.bytes(t.json[t.reblog:t.author])
	e.writeAccount(w, v.By)
	if tail := t.json[t.author:t.poll]; v.MissesAttribution(viewer) { // texts of users contain no bare quotation marks
		w.bytes(bytes.Replace(tail, []byte(noAttribution), []byte(missingAttribution), 1))
	} else {
		w.bytes(tail)
	}
	e.writePoll(w, v, viewer)
	e.writeQuote(w, v, viewer)
	if v.Extra == nil {
		w.text(`,"tagged_collections":[]`)
	} else {
		w.text(`,"tagged_collections":`)
		w.value(e.tagged(v))
	}
	w.bytes(t.json[t.poll:])
}

func (e *Encoder) writeAccount(w *buffer, u *linnet.SharedUser) {
	text, err := e.accountText(u)
	w.bytes(text)
	w.err = cmp.Or(w.err, err)
}

// writeOwnState appends the members of ownState with a trailing comma.
func writeOwnState(w *buffer, v *linnet.StatusView, viewer linnet.ID) {
	switch {
	case viewer != v.Author || !v.Pinnable():
	case v.Pinned:
		w.text(`"pinned":true,`)
	default:
		w.text(`"pinned":false,`)
	}
}
