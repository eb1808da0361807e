package instance

import (
	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// startSteps returns the steps to prepare a new server.
func (h *Pages) startSteps(c *page.Context, about linnet.InstanceView) ([]form.Step, error) {
	ctx := c.Request.Context()
	invites, err := h.Invites.All(ctx, c.Actor())
	if err != nil {
		return nil, err
	}
	sessions, err := h.Identity.Sessions(ctx, c.Me.ID)
	if err != nil {
		return nil, err
	}
	app := false
	for _, s := range sessions {
		app = app || !s.Web
	}
	store, err := h.Moderation.Server.StoreInfo(ctx, c.Actor())
	if err != nil {
		return nil, err
	}
	return []form.Step{
		{Title: c.Tr("Name your server"), Text: c.Tr("The name and description appear on the front page and in apps."), Path: paths.AdminSettings, Button: c.Tr("Name and description"),
			Done: about.Title != "" && about.Title != linnet.DefaultTitle && about.Description != "", Known: true},
		{Title: c.Tr("Write the rules"), Text: c.Tr("New members agree to the rules, and reports refer to them."), Path: paths.AdminSettings + "/rules", Button: c.Tr("Rules"), Done: len(about.Rules) > 0, Known: true},
		{Title: c.Tr("Invite people"), Text: signUpAdvice(c, about.Registrations), Path: paths.AdminInvites, Button: c.Tr("Invitations"),
			Done: about.People > 1 || len(invites) > 0 || about.Registrations.Anybody(), Known: true},
		{Title: c.Tr("Use an app"), Text: c.Tr("Mastodon apps for phones and desktops also work here."), Path: "/about#connect", Button: c.Tr("How to connect an app"), Done: app, Known: true},
		{Title: c.Tr("Back up"), Text: c.Tr("The store is at %s. Run linnet backup DIRECTORY every night to back up the store and all media. To check that a backup works, run linnet backup verify DIRECTORY.", store.Location), Path: "/admin/store", Button: c.Tr("Store location"), Done: false, Known: false},
	}, nil
}

// signUpAdvice explains who can sign up.
func signUpAdvice(c *page.Context, r linnet.Registrations) string {
	invitation := c.Tr("An invitation lets anyone with the link sign up.")
	switch r {
	case linnet.RegisterOpen:
		return c.Tr("Sign-up is open. Share this server's address.")
	case linnet.RegisterApproval:
		return c.Tr("Anyone can request an account, and you approve or reject it.") + " " + invitation
	case linnet.RegisterInvite:
		return c.Tr("Sign-up is by invitation only.") + " " + invitation
	}
	return c.Tr("Sign-up is closed.") + " " + invitation + " " + c.Tr("Creating the first invitation opens sign-up to invited people.")
}

func (h *Pages) start(c *page.Context) (*form.Page, error) {
	about, err := h.Settings.Instance(c.Request.Context())
	if err != nil {
		return nil, err
	}
	steps, err := h.startSteps(c, about)
	if err != nil {
		return nil, err
	}
	return &form.Page{Title: c.Tr("First steps"), Path: paths.AdminStart, Body: form.StepsView(steps)}, nil
}

// StepsLeft returns an alert with a link to the first steps, unless they are done.
func (h *Pages) StepsLeft(c *page.Context, about linnet.InstanceView) ([]form.Alert, error) {
	if !c.May(linnet.Administrator) {
		return nil, nil
	}
	steps, err := h.startSteps(c, about)
	if err != nil {
		return nil, err
	}
	done, known := int64(0), int64(0)
	for _, s := range steps {
		if s.Known {
			known++
		}
		if s.Done {
			done++
		}
	}
	if done == known {
		return nil, nil
	}
	return []form.Alert{{Text: c.Trn(known, "First steps: %[2]s of %[1]s step done.", "First steps: %[2]s of %[1]s steps done.", c.Num(done)), Path: paths.AdminStart, Button: c.Tr("Continue")}}, nil
}
