package admin

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func staffLogInForm(c *page.Context, about linnet.InstanceView) *form.Form {
	return form.New(c, paths.AdminLogIn, c.Tr("Save"), form.Field{Kind: form.CheckField, Name: "staff_secured", Label: c.Tr("Require two-factor authentication or a passkey for moderators, administrators and everyone else with a role"), On: about.StaffSecured,
		Hint: c.Tr("Without either, they can't moderate or administer the server, on the web or in apps. You need one yourself to turn this on.")})
}

func showStaffLogIn(c *page.Context, code int, f *form.Form) error {
	return form.ShowAdmin(c, code, c.Tr("Staff login"), paths.AdminLogIn, form.Page{Parts: []form.Section{{Form: f}}})
}

func (h *Pages) staffLogIn(c *page.Context) error {
	about, err := h.Settings.Instance(c.Request.Context())
	if err != nil {
		return err
	}
	return showStaffLogIn(c, http.StatusOK, staffLogInForm(c, about))
}

func (h *Pages) changeStaffLogIn(c *page.Context) error {
	about, err := h.Settings.ChangeInstance(c.Request.Context(), c.Actor(), linnet.InstanceChange{StaffSecured: form.Checked(c, "staff_secured")})
	if err == nil {
		return form.Saved(c, paths.AdminLogIn)
	}
	if f := staffLogInForm(c, linnet.InstanceView{Instance: about}); f.Refused(err, nil) {
		return showStaffLogIn(c, f.StatusCode(), f)
	}
	return err
}
