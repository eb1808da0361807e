package account

import (
	"linnet/internal/archives"
	"linnet/internal/identity"
	"linnet/internal/moderation"
	"linnet/internal/social"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages serves the settings of an account: security, e-mail, strikes, export, import and deletion.
// All fields are required.
type Pages struct {
	Archives   *archives.Service
	Emails     *identity.Emails
	Identity   *identity.Service
	Moderation *moderation.Service
	Security   *identity.Security
	Social     *social.Service
}

// Routes returns the routes of the pages. The script creates passkeys and submits the browser's
// response as a form. Imported files are checked first, and imported after confirmation.
func (h *Pages) Routes() []page.Route {
	return []page.Route{
		{Pattern: paths.Security, Get: page.LoggedIn(h.securitySettings)},
		{Pattern: "/settings/password", Post: page.LoggedIn(h.changePassword)},
		form.Member("/settings/sessions", nil, h.endSession),
		form.Member("/settings/sessions/others", nil, h.endOtherSessions),
		form.Member(paths.SecurityLog, h.securityLog, nil),
		{Pattern: paths.TwoFactor, Get: page.LoggedIn(h.twoFactor), Post: page.LoggedIn(h.confirmTwoFactor)},
		{Pattern: paths.TwoFactor + "/qr.png", Get: page.LoggedIn(h.twoFactorPicture)},
		{Pattern: paths.TwoFactor + "/end", Post: page.LoggedIn(h.endTwoFactor)},
		{Pattern: paths.TwoFactor + "/codes", Post: page.LoggedIn(h.renewCodes)},
		{Pattern: paths.Passkeys, Post: page.LoggedIn(h.addPasskey)},
		{Pattern: paths.Passkeys + "/begin", Post: page.LoggedIn(h.beginPasskey)},
		{Pattern: paths.Passkeys + "/rename", Post: page.LoggedIn(h.renamePasskey)},
		{Pattern: paths.Passkeys + "/remove", Post: page.LoggedIn(h.removePasskey)},
		{Pattern: paths.DeleteAccount, Get: page.LoggedIn(deleteForm), Post: page.LoggedIn(h.deleteAccount)},
		form.Member(paths.Email, h.email, h.changeEmail),
		form.Member(paths.Email+"/resend", nil, h.resendEmail),
		form.Member(paths.Email+"/mails", nil, h.chooseMails),
		form.Member(paths.Strikes, h.strikes, nil),
		form.Member(paths.Strikes+"/{id}", h.strike, h.appeal),
		{Pattern: paths.Strike, Get: h.linkedStrike, Post: h.appealLinked},
		form.Member(paths.Imports, h.imports, h.uploadImport),
		{Pattern: paths.PostsImport, Post: page.LoggedIn(form.Post(h.imports, h.uploadPosts))},
		form.Member(paths.Imports+"/{id}", h.importPage, h.actOnImport),
		{Pattern: paths.Imports + "/{id}/failures.csv", Get: page.LoggedIn(h.importFailures)},
		{Pattern: paths.Export, Get: page.LoggedIn(form.Get(h.export)), Post: page.LoggedIn(h.requestArchive)},
		{Pattern: paths.Export + "/archive", Get: page.LoggedIn(h.downloadArchive)},
		{Pattern: paths.Export + "/{file}", Get: page.LoggedIn(h.download)},
	}
}
