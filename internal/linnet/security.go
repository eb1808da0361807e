package linnet

import (
	"slices"
	"strings"
	"time"
)

// SecurityEvent is an event about the access to an account. The values are stored in the security
// log and must stay readable.
type SecurityEvent string

// Events, with the user who causes them.
const (
	PasswordChanged   SecurityEvent = "password_changed" // by the owner
	TwoFactorOn       SecurityEvent = "two_factor_on"
	TwoFactorOff      SecurityEvent = "two_factor_off"
	ResetOffered      SecurityEvent = "reset_offered" // by an administrator, or a command if By is 0
	TwoFactorOffered  SecurityEvent = "two_factor_offered"
	ResetUsed         SecurityEvent = "reset_used" // by the user of the link
	TwoFactorReset    SecurityEvent = "two_factor_reset"
	PasswordSet       SecurityEvent = "password_set" // by a command on the server
	TwoFactorTakenOff SecurityEvent = "two_factor_taken_off"
	ResetMailed       SecurityEvent = "reset_mailed" // by any visitor who knows the address
	EmailConfirmed    SecurityEvent = "email_confirmed"
	EmailChanged      SecurityEvent = "email_changed"
	EmailRemoved      SecurityEvent = "email_removed"

	LoggedIn         SecurityEvent = "logged_in"       // by a user with the credentials
	LogInFailed      SecurityEvent = "log_in_failed"   // a wrong password, Count times
	CodeFailed       SecurityEvent = "code_failed"     // a wrong code after the right password, Count times
	RecoveryUsed     SecurityEvent = "recovery_used"   // a login with a recovery code
	RecoveryFew      SecurityEvent = "recovery_few"    // at most FewRecoveryCodes are left
	RecoveryRenewed  SecurityEvent = "recovery_made"   // by the owner, as are the next ones
	AppAllowed       SecurityEvent = "app_allowed"     // Detail is the name of the app
	AppEnded         SecurityEvent = "app_ended"       // Detail is the name of the app; by the owner or the app itself
	SessionEnded     SecurityEvent = "session_ended"   // Detail is the browser
	SessionsEnded    SecurityEvent = "sessions_ended"  // all except the requesting one
	PasskeyAdded     SecurityEvent = "passkey_added"   // Detail is the name of the passkey
	PasskeyRemoved   SecurityEvent = "passkey_removed" // Detail is the name of the passkey
	PasskeyLoggedIn  SecurityEvent = "passkey_used"    // Detail is the name of the passkey; a login
	PasskeyCopied    SecurityEvent = "passkey_copied"  // Detail is the name of the passkey; the counter decreased and the login was refused
	AccountSuspended SecurityEvent = "suspended"       // by staff, as are the next ones
	AccountRestored  SecurityEvent = "unsuspended"
	AccountLocked    SecurityEvent = "disabled"
	AccountUnlocked  SecurityEvent = "enabled"
	RoleChanged      SecurityEvent = "role_changed" // by a command or an administrator
	EmailAsked       SecurityEvent = "email_asked"  // by the owner; not confirmed yet
)

// securityEvents returns the events in the order of their stored numbers. New ones are appended.
func securityEvents() []SecurityEvent {
	return []SecurityEvent{PasswordChanged, TwoFactorOn, TwoFactorOff, ResetOffered, TwoFactorOffered, ResetUsed, TwoFactorReset,
		PasswordSet, TwoFactorTakenOff, ResetMailed, EmailConfirmed, EmailChanged, EmailRemoved,
		LoggedIn, LogInFailed, CodeFailed, RecoveryUsed, RecoveryFew, RecoveryRenewed, AppAllowed, AppEnded, SessionEnded, SessionsEnded,
		PasskeyAdded, PasskeyRemoved, PasskeyLoggedIn, PasskeyCopied, AccountSuspended, AccountRestored, AccountLocked, AccountUnlocked, RoleChanged, EmailAsked}
}

// Number returns the stored number of the event, or 0 if it is unknown.
func (e SecurityEvent) Number() uint64 { return uint64(slices.Index(securityEvents(), e) + 1) }

// SecurityEventOf returns the event with a number, or "" if there is none.
func SecurityEventOf(n uint64) SecurityEvent {
	if all := securityEvents(); n >= 1 && n <= uint64(len(all)) {
		return all[n-1]
	}
	return ""
}

// ByOthers reports whether the owner is notified at once, because another person may have caused
// the event.
func (e SecurityEvent) ByOthers() bool {
	switch e {
	case ResetOffered, TwoFactorOffered, ResetUsed, TwoFactorReset, PasswordSet, TwoFactorTakenOff, ResetMailed, EmailChanged, RecoveryFew, PasskeyAdded, PasskeyCopied:
		return true
	}
	return false
}

// Mailed reports whether the owner gets an e-mail to a confirmed address after the event is logged,
// because an attacker could cause it to keep access. The e-mails about a new password or address
// are written with the change itself.
func (e SecurityEvent) Mailed() bool {
	switch e {
	case ResetOffered, TwoFactorOn, TwoFactorOff, TwoFactorOffered, TwoFactorTakenOff, RecoveryRenewed, PasskeyAdded, PasskeyRemoved:
		return true
	}
	return false
}

// ByStaff reports whether staff or an operator caused the event.
func (e SecurityEvent) ByStaff() bool {
	switch e {
	case ResetOffered, TwoFactorOffered, PasswordSet, TwoFactorTakenOff, AccountSuspended, AccountRestored, AccountLocked, AccountUnlocked, RoleChanged:
		return true
	}
	return false
}

// FewRecoveryCodes is the number of remaining recovery codes from which the owner is warned.
const FewRecoveryCodes = 3

// Frequent reports whether the event can happen so often that it must not displace others in the
// log.
func (e SecurityEvent) Frequent() bool {
	switch e {
	case LoggedIn, PasskeyLoggedIn, LogInFailed, CodeFailed, AppAllowed, AppEnded:
		return true
	}
	return false
}

// Sentence describes the event for the owner.
func (e SecurityEvent) Sentence() string {
	switch e {
	case PasswordChanged:
		return "You changed your password."
	case TwoFactorOn:
		return "You turned on two-factor authentication."
	case TwoFactorOff:
		return "You turned off two-factor authentication."
	case ResetOffered:
		return "This server's staff created a link to reset your password."
	case TwoFactorOffered:
		return "This server's staff created a link to turn off your two-factor authentication."
	case ResetUsed:
		return "Your password was reset with a link, and all sessions were ended."
	case TwoFactorReset:
		return "Your two-factor authentication was turned off with a link."
	case PasswordSet:
		return "An administrator set a new password for your account, and all sessions were ended."
	case ResetMailed:
		return "We sent a link to reset your password to your e-mail address."
	case EmailConfirmed:
		return "You confirmed your e-mail address."
	case EmailChanged:
		return "Your e-mail address was changed."
	case EmailRemoved:
		return "You removed your e-mail address."
	case TwoFactorTakenOff:
		return "An administrator turned off your two-factor authentication and removed your passkeys."
	}
	return e.laterSentence()
}

// laterSentence is Sentence for events at logins, with apps and passkeys, and by moderators.
func (e SecurityEvent) laterSentence() string {
	switch e {
	case LoggedIn:
		return "You logged in with your password."
	case LogInFailed:
		return "Someone entered a wrong password."
	case CodeFailed:
		return "Someone entered your password, followed by a wrong code."
	case RecoveryUsed:
		return "You logged in with your password and a recovery code."
	case RecoveryFew:
		return "You have only a few recovery codes left. Get new ones on the page “Password and security”."
	case RecoveryRenewed:
		return "You got new recovery codes. The old codes no longer work."
	case AppAllowed:
		return "You authorized an app."
	case AppEnded:
		return "You revoked an app's access."
	case SessionEnded:
		return "You logged out a browser."
	case SessionsEnded:
		return "You logged out all other browsers and apps."
	case PasskeyAdded:
		return "A passkey was added to your account."
	case PasskeyRemoved:
		return "You removed a passkey."
	case PasskeyLoggedIn:
		return "You logged in with a passkey."
	case PasskeyCopied:
		return "We blocked a login with a passkey that may have been copied."
	case AccountSuspended:
		return "Your account was suspended."
	case AccountRestored:
		return "Your account is no longer suspended."
	case AccountLocked:
		return "Your account was disabled."
	case AccountUnlocked:
		return "Your account is no longer disabled."
	case EmailAsked:
		return "A new e-mail address was entered for your account. It takes effect when you confirm it."
	case RoleChanged:
		return "Your role on this server was changed."
	}
	return "The security settings of your account were changed."
}

// SecurityEntry is an entry in the security log of an account.
type SecurityEntry struct {
	At      time.Time // of the last time, if it happened more than once
	Event   SecurityEvent
	By      ID     // staff member who caused it; 0 for the owner or a command on the server
	Staff   *User  // that staff member; nil if there is none or the account is deleted
	Count   int    // number of consecutive times; 0 for once
	Device  string // browser and system in words, "" if unknown
	Network string // part of the address, "" if unknown
	Detail  string // name of the app, passkey or browser
}

// Sentence describes the event and its object for the owner.
func (e SecurityEntry) Sentence() string {
	s := e.Event.Sentence()
	if e.Detail != "" {
		return strings.TrimSuffix(s, ".") + ": “" + e.Detail + "”."
	}
	return s
}

// EmailState is the state of an account's e-mail address for its owner.
type EmailState struct {
	Address   string     // as typed; "" for none
	Confirmed bool       // the owner has confirmed it
	Pending   string     // address to be confirmed, which can be Address itself; "" for none
	Held      bool       // the link to Pending became invalid after a password change, and a new one is only sent on request
	Mails     []MailKind // selected kinds among the available ones
}

// MailKind is a kind of e-mail that users can turn on and off. The values are stored.
type MailKind string

// Kinds of e-mail.
const (
	MailLogin   MailKind = "login"   // first login of a browser
	MailReports MailKind = "reports" // an open report or a request for an account; for staff
	MailDigest  MailKind = "digest"  // weekly, about unread notifications
)

// MailKinds returns all kinds.
func MailKinds() []MailKind { return []MailKind{MailLogin, MailReports, MailDigest} }

// Usual reports whether a kind is on by default.
func (k MailKind) Usual() bool { return k == MailLogin }
