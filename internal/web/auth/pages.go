package auth

import (
	"net/http"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
	"linnet/internal/posting"
	"linnet/internal/uploads"
	"linnet/internal/view"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages serves access to accounts. All fields are required.
type Pages struct {
	Core       *core.Service
	Emails     *identity.Emails
	Identity   *identity.Service
	Settings   *identity.Settings
	Invites    *identity.Invites
	Apps       *identity.Apps
	Moderation *moderation.Service
	Posting    *posting.Service
	Security   *identity.Security
	Uploads    *uploads.Service
	View       *view.Service

	Composer *compose.Pages
	Pages    http.Handler // all pages, to show the page of a form again
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return []page.Route{
		{Pattern: "/login", Get: h.loginForm, Post: h.logIn},
		{Pattern: "/login/code", Post: h.secondStep},
		{Pattern: paths.PasskeyLogin, Post: h.passkeyLogIn},
		{Pattern: paths.PasskeyLogin + "/begin", Post: h.beginPasskeyLogIn},
		{Pattern: paths.SwitchAccount, Get: h.offerSwitch, Post: h.switchAccount, AnyAccount: true},
		{Pattern: "/logout", Post: h.logOut, AnyAccount: true},
		{Pattern: "/signup", Get: h.signUpForm, Post: h.signUp},
		{Pattern: paths.Invite, Get: h.signUpForm, Post: h.signUp},
		{Pattern: paths.Forgot, Get: h.forgotForm, Post: h.forgot},
		{Pattern: paths.Reset, Get: h.resetForm, Post: h.reset},
		{Pattern: paths.Setup, Get: h.setUpForm, Post: h.setUp},
		{Pattern: paths.Unsubscribe, Get: h.unsubscribeForm, Post: h.unsubscribe, Foreign: true},
		{Pattern: paths.Correct, Get: h.correctEmailForm, Post: h.correctEmail},
		{Pattern: paths.Confirm, Get: h.confirmEmailForm, Post: h.confirmEmail},
		{Pattern: paths.Authorize, Get: h.consentForm, Post: h.consent},
		{Pattern: paths.Authorize + "/{$}", Get: h.consentForm, Post: h.consent},
		{Pattern: paths.Privacy, Get: privacyPolicy},
		{Pattern: paths.Terms, Get: h.terms},
		{Pattern: paths.Terms + "/{day}", Get: h.terms},
	}
}
