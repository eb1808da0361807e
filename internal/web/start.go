package web

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/web/paths"
)

func (h *instancePages) startRoutes() []route {
	return []route{{pattern: paths.AdminStart, get: allowed(linnet.Administrator, h.start)}}
}

// startStep is something that an administrator does once; Done if the store says
// that it was.
type startStep struct {
	Title, Text, Path, Button string
	Done, Known               bool // Known: the store can say
}

// startSteps are what makes an empty installation a place for people.
func (h *instancePages) startSteps(c *call, about linnet.InstanceView) ([]startStep, error) {
	ctx := c.r.Context()
	invites, err := h.identity.Invites(ctx, c.by())
	if err != nil {
		return nil, err
	}
	sessions, err := h.identity.Sessions(ctx, c.me.ID)
	if err != nil {
		return nil, err
	}
	app := false
	for _, s := range sessions {
		app = app || !s.Web
	}
	store, err := h.moderation.StoreInfo(ctx, c.by())
	if err != nil {
		return nil, err
	}
	return []startStep{
		{c.tr("Name your server"), c.tr("The name and description appear on the front page and in every app."), paths.AdminSettings, c.tr("Name and description"),
			about.Title != "" && about.Title != defaultTitle && about.Description != "", true},
		{c.tr("Write the rules"), c.tr("New members agree to them, and reports refer to them."), paths.AdminSettings + "/rules", c.tr("Rules"), len(about.Rules) > 0, true},
		{c.tr("Invite people"), signUpAdvice(c, about.Registrations), paths.AdminInvites, c.tr("Invitations"),
			about.People > 1 || len(invites) > 0 || about.Registrations.Anybody(), true},
		{c.tr("Use an app"), c.tr("Mastodon apps for phones and desktops also work here."), "/about#connect", c.tr("How to connect an app"), app, true},
		{c.tr("Back up"), backupAdvice(c, store), "/admin/store", c.tr("Store location"), false, false},
	}, nil
}

// signUpAdvice says who can come as things are.
func signUpAdvice(c *call, r linnet.Registrations) string {
	invitation := c.tr("An invitation lets anyone with the link sign up.")
	switch r {
	case linnet.RegisterOpen:
		return c.tr("Sign-up is open. Share this server's address.")
	case linnet.RegisterApproval:
		return c.tr("Anyone can request an account, and you approve or reject it.") + " " + invitation
	case linnet.RegisterInvite:
		return c.tr("Sign-up is by invitation only.") + " " + invitation
	}
	return c.tr("Sign-up is closed.") + " " + invitation + " " + c.tr("Creating the first one opens sign-up to invited people.")
}

// backupAdvice says how the store is copied.
func backupAdvice(c *call, i moderation.StoreInfo) string {
	return c.tr("All data is in the store at %s. Run linnet backup DIRECTORY every night, and try linnet backup verify DIRECTORY once.", i.Place)
}

// defaultTitle is what an installation is called that has no name.
const defaultTitle = "Linnet"

func (h *instancePages) start(c *call) error {
	about, err := h.identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	steps, err := h.startSteps(c, about)
	if err != nil {
		return err
	}
	return showPlace(c, http.StatusOK, adminPlacesFor(c), c.tr("First steps"), paths.AdminStart, startView(steps))
}

// stepsLeft leads to the first steps while some are left.
func (h *instancePages) stepsLeft(c *call, about linnet.InstanceView) ([]care, error) {
	if !c.may(linnet.Administrator) {
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
	return []care{{c.trn(known, "First steps: %[2]s of %[1]s step done.", "First steps: %[2]s of %[1]s steps done.", c.num(done)), paths.AdminStart, c.tr("Continue")}}, nil
}
