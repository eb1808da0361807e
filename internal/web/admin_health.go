package web

import (
	"net/http"

	"linnet/internal/core"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// health shows the findings about the server, faults first. Each visit checks again.
func (h *adminPages) health(c *call) error {
	found, err := h.moderation.Examine(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	d := formPage{Lead: c.tr("Checks of the server, its store and the machine. Also available as linnet doctor.")}
	for _, of := range []struct {
		state core.Finds
		title string
	}{{core.FindsFault, c.tr("Problems")}, {core.FindsWarning, c.tr("Warnings")}, {core.FindsNote, c.tr("Notes")}, {core.FindsGood, c.tr("Passed")}} {
		if facts := findings(c, found, of.state); len(facts) > 0 {
			d.Parts = append(d.Parts, formSection{Title: of.title, Facts: facts})
		}
	}
	if len(d.Parts) == 0 {
		d.Parts = []formSection{{Text: c.tr("No checks ran: this server can't examine itself.")}}
	}
	return showAdmin(c, http.StatusOK, c.tr("Health"), paths.AdminHealth, d)
}

// findings are those in one state, each with its remedy below it.
func findings(c *call, all []core.Finding, state core.Finds) []fact {
	var out []fact
	for _, f := range all {
		if f.State != state {
			continue
		}
		said := saidCell(c.said(f.Text))
		if f.Remedy != "" {
			said.Below = []cell{saidCell(c.said(f.Remedy))}
		}
		out = append(out, fact{ui.Capitalize(c.said(f.Area)), said})
	}
	return out
}
