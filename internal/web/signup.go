package web

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// accountForm holds the inputs for a new account, which sign-up and set-up share.
type accountForm struct {
	Login       string
	Errors      fieldErrors
	Rules       []string // to be agreed to; none in set-up
	Policies    []navLink
	MinPassword int
	Action      string // where sign-up is sent
	Approval    bool   // a moderator decides, and reads Reason
	Reason      string
	MaxReason   int

	Question linnet.SignUpQuestion // zero for none
	Asked    string                // ID of the question that Answer belongs to
	Answer   string

	Listed        bool // in the directory
	Mails         bool // requires an address
	EmailRequired bool
	Email         string
}

// readAccount reads the inputs of a new account. Errors has errors found before the service is
// called.
func readAccount(c *call) (accountForm, linnet.SignUp) {
	f := accountForm{Login: strings.TrimPrefix(c.typed("login"), "@"), Errors: fieldErrors{}, MinPassword: linnet.MinPassword}
	in := linnet.SignUp{Login: f.Login, Password: c.r.PostForm.Get("password"), From: c.from()}
	if l := c.lang(); l != locale.English() {
		in.Language = l.Code // in which they are written to, until they choose one
	}
	if in.Password != c.r.PostForm.Get("again") {
		f.Errors["again"] = c.tr("The passwords don't match. Please enter both again.")
		in.Faults = []linnet.Field{{Name: "password_confirmation", Code: "ERR_INVALID"}}
	}
	return f, in
}

// refused takes over what social says against a new account.
func (f accountForm) refused(c *call, err error) bool {
	return f.Errors.add(c, err, map[string]formField{"username": {"login", c.tr("this username")},
		"password": {"password", c.tr("the password")}, "password_confirmation": {"again", ""}, "agreement": {"agreed", c.tr("the agreement")}, "reason": {"reason", c.tr("your reason")}, "email": {"email", c.tr("the address")}, "answer": {"answer", c.tr("the answer")}, "invite_code": {"", c.tr("the invitation")}})
}

// signUpOpen refuses while only invited people get in.
func (h *authPages) signUpOpen(c *call) (linnet.Instance, error) {
	about, err := c.instance()
	if err != nil {
		return about, err
	}
	if code := c.r.PathValue("code"); code != "" {
		_, err := h.identity.CheckInvite(c.r.Context(), code)
		return about, inviteRefusal(c, err)
	}
	if !about.Registrations.Anybody() {
		return about, &httpError{code: http.StatusForbidden, back: "/login", text: "Log in",
			msg: "Sign-up is closed. Ask the administrators for an account."}
	}
	return about, nil
}

// inviteRefusal returns why an invitation can't be used.
func inviteRefusal(c *call, err error) error {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return err
	}
	code := map[linnet.Kind]int{linnet.NotFound: http.StatusNotFound, linnet.Gone: http.StatusGone, linnet.Forbidden: http.StatusForbidden}[e.Kind]
	if code == 0 {
		return err
	}
	return &httpError{code: code, back: "/login", text: "Log in", said: c.told(e) + " " + c.tr("Ask the person who sent it for a new one.")}
}

func (h *authPages) signUpForm(c *call) error {
	about, err := h.signUpOpen(c)
	if err != nil {
		return err
	}
	return h.showSignUp(c, http.StatusOK, accountForm{MinPassword: linnet.MinPassword}, about)
}

func (h *authPages) showSignUp(c *call, code int, f accountForm, about linnet.Instance) error {
	f.Rules, f.Policies, f.Approval, f.MaxReason = about.Rules, policies(about), about.Registrations.Approval(), linnet.MaxSignUpReason
	f.Mails, f.EmailRequired = h.emails.On(), h.emails.Required(&about)
	f.Action = "/signup"
	if code := c.r.PathValue("code"); code != "" {
		f.Action, f.Approval = "/invite/"+code, false
	} else {
		f.ask(about.Questions)
	}
	return c.render(code, page{Title: c.tr("Sign up"), Body: signUpView(c, f), Script: true})
}

// ask draws a question, and another after a wrong answer; one that was answered stays.
func (f *accountForm) ask(questions []linnet.SignUpQuestion) {
	var others []linnet.SignUpQuestion
	for _, q := range questions {
		if q.ID() != f.Asked {
			others = append(others, q)
		} else {
			f.Question = q
		}
	}
	if wrong := f.Errors["answer"] != ""; len(others) > 0 && (wrong || f.Question.Ask == "") {
		f.Question, f.Answer = others[rand.IntN(len(others))], ""
	}
}

func (h *authPages) signUp(c *call) error {
	about, err := h.signUpOpen(c)
	if err != nil {
		return err
	}
	form, in := readAccount(c)
	in.Listed = c.r.PostForm.Get("discoverable") != ""
	form.Listed = in.Listed
	in.Agreed = len(about.Rules) == 0 || c.r.PostForm.Get("agreed") != ""
	form.Reason, form.Email = c.typed("reason"), c.typed("email")
	form.Answer, form.Asked = c.typed("answer"), c.typed("question")
	if h.emails.On() {
		in.Email = form.Email
	}
	in.Reason, in.Question, in.Answer, in.Invite = form.Reason, form.Asked, form.Answer, c.r.PathValue("code")
	if !in.Agreed {
		form.Errors["agreed"] = c.tr("You must agree to the rules.")
	}
	if err := c.countAs(core.RateSignUp); err != nil {
		return err
	}
	u, err := h.identity.Register(c.r.Context(), in)
	if err != nil {
		if form.refused(c, err) {
			return h.showSignUp(c, http.StatusUnprocessableEntity, form, about)
		}
		return fmt.Errorf("sign up: %w", err)
	}
	if u.Unapproved && h.emails.Required(&about) && (!about.Registrations.Approval() || in.Invite != "") {
		return c.render(http.StatusOK, page{Title: c.tr("Confirm your e-mail address"), Body: confirmFirstView(u.Login, in.Email)})
	}
	if u.Unapproved {
		return c.render(http.StatusOK, page{Title: c.tr("Thank you"), Body: waitingView(u.Login)})
	}
	return enter(c, in, "/#connect")
}

// enter logs the owner of a new account in. The account exists whatever becomes
// of that, so a refusal leads to the log-in page.
func enter(c *call, in linnet.SignUp, path string) error {
	if err := c.startSession(in.Login, in.Password); err != nil {
		c.log(http.StatusInternalServerError, fmt.Errorf("log in after sign-up: %w", err))
		return c.seeOther("/login")
	}
	return c.seeOther(path)
}
