package linnet

import "time"

// PushPolicy determines whose actions are pushed. The values are Mastodon's.
type PushPolicy string

const (
	PushAll      PushPolicy = "all"
	PushFollowed PushPolicy = "followed" // of followees
	PushFollower PushPolicy = "follower" // of followers
	PushNone     PushPolicy = "none"
)

// ValidPushPolicy reports whether p is a valid policy.
func ValidPushPolicy(p PushPolicy) bool {
	return p == PushAll || p == PushFollowed || p == PushFollower || p == PushNone
}

const (
	// MaxPushes is the maximum number of push subscriptions per user. The oldest ones are deleted.
	MaxPushes = 30
	// MaxPushEndpoint is the maximum length of a push address in bytes.
	MaxPushEndpoint = 2048
)

// PushAlerts returns the types of notifications that clients can select, in the order of the page.
// Some types of Mastodon don't exist here.
// https://docs.joinmastodon.org/entities/WebPushSubscription/#alerts
func PushAlerts() (types []NotificationType) {
	for i := range notificationKinds {
		if notificationKinds[i].Alert != "" {
			types = append(types, notificationKinds[i].Type)
		}
	}
	return types
}

// PushSubscription is the push subscription of a session: the address and the types of
// notifications.
type PushSubscription struct {
	ID       int32 // from 1: some apps decode it as a 32-bit integer
	User     ID
	Session  string // hash of the session's token
	Endpoint string // address of the push service for the device; anyone who knows it can push
	P256dh   []byte // the device's public key
	Auth     []byte // a secret shared by the device and this server
	Standard bool   // encrypted as in RFC 8291, otherwise as in its earlier draft
	Token    string // the app's token, which each push contains; "" for a browser
	Alerts   []NotificationType
	Policy   PushPolicy
	Created  time.Time
}

// PushDraft describes a new subscription.
type PushDraft struct {
	Endpoint     string
	P256dh, Auth string // as received
	Standard     bool
	PushChange
}

// PushChange changes a subscription. Nil or empty fields stay.
type PushChange struct {
	Alerts *[]NotificationType
	Policy PushPolicy
}
