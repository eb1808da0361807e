package auth

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

type loginPage struct {
	Login   string // as submitted before
	Error   string
	Next    string // query of the form's action: "" or "?next=..."
	Open    bool   // sign-up is possible
	ForApp  bool   // an app has sent the reader here
	Pending string // encoded form that is shown again after the login

	Correct  bool // the account waits for the confirmation of its address, which may be wrong
	Passkeys bool // passkeys can be used

	Strike string // path of the strike that closed the account; "" for none
}

func (h *Pages) loginForm(c *page.Context) error {
	var full *linnet.Error
	switch err := page.CheckAccounts(c); {
	case errors.As(err, &full): // a new login of one of them is still possible
		return h.showLogin(c, http.StatusOK, loginPage{Error: c.ErrorText(full)})
	case err != nil:
		return err
	}
	return h.showLogin(c, http.StatusOK, loginPage{})
}

func (h *Pages) showLogin(c *page.Context, code int, p loginPage) error {
	about, err := c.Instance()
	if err != nil {
		return err
	}
	p.Open = about.Registrations.Anybody()
	p.ForApp = strings.HasPrefix(c.NextPath(), paths.Authorize)
	p.Next, p.Pending, p.Passkeys = c.NextQuery(), pendingText(c), h.Security.PasskeysOn()
	return c.Render(code, page.Page{Title: c.Tr("Log in"), Body: loginView(c, p), Script: true})
}

func (h *Pages) logIn(c *page.Context) error {
	p := loginPage{Login: strings.TrimPrefix(c.Typed("login"), "@")}
	err := c.StartSession(p.Login, c.Request.PostForm.Get("password"))
	if err == nil {
		return h.afterLogIn(c)
	}
	var second *identity.SecondFactorError
	if errors.As(err, &second) {
		return showSecond(c, http.StatusOK, secondPage{Ticket: second.Ticket})
	}
	return h.refuseLogIn(c, p, err)
}

// refuseLogIn shows the form again with its error.
func (h *Pages) refuseLogIn(c *page.Context, p loginPage, err error) error {
	var refused *linnet.Error
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.Kind {
	case linnet.Unauthenticated, linnet.Invalid, linnet.Forbidden:
		p.Error = c.ErrorText(refused)
		var closed *identity.ClosedError
		if errors.As(err, &closed) {
			p.Strike = closed.Path
		}
		p.Correct = errors.Is(err, identity.ErrEmailUnconfirmed) || errors.Is(err, identity.ErrEmailSent)
		return h.showLogin(c, http.StatusUnprocessableEntity, p)
	case linnet.TooMany:
		page.SetRetryAfter(c.Writer.Header(), refused)
		p.Error = c.Tr("Too many login attempts.") + " " + c.WaitText(refused.RetryAfter)
		return h.showLogin(c, http.StatusTooManyRequests, p)
	}
	return err
}

// secondPage asks for the code of the second factor.
type secondPage struct {
	Ticket  string
	Error   string
	Next    string // as in loginPage
	Pending string // as in loginPage
}

func showSecond(c *page.Context, code int, p secondPage) error {
	p.Next, p.Pending = c.NextQuery(), pendingText(c)
	return c.Render(code, page.Page{Title: c.Tr("Log in"), Body: secondView(c, p), Script: true})
}

// secondStep checks the code and completes the login.
func (h *Pages) secondStep(c *page.Context) error {
	ticket := c.Typed("ticket")
	token, u, err := h.Identity.FinishLogIn(c.VisitorContext(), ticket, c.Typed("code"))
	switch {
	case err == nil:
		if err := c.TakeSession(token, u.ID); err != nil {
			return h.refuseLogIn(c, loginPage{}, err)
		}
		return h.afterLogIn(c)
	case page.IsKind(err, linnet.Invalid):
		return showSecond(c, http.StatusUnprocessableEntity, secondPage{Ticket: ticket, Error: c.Tr("This code is incorrect or has already been used.")})
	}
	return h.refuseLogIn(c, loginPage{}, err)
}

// afterLogIn redirects after a login, or shows the form that was sent with it.
func (h *Pages) afterLogIn(c *page.Context) error {
	if k, ok := sentPendingForm(c); ok {
		return h.showOutdatedAfterLogin(c, k)
	}
	return c.Redirect(c.NextPath())
}

// pendingText returns the encoded form that is shown again after the login; "" for none.
func pendingText(c *page.Context) string {
	if c.PendingForm != "" {
		return c.PendingForm
	}
	if k, ok := sentPendingForm(c); ok {
		return k.Text()
	}
	return ""
}

// logOut ends the session of an account in this browser, or with "all" the sessions of all
// accounts.
func (h *Pages) logOut(c *page.Context) error {
	if c.Request.PostForm.Get("all") != "" {
		if err := page.LogOutAll(c); err != nil {
			return err
		}
		return c.Redirect("/")
	}
	was := c.Viewer()
	if err := page.LogOut(c); err != nil {
		return err
	}
	if c.Me != nil && c.Me.ID != was {
		return c.Redirect("/?switched=out")
	}
	return c.Redirect("/")
}

// switchAccount continues with another account of this browser.
func (h *Pages) switchAccount(c *page.Context) error {
	login := c.Typed("account")
	switch ok, err := page.SwitchAccount(c, login); {
	case err != nil:
		return err
	case !ok:
		return h.showLogin(c, http.StatusForbidden, loginPage{Login: login,
			Error: c.Tr("%s is no longer logged in on this browser. Log in again.", "@"+login)})
	}
	if k, ok := sentPendingForm(c); ok {
		return h.showOutdatedAfterLogin(c, k)
	}
	if next := c.NextPath(); next != "/" {
		return c.Redirect(next)
	}
	return c.Redirect("/?switched=1")
}

// offerSwitch redirects the reader of an account. If another account of the browser is active, it
// offers to switch.
func (h *Pages) offerSwitch(c *page.Context) error {
	login := strings.TrimPrefix(c.Request.URL.Query().Get("account"), "@")
	if login == "" || c.Me != nil && strings.EqualFold(c.Me.Login, login) {
		return c.Redirect(c.NextPath())
	}
	all, err := page.Others(c)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(o page.OtherAccount) bool { return strings.EqualFold(o.Login, login) })
	if at < 0 {
		return h.showLogin(c, http.StatusOK, loginPage{Login: login, Error: c.Tr("%s is no longer logged in on this browser. Log in again.", "@"+login)})
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Switch account"), Body: switchView(c, all[at].UserView)})
}

func (h *Pages) beginPasskeyLogIn(c *page.Context) error {
	body, err := h.Security.BeginPasskeyLogIn(c.Request.Context(), c.FormToken())
	if err != nil {
		return c.ScriptError(err)
	}
	return c.JSON(json.RawMessage(body))
}

func (h *Pages) passkeyLogIn(c *page.Context) error {
	token, u, err := h.Security.FinishPasskeyLogIn(c.VisitorContext(), c.FormToken(), []byte(c.Request.PostForm.Get("answer")), c.ClientAddr())
	if err != nil {
		return h.refuseLogIn(c, loginPage{}, err)
	}
	if err := c.TakeSession(token, u.ID); err != nil {
		return h.refuseLogIn(c, loginPage{}, err)
	}
	return h.afterLogIn(c)
}
