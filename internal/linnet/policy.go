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
	NotFollowing    Treatment // from users that the recipient doesn't follow
	NotFollowers    Treatment // from people who do not follow the user
	NewAccounts     Treatment // from accounts younger than NewAccountAge, unless followed
	PrivateMentions Treatment // direct mentions by people not followed, unless they answer the user
	Limited         Treatment // from users silenced by moderators, unless followed
	Bots            Treatment // from automated accounts, unless followed
}

// DefaultPolicy returns the default policy. Unlike Mastodon's it accepts private mentions, because
// many clients can't show requests.
func DefaultPolicy() NotificationPolicy {
	return NotificationPolicy{Accept, Accept, Accept, Accept, Hold, Accept}
}

// PolicyChange changes a policy; "" leaves a part as it is.
type PolicyChange NotificationPolicy

// PolicyView is a policy with the number of filtered notifications.
type PolicyView struct {
	NotificationPolicy
	Requests, Notifications int
}

// NotificationRequest has the filtered notifications of one sender.
// https://docs.joinmastodon.org/entities/NotificationRequest/
type NotificationRequest struct {
	ID          ID // of the first notification
	First, Last time.Time
	By          *SharedUser
	Count       int
	Status      *StatusView // the last status they are about; can be nil
}
