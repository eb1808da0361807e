package admin

import (
	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// staffLogin is the page of the two-factor requirement for staff.
func (h *Pages) staffLogin(c *page.Context) (*form.Page, error) {
	about, err := h.Settings.Instance(c.Request.Context())
	if err != nil {
		return nil, err
	}
	f := form.New(c, paths.AdminLogIn, c.Tr("Save"), form.Field{Kind: form.CheckField, Name: "staff_secured", Label: c.Tr("Require two-factor authentication or a passkey for moderators, administrators and everyone else with a role"), On: about.StaffSecured,
		Hint: c.Tr("Staff without two-factor authentication or a passkey can't moderate or administer the server, on the web or in apps. To turn on this setting, you need one of the two yourself.")})
	return &form.Page{Title: c.Tr("Staff login"), Path: paths.AdminLogIn, Form: f}, nil
}

func (h *Pages) saveStaffLogin(c *page.Context) (string, error) {
	_, err := h.Settings.ChangeInstance(c.Request.Context(), c.Actor(), linnet.InstanceChange{StaffSecured: form.Checked(c, "staff_secured")})
	return form.Saved(paths.AdminLogIn), err
}
