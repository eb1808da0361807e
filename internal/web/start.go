package web

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/moderation"
)

// startPath is the page of first steps, to which the set-up leads.
const startPath = "/admin/start"

func startRoutes() []route {
	return []route{{pattern: startPath, get: allowed(linnet.Administrator, (*call).start)}}
}

// startStep is something that an administrator does once; Done if the store says
// that it was.
type startStep struct {
	Title, Text, Path, Button string
	Done, Known               bool // Known: the store can say
}

// startSteps are what makes an empty installation a place for people.
func (c *call) startSteps(about linnet.InstanceView) ([]startStep, error) {
	ctx := c.r.Context()
	invites, err := c.svc.Identity.Invites(ctx, c.by())
	if err != nil {
		return nil, err
	}
	sessions, err := c.svc.Identity.Sessions(ctx, c.me.ID)
	if err != nil {
		return nil, err
	}
	app := false
	for _, s := range sessions {
		app = app || !s.Web
	}
	store, err := c.svc.Moderation.StoreInfo(ctx, c.by())
	if err != nil {
		return nil, err
	}
	return []startStep{
		{"Name this place", "A name and a sentence about it stand on the front page and in every app.", settingsPath, "Name and description",
			about.Title != "" && about.Title != defaultTitle && about.Description != "", true},
		{"Write the rules", "New people agree to them, and reports refer to them.", settingsPath + "/rules", "Rules", len(about.Rules) > 0, true},
		{"Invite people", signUpAdvice(about.Registrations), staffInvitesPath, "Invitations",
			about.People > 1 || len(invites) > 0 || about.Registrations.Anybody(), true},
		{"Use an app", "Phones and desktops have apps for Mastodon; they work here too.", "/about#connect", "How to connect an app", app, true},
		{"Back up", backupAdvice(store), "/admin/store", "Where the store is", false, false},
	}, nil
}

// signUpAdvice says who can come as things are.
func signUpAdvice(r linnet.Registrations) string {
	const invitation = "An invitation lets in those who have its link."
	switch r {
	case linnet.RegisterOpen:
		return "Sign-up is open to everybody. Tell people the address of this place."
	case linnet.RegisterApproval:
		return "Everybody may ask for an account, and you decide. " + invitation
	case linnet.RegisterInvite:
		return "Sign-up is open to invited people. " + invitation
	}
	return "Sign-up is closed. " + invitation + " The first one opens sign-up to invited people."
}

// backupAdvice says how the store is copied.
func backupAdvice(i moderation.StoreInfo) string {
	return "Everything is in the store at " + i.Place + ". Have linnet backup DIRECTORY run every night, and try linnet backup verify DIRECTORY once."
}

// defaultTitle is what an installation is called that has no name.
const defaultTitle = "Linnet"

func (c *call) start() error {
	about, err := c.svc.Identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	steps, err := c.startSteps(about)
	if err != nil {
		return err
	}
	return c.showPlace(http.StatusOK, c.adminPlacesFor(), c.tr("First steps"), startPath, startView(steps))
}

// stepsLeft leads to the first steps while some are left.
func (c *call) stepsLeft(about linnet.InstanceView) ([]care, error) {
	if !c.may(linnet.Administrator) {
		return nil, nil
	}
	steps, err := c.startSteps(about)
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
	return []care{{"First steps: " + number(done) + " of " + count(known, "step") + " done.", startPath, "Go on"}}, nil
}
