package web

import (
	"context"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// What entries of a security log say, for the catalogues; see linnet.SecurityEvent.Sentence.
var _ = []string{
	locale.Mark("You changed your password."),
	locale.Mark("You turned two-factor log-in on."),
	locale.Mark("You turned two-factor log-in off."),
	locale.Mark("A link to set a new password for your account was made by the people who run this server."),
	locale.Mark("A link to turn your two-factor log-in off was made by the people who run this server."),
	locale.Mark("A new password was set with a reset link, and all sessions ended."),
	locale.Mark("Two-factor log-in was turned off with a reset link."),
	locale.Mark("The people who run this server set a new password for your account, and all sessions ended."),
	locale.Mark("A link to set a new password for your account was sent to your e-mail address."),
	locale.Mark("You confirmed your e-mail address."),
	locale.Mark("The e-mail address of your account was changed."),
	locale.Mark("You removed your e-mail address."),
	locale.Mark("The people who run this server turned your two-factor log-in off, and removed your passkeys."),
	locale.Mark("Log-in with your password."),
	locale.Mark("A wrong password was given."),
	locale.Mark("The right password was given, and then a wrong code."),
	locale.Mark("Log-in with your password and a recovery code."),
	locale.Mark("You have few recovery codes left. Make new ones on the page “Password and log-in”."),
	locale.Mark("You made new recovery codes. The old ones ended."),
	locale.Mark("You let an app in."),
	locale.Mark("An app was logged out."),
	locale.Mark("You logged a browser out."),
	locale.Mark("You logged everything else out."),
	locale.Mark("A passkey was added to your account."),
	locale.Mark("You removed a passkey."),
	locale.Mark("Log-in with a passkey."),
	locale.Mark("A log-in with a passkey that looks like a copy was refused."),
	locale.Mark("Your account was suspended."),
	locale.Mark("Your account is no longer suspended."),
	locale.Mark("Your account was locked, and all sessions ended."),
	locale.Mark("Your account was unlocked."),
	locale.Mark("Your role on this server was changed."),
	locale.Mark("Something about the access to your account changed."),
}

// securitySentence says in the reader's language what happened.
func securitySentence(ctx context.Context, e linnet.SecurityEntry) string {
	s := tr(ctx, e.Event.Sentence())
	if e.Detail == "" {
		return s
	}
	return tr(ctx, "%s: “%s”.", strings.TrimRight(s, ".。"), e.Detail)
}
