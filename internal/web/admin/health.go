package admin

import (
	"linnet/internal/core"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// health shows the findings about the server, faults first. Each visit checks again.
func (h *Pages) health(c *page.Context) (*form.Page, error) {
	found, err := h.Moderation.Server.Examine(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	p := &form.Page{Title: c.Tr("Health"), Path: paths.AdminHealth, Lead: c.Tr("Checks of the server, its store and its machine. You can also run them with the command linnet doctor.")}
	for _, of := range []struct {
		state core.Finds
		title string
	}{{core.FindsFault, c.Tr("Problems")}, {core.FindsWarning, c.Tr("Warnings")}, {core.FindsNote, c.Tr("Notes")}, {core.FindsGood, c.Tr("Passed")}} {
		part := form.Section{Title: of.title}
		for _, f := range found {
			if f.State != of.state {
				continue
			}
			said := form.MessageCell(c.Message(f.Text))
			if f.Remedy != "" {
				said.Below = []form.Cell{form.MessageCell(c.Message(f.Remedy))}
			}
			part.Facts = append(part.Facts, form.Fact{Name: ui.Capitalize(c.Message(f.Area)), Is: said})
		}
		if len(part.Facts) > 0 {
			p.Parts = append(p.Parts, part)
		}
	}
	if len(p.Parts) == 0 {
		p.Parts = []form.Section{{Text: c.Tr("No checks were run, because this server doesn't support them.")}}
	}
	return p, nil
}
