package auth

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
)

// invitedBy is an invitation to sign up.
type invitedBy struct {
	About      linnet.Instance
	User       *linnet.UserView       // nil if the operator created it
	Collection *linnet.CollectionView // to follow after sign-up; nil for none
}

// accountForm has the inputs of a new account, for sign-up and set-up.
type accountForm struct {
	Login       string
	Errors      page.FieldErrors
	Rules       []string // for the agreement; none in set-up
	Policies    []form.Link
	MinPassword int
	Action      string     // action of the sign-up form
	Invited     *invitedBy // nil without an invitation
	Approval    bool       // a moderator decides, with the help of Reason
	Reason      string
	MaxReason   int

	Question   linnet.SignUpQuestion // zero for none
	QuestionID string                // id of the question for Answer
	Answer     string

	Listed        bool // in the directory
	Mails         bool // the server sends e-mail
	EmailRequired bool
	Email         string
}

// readAccount reads the inputs of a new account. Errors has errors found before the service is
// called.
func readAccount(c *page.Context) (accountForm, linnet.SignUp) {
	f := accountForm{Login: strings.TrimPrefix(c.Typed("login"), "@"), Errors: page.FieldErrors{}, MinPassword: linnet.MinPassword}
	in := linnet.SignUp{Login: f.Login, Password: c.Request.PostForm.Get("password"), From: c.ClientAddr()}
	if l := c.Lang(); l != locale.English() {
		in.Language = l.Code // of e-mails, until the user chooses one
	}
	if in.Password != c.Request.PostForm.Get("again") {
		f.Errors["again"] = c.Tr("The passwords don't match. Please enter both again.")
		in.Faults.Add(&linnet.Error{Kind: linnet.Invalid, Fields: []linnet.Field{{Name: "password_confirmation", Code: "ERR_INVALID"}}})
	}
	return f, in
}

// refused adds the errors of a new account to the form. It returns false for other errors.
func (f accountForm) refused(c *page.Context, err error) bool {
	return f.Errors.Add(c, err, map[string]page.FormField{"username": {Name: "login", Subject: c.Tr("this username")},
		"password": {Name: "password", Subject: c.Tr("the password")}, "password_confirmation": {Name: "again", Subject: ""}, "agreement": {Name: "agreed", Subject: c.Tr("the agreement")}, "reason": {Name: "reason", Subject: c.Tr("your reason")}, "email": {Name: "email", Subject: c.Tr("the address")}, "answer": {Name: "answer", Subject: c.Tr("the answer")}, "invite_code": {Name: "", Subject: c.Tr("the invitation")}})
}

// signUpOpen returns the invitation in the path, if any. It returns an error if sign-up is closed,
// or open only to invited users.
func (h *Pages) signUpOpen(c *page.Context) (about linnet.Instance, invite linnet.Invite, err error) {
	about, err = c.Instance()
	if err != nil {
		return about, invite, err
	}
	if code := c.Request.PathValue("code"); code != "" {
		invite, err = h.Invites.Check(c.Request.Context(), code)
		return about, invite, inviteRefusal(c, err)
	}
	if !about.Registrations.Anybody() {
		return about, invite, &page.Error{Code: http.StatusForbidden, Back: "/login", BackText: "Log in",
			Msg: "Sign-up is closed. Ask the administrators for an account."}
	}
	return about, invite, nil
}

// inviteRefusal returns why an invitation can't be used.
func inviteRefusal(c *page.Context, err error) error {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return err
	}
	code := map[linnet.Kind]int{linnet.NotFound: http.StatusNotFound, linnet.Gone: http.StatusGone, linnet.Forbidden: http.StatusForbidden}[e.Kind]
	if code == 0 {
		return err
	}
	return &page.Error{Code: code, Back: "/login", BackText: "Log in", Localized: c.ErrorText(e) + " " + c.Tr("Ask the person who invited you for a new invitation.")}
}

func (h *Pages) signUpForm(c *page.Context) error {
	about, invite, err := h.signUpOpen(c)
	if err != nil {
		return err
	}
	return h.showSignUp(c, http.StatusOK, accountForm{MinPassword: linnet.MinPassword}, about, invite)
}

func (h *Pages) showSignUp(c *page.Context, code int, f accountForm, about linnet.Instance, invite linnet.Invite) error {
	f.Rules, f.Policies, f.Approval, f.MaxReason = about.Rules, form.Policies(about), about.Registrations.Approval(), linnet.MaxSignUpReason
	f.Mails, f.EmailRequired = h.Emails.On(), h.Emails.Required(&about)
	var full *linnet.Error
	if err := page.CheckAccounts(c); errors.As(err, &full) {
		f.Errors = page.FieldErrors{"": c.ErrorText(full)}
		code = http.StatusForbidden
	} else if err != nil {
		return err
	}
	f.Action = "/signup"
	main := page.Page{Title: c.Tr("Sign up"), Script: true}
	if invite.Code != "" {
		f.Action, f.Approval, f.Invited = "/invite/"+invite.Code, false, &invitedBy{About: about}
		if invite.By != 0 {
			by, err := h.View.User(c.Request.Context(), 0, invite.By)
			if err != nil {
				return fmt.Errorf("read the inviter: %w", err)
			}
			f.Invited.User = &by
		}
		var err error
		if f.Invited.Collection, err = h.View.FindCollection(c.Request.Context(), 0, invite.Collection); err != nil {
			return fmt.Errorf("read the collection of an invitation: %w", err)
		}
		main.Sheet = "welcome.css"
		main.Card = &page.Card{Type: "website", Title: c.Tr("You're invited to %s", about.Title), Text: about.Description, URL: c.URL.String() + f.Action, Image: about.Thumbnail.Name}
	} else {
		var others []linnet.SignUpQuestion
		for _, q := range about.Questions {
			if q.ID() != f.QuestionID {
				others = append(others, q)
			} else {
				f.Question = q
			}
		}
		// After a wrong answer another question is drawn, and after a correct one the question
		// stays.
		if wrong := f.Errors["answer"] != ""; len(others) > 0 && (wrong || f.Question.Ask == "") {
			f.Question, f.Answer = others[rand.IntN(len(others))], ""
		}
	}
	main.Body = signUpView(c, f)
	return c.Render(code, main)
}

func (h *Pages) signUp(c *page.Context) error {
	about, invite, err := h.signUpOpen(c)
	if err != nil {
		return err
	}
	form, in := readAccount(c)
	in.Listed = c.Request.PostForm.Get("discoverable") != ""
	form.Listed = in.Listed
	in.Agreed = len(about.Rules) == 0 || c.Request.PostForm.Get("agreed") != ""
	form.Reason, form.Email = c.Typed("reason"), c.Typed("email")
	form.Answer, form.QuestionID = c.Typed("answer"), c.Typed("question")
	if h.Emails.On() {
		in.Email = form.Email
	}
	in.Reason, in.Question, in.Answer, in.Invite = form.Reason, form.QuestionID, form.Answer, invite.Code
	var full *linnet.Error
	if err := page.CheckAccounts(c); errors.As(err, &full) { // the new account would have no session
		return h.showSignUp(c, http.StatusForbidden, form, about, invite)
	} else if err != nil {
		return err
	}
	if !in.Agreed {
		form.Errors["agreed"] = c.Tr("You must agree to the rules.")
	}
	if err := c.CountAs(core.RateSignUp); err != nil {
		return err
	}
	u, err := h.Identity.Register(c.Request.Context(), in)
	if err != nil {
		if form.refused(c, err) {
			return h.showSignUp(c, http.StatusUnprocessableEntity, form, about, invite)
		}
		return fmt.Errorf("sign up: %w", err)
	}
	if u.Unapproved && h.Emails.Required(&about) && (!about.Registrations.Approval() || in.Invite != "") {
		return c.Render(http.StatusOK, page.Page{Title: c.Tr("Confirm your e-mail address"), Body: confirmFirstView(u.Login, in.Email)})
	}
	if u.Unapproved {
		return c.Render(http.StatusOK, page.Page{Title: c.Tr("Thank you"), Body: waitingView(u.Login)})
	}
	return logInAfterSignUp(c, in, "/")
}

// logInAfterSignUp logs the owner of a new account in. If that fails, it redirects to the login
// page, because the account exists anyway.
func logInAfterSignUp(c *page.Context, in linnet.SignUp, path string) error {
	if err := c.StartSession(in.Login, in.Password); err != nil {
		c.LogError(http.StatusInternalServerError, fmt.Errorf("log in after sign-up: %w", err))
		return c.Redirect("/login")
	}
	return c.Redirect(path)
}
