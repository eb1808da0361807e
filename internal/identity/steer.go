package identity

import (
	"context"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// ChangeInstance changes the description, and enters that into the log of acts. It is for
// administrators.
func (s *Service) ChangeInstance(ctx context.Context, by linnet.Actor, c linnet.InstanceChange) (linnet.Instance, error) {
	if err := s.core.Authorize(ctx, by, linnet.Admin); err != nil {
		return linnet.Instance{}, err
	}
	if err := checkInstance(cleanInstance(c)); err != nil {
		return linnet.Instance{}, err
	}
	if err := s.maySecureStaff(ctx, by, c); err != nil {
		return linnet.Instance{}, err
	}
	if err := s.core.LogAct(ctx, by, core.ActSettings, 0, changedParts(c), ""); err != nil {
		return linnet.Instance{}, err
	}
	return s.setInstance(ctx, c)
}

// maySecureStaff refuses to whoever has neither a second factor nor a passkey that staff need
// one: it would end what they may do.
func (s *Service) maySecureStaff(ctx context.Context, by linnet.Actor, c linnet.InstanceChange) error {
	if c.StaffSecured == nil || !*c.StaffSecured || by.IsOperator() {
		return nil
	}
	ok, err := s.st.Sessions.Secured(ctx, by.ID())
	if err == nil && !ok {
		err = linnet.FieldError("staff_secured", "ERR_INVALID", "needs you to set up two-factor log-in or a passkey for yourself first")
	}
	return core.StoreError(err)
}

// changedParts names what a change is about.
func changedParts(c linnet.InstanceChange) string {
	var parts []string
	for _, p := range []struct {
		name string
		set  bool
	}{{"name", c.Title != nil}, {"description", c.Description != nil}, {"contact", c.Contact != nil || c.ContactUser != nil}, {"rules", c.Rules != nil},
		{"private", c.Private != nil}, {"registrations", c.Registrations != nil}, {"new_days", c.NewDays != nil}, {"trends", c.Trends != nil}, {"cards", c.Cards != nil}, {"invites", c.Invites != nil}, {"privacy_policy", c.Privacy != nil}, {"staff_secured", c.StaffSecured != nil}} {
		if p.set {
			parts = append(parts, p.name)
		}
	}
	return strings.Join(parts, " ")
}
