package linnet

import "time"

// Treatment is what becomes of notifications from people of some kind. The words
// are Mastodon's.
type Treatment string

const (
	Accept Treatment = "accept" // they are shown
	Hold   Treatment = "filter" // they are held apart, as a request
	Drop   Treatment = "drop"   // they are not made
)

// ValidTreatment reports whether t is one of the three.
func ValidTreatment(t Treatment) bool { return t == Accept || t == Hold || t == Drop }

// Stricter returns the stricter of two treatments.
func Stricter(a, b Treatment) Treatment {
	if a == Drop || b == Drop {
		return Drop
	}
	if a == Hold || b == Hold {
		return Hold
	}
	return Accept
}

// NewAccountAge is how old an account is that is no longer new.
const NewAccountAge = 30 * 24 * time.Hour

// NotificationPolicy says whose notifications a user wants.
// https://docs.joinmastodon.org/entities/NotificationPolicy/
type NotificationPolicy struct {
	NotFollowing    Treatment // from people whom the user does not follow
	NotFollowers    Treatment // from people who do not follow the user
	NewAccounts     Treatment // from accounts younger than NewAccountAge, unless followed
	PrivateMentions Treatment // direct mentions by people not followed, unless they answer the user
	Limited         Treatment // from people whom moderators have silenced, unless followed
	Bots            Treatment // from automated accounts, unless followed
}

// DefaultPolicy is that of who has not chosen. Unlike Mastodon's it accepts
// private mentions: many clients cannot show requests.
func DefaultPolicy() NotificationPolicy {
	return NotificationPolicy{Accept, Accept, Accept, Accept, Hold, Accept}
}

// PolicyChange changes a policy; "" leaves a part as it is.
type PolicyChange NotificationPolicy

// PolicyView is a policy with what it holds back at present.
type PolicyView struct {
	NotificationPolicy
	Requests, Notifications int
}

// NotificationRequest is what is held back of one person.
// https://docs.joinmastodon.org/entities/NotificationRequest/
type NotificationRequest struct {
	ID          ID // of the first notification
	First, Last time.Time
	By          *SharedUser
	Count       int
	Status      *StatusView // the latest that a notification is about; may be nil
}
