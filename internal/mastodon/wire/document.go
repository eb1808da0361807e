package wire

import (
	"linnet/internal/linnet"
)

// OneStatus is a status as a response.
type OneStatus struct {
	Viewer linnet.ID
	View   *linnet.StatusView
}

func (d OneStatus) write(e *Encoder, w *buffer) { e.writeStatus(w, d.View, d.Viewer) }

// StatusList is a list of statuses as a response.
type StatusList struct {
	Viewer linnet.ID
	Views  []linnet.StatusView
}

func (d StatusList) write(e *Encoder, w *buffer) {
	writeList(w, d.Views, func(v *linnet.StatusView) { e.writeStatus(w, v, d.Viewer) })
}

// Context is the entity Context.
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
