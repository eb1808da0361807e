package linnet

import "time"

// PushPolicy says whose doings somebody is pushed. The words are Mastodon's.
type PushPolicy string

const (
	PushAll      PushPolicy = "all"
	PushFollowed PushPolicy = "followed" // of people whom the user follows
	PushFollower PushPolicy = "follower" // of people who follow the user
	PushNone     PushPolicy = "none"
)

// ValidPushPolicy reports whether p is one of them.
func ValidPushPolicy(p PushPolicy) bool {
	return p == PushAll || p == PushFollowed || p == PushFollower || p == PushNone
}

const (
	// MaxPushes is how many devices of a user are pushed to; of more, the oldest
	// subscriptions end.
	MaxPushes = 30
	// MaxPushEndpoint is how many bytes the address may have to which pushes go.
	MaxPushEndpoint = 2048
)

// PushAlerts are the kinds of notification that clients may ask to be pushed, in the order
// of Mastodon's documentation. Some of them are never made here.
// https://docs.joinmastodon.org/entities/WebPushSubscription/#alerts
func PushAlerts() []NotificationType {
	return []NotificationType{NotifyMention, NotifyStatus, NotifyRepost, NotifyFollow, NotifyRequest, NotifyFavourite, NotifyPoll, NotifyEdit,
		NotifySignUp, NotifyReport, NotifyQuote, NotifyQuoted, NotifySecurity}
}

// PushSubscription is where a session is told of notifications while nobody looks, and of
// which. There is one for each session.
type PushSubscription struct {
	ID       int32 // from 1: some apps decode it as a 32-bit integer
	User     ID
	Session  string // hash of the session's token
	Endpoint string // the push service's address for the device; who knows it can send to it
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

// PushChange changes what is pushed; what is nil or empty stays.
type PushChange struct {
	Alerts *[]NotificationType
	Policy PushPolicy
}
