package linnet

import "time"

// PushPolicy determines whose actions are pushed. The values are Mastodon's.
type PushPolicy string

const (
	PushAll      PushPolicy = "all"
	PushFollowed PushPolicy = "followed" // of followees
	PushFollower PushPolicy = "follower" // of people who follow the user
	PushNone     PushPolicy = "none"
)

// ValidPushPolicy reports whether p is one of them.
func ValidPushPolicy(p PushPolicy) bool {
	return p == PushAll || p == PushFollowed || p == PushFollower || p == PushNone
}

const (
	// MaxPushes is the maximum number of push subscriptions per user. The oldest ones are deleted.
	MaxPushes = 30
	// MaxPushEndpoint is the maximum length of a push address in bytes.
	MaxPushEndpoint = 2048
)

// PushAlerts returns the types of notifications that clients can select, in the order of Mastodon's
// documentation. Some don't exist here.
// https://docs.joinmastodon.org/entities/WebPushSubscription/#alerts
func PushAlerts() []NotificationType {
	return []NotificationType{NotifyMention, NotifyStatus, NotifyRepost, NotifyFollow, NotifyRequest, NotifyFavourite, NotifyPoll, NotifyEdit,
		NotifySignUp, NotifyReport, NotifyQuote, NotifyQuoted, NotifySecurity}
}

// PushSubscription is the push subscription of a session: where notifications are sent, and which.
type PushSubscription struct {
	ID       int32 // from 1: some apps decode it as a 32-bit integer
	User     ID
	Session  string // hash of the session's token
	Endpoint string // address of the push service for the device; anyone who knows it can push
	P256dh   []byte // the device's public key
	Auth     []byte // a secret that the device and this server know
	Standard bool   // encrypted as RFC 8291 has it; else as the draft before it
	Token    string // the app's token, which each push contains; "" of a browser's log-in
	Alerts   []NotificationType
	Policy   PushPolicy
	Created  time.Time
}

// PushDraft asks for a subscription.
type PushDraft struct {
	Endpoint     string
	P256dh, Auth string // as sent
	Standard     bool
	PushChange
}

// PushChange changes a subscription. Nil or empty fields stay.
type PushChange struct {
	Alerts *[]NotificationType
	Policy PushPolicy
}
