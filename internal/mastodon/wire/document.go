package wire

import (
	"linnet/internal/linnet"
)

// oneStatus is a status as an answer.
type OneStatus struct {
	Viewer linnet.ID
	View   *linnet.StatusView
}

func (d OneStatus) write(e *Encoder, w *buffer) { e.writeStatus(w, d.View, d.Viewer) }

// statusList is a list of statuses.
type StatusList struct {
	Viewer linnet.ID
	Views  []linnet.StatusView
}

func (d StatusList) write(e *Encoder, w *buffer) {
	writeList(w, d.Views, func(v *linnet.StatusView) { e.writeStatus(w, v, d.Viewer) })
}

// statusContext is the entity Context.
// https://docs.joinmastodon.org/entities/Context/
type Context struct {
	Ancestors, Descendants StatusList
}

func (d Context) write(e *Encoder, w *buffer) {
	w.text(`{"ancestors":`)
	d.Ancestors.write(e, w)
	w.text(`,"descendants":`)
	d.Descendants.write(e, w)
	w.text("}")
}
