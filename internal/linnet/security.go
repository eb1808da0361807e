package linnet

import (
	"slices"
	"time"
)

// SecurityEvent is something that happened to the access to an account. The words
// stand in its log and stay readable for ever.
type SecurityEvent string

// Events, by whom they are caused.
const (
	PasswordChanged   SecurityEvent = "password_changed" // by the owner
	TwoFactorOn       SecurityEvent = "two_factor_on"
	TwoFactorOff      SecurityEvent = "two_factor_off"
	ResetOffered      SecurityEvent = "reset_offered" // by an administrator, or a command if By is 0
	TwoFactorOffered  SecurityEvent = "two_factor_offered"
	ResetUsed         SecurityEvent = "reset_used" // by whoever has the link
	TwoFactorReset    SecurityEvent = "two_factor_reset"
	PasswordSet       SecurityEvent = "password_set" // by a command on the server
	TwoFactorTakenOff SecurityEvent = "two_factor_taken_off"
	ResetMailed       SecurityEvent = "reset_mailed" // by whoever knows the address
	EmailConfirmed    SecurityEvent = "email_confirmed"
	EmailChanged      SecurityEvent = "email_changed"
	EmailRemoved      SecurityEvent = "email_removed"
)

// securityEvents orders the events for where a number is kept of them: new ones
// are added at the end.
func securityEvents() []SecurityEvent {
	return []SecurityEvent{PasswordChanged, TwoFactorOn, TwoFactorOff, ResetOffered, TwoFactorOffered, ResetUsed, TwoFactorReset,
		PasswordSet, TwoFactorTakenOff, ResetMailed, EmailConfirmed, EmailChanged, EmailRemoved}
}

// Number is a number for the event, 0 for one that is unknown; SecurityEventOf
// turns it back.
func (e SecurityEvent) Number() uint64 { return uint64(slices.Index(securityEvents(), e) + 1) }

// SecurityEventOf is the event with a number, "" if there is none.
func SecurityEventOf(n uint64) SecurityEvent {
	if all := securityEvents(); n >= 1 && n <= uint64(len(all)) {
		return all[n-1]
	}
	return ""
}

// ByOthers reports whether the owner of the account is told at once: somebody else
// caused the event, or may have.
func (e SecurityEvent) ByOthers() bool {
	switch e {
	case PasswordChanged, TwoFactorOn, TwoFactorOff, EmailConfirmed, EmailRemoved:
		return false
	}
	return true
}

// Sentence says to the owner what happened.
func (e SecurityEvent) Sentence() string {
	switch e {
	case PasswordChanged:
		return "You changed your password."
	case TwoFactorOn:
		return "You turned two-factor log-in on."
	case TwoFactorOff:
		return "You turned two-factor log-in off."
	case ResetOffered:
		return "A link to set a new password for your account was made by the people who run this server."
	case TwoFactorOffered:
		return "A link to turn your two-factor log-in off was made by the people who run this server."
	case ResetUsed:
		return "A new password was set with a reset link, and all sessions ended."
	case TwoFactorReset:
		return "Two-factor log-in was turned off with a reset link."
	case PasswordSet:
		return "The people who run this server set a new password for your account, and all sessions ended."
	case ResetMailed:
		return "A link to set a new password for your account was sent to your e-mail address."
	case EmailConfirmed:
		return "You confirmed your e-mail address."
	case EmailChanged:
		return "The e-mail address of your account was changed."
	case EmailRemoved:
		return "You removed your e-mail address."
	case TwoFactorTakenOff:
		return "The people who run this server turned your two-factor log-in off."
	}
	return "Something about the access to your account changed."
}

// SecurityEntry is an entry in the security log of an account.
type SecurityEntry struct {
	At    time.Time
	Event SecurityEvent
	By    ID    // of the staff member who caused it, 0: the owner, or a command on the server
	Staff *User // likewise, nil if there is none or they are gone
}
