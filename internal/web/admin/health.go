package admin

import (
	"net/http"

	"linnet/internal/core"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// health shows the findings about the server, faults first. Each visit checks again.
func (h *Pages) health(c *page.Context) error {
	found, err := h.Moderation.Examine(c.Request.Context(), c.Actor())
	if err != nil {
		return err
	}
	d := form.Page{Lead: c.Tr("Checks of the server, its store and the machine. Also available as linnet doctor.")}
	for _, of := range []struct {
		state core.Finds
		title string
	}{{core.FindsFault, c.Tr("Problems")}, {core.FindsWarning, c.Tr("Warnings")}, {core.FindsNote, c.Tr("Notes")}, {core.FindsGood, c.Tr("Passed")}} {
		if facts := findings(c, found, of.state); len(facts) > 0 {
			d.Parts = append(d.Parts, form.Section{Title: of.title, Facts: facts})
		}
	}
	if len(d.Parts) == 0 {
		d.Parts = []form.Section{{Text: c.Tr("No checks ran: they aren't available on this server.")}}
	}
	return form.ShowAdmin(c, http.StatusOK, c.Tr("Health"), paths.AdminHealth, d)
}

// findings returns the findings with a state, each with its remedy.
func findings(c *page.Context, all []core.Finding, state core.Finds) []form.Fact {
	var out []form.Fact
	for _, f := range all {
		if f.State != state {
			continue
		}
		said := form.MessageCell(c.Message(f.Text))
		if f.Remedy != "" {
			said.Below = []form.Cell{form.MessageCell(c.Message(f.Remedy))}
		}
		out = append(out, form.Fact{Name: ui.Capitalize(c.Message(f.Area)), Is: said})
	}
	return out
}
