package web

import (
	"net/http"

	"linnet/internal/linnet"
)

// staffLogInPath is the page with the requirements for log-ins of staff.
const staffLogInPath = "/admin/login"

func (c *call) staffLogInForm(about linnet.InstanceView) *form {
	return c.form(staffLogInPath, c.tr("Save"), field{Kind: checkField, Name: "staff_secured", Label: c.tr("Require two-factor authentication or a passkey for moderators, administrators and everyone else with a role"), On: about.StaffSecured,
		Hint: c.tr("Until they set one up, they can't moderate or administer, on the web or in apps. You need one yourself to turn this on.")})
}

func (c *call) showStaffLogIn(code int, f *form) error {
	return c.showAdmin(code, c.tr("Staff log-in"), staffLogInPath, formPage{Parts: []formSection{{Form: f}}})
}

func (c *call) staffLogIn() error {
	about, err := c.svc.Identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	return c.showStaffLogIn(http.StatusOK, c.staffLogInForm(about))
}

func (c *call) changeStaffLogIn() error {
	about, err := c.svc.Identity.ChangeInstance(c.r.Context(), c.by(), linnet.InstanceChange{StaffSecured: c.ticked("staff_secured")})
	if err == nil {
		return c.saved(staffLogInPath)
	}
	if f := c.staffLogInForm(linnet.InstanceView{Instance: about}); f.refused(err, nil) {
		return c.showStaffLogIn(f.code(), f)
	}
	return err
}
