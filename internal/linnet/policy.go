package linnet

import "time"

// Treatment determines what happens to notifications from certain users. The values are Mastodon's.
type Treatment string

const (
	Accept Treatment = "accept" // show them
	Hold   Treatment = "filter" // filter them into a request
	Drop   Treatment = "drop"   // don't create them
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

// NewAccountAge is the age from which an account is no longer new.
const NewAccountAge = 30 * 24 * time.Hour

// NotificationPolicy determines how notifications from certain users are treated.
// https://docs.joinmastodon.org/entities/NotificationPolicy/
type NotificationPolicy struct {
	NotFollowing    Treatment // from users that the recipient doesn't follow
	NotFollowers    Treatment // from users who don't follow the recipient
	NewAccounts     Treatment // from accounts younger than NewAccountAge, unless followed
	PrivateMentions Treatment // direct mentions by users not followed, unless they reply to the recipient
	Limited         Treatment // from users silenced by moderators, unless followed
	Bots            Treatment // from automated accounts, unless followed
}

// DefaultPolicy returns the default policy. Unlike Mastodon's it accepts private mentions, because
// many clients can't show requests.
func DefaultPolicy() NotificationPolicy {
	return NotificationPolicy{Accept, Accept, Accept, Accept, Hold, Accept}
}

// PolicyChange changes a policy. Fields with "" stay.
type PolicyChange NotificationPolicy

// PolicyView is a policy with the number of filtered notifications.
type PolicyView struct {
	NotificationPolicy
	Requests, Notifications int
}

// NotificationRequest has the filtered notifications of one sender.
// https://docs.joinmastodon.org/entities/NotificationRequest/
type NotificationRequest struct {
	ID          ID // id of the first notification
	First, Last time.Time
	By          *SharedUser
	Count       int
	Status      *StatusView // status of the last notification; can be nil
}
