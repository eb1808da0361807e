package record

import (
	"math"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The kinds of key of push subscriptions.
const (
	KindPush   = "push"
	KindPushes = "pushes"
	KindVAPID  = "vapid"
)

func pushKeys() []KeyDoc {
	return []KeyDoc{
		{KindPush, "value", "SHA-256 of a token", "push subscription of a token, JSON; as long as the token", "8 KiB", "", secretIn("endpoint", "auth", "token")},
		{KindPushes, "set", "user", "hashes of the user's tokens that have one, by time", "about 30", "", noSecret()},
		{KindVAPID, "value", "", "the instance's key for push services (RFC 8292), JSON (shard 0)", "1", "", secretIn("private")},
	}
}

// PushKey is the subscription of a user's session, named by the hash of its token.
func PushKey(user linnet.ID, session string) kv.Key {
	return HashKey(KindPush, user.Shard(), session)
}

// PushesKey is the set of a user's sessions with a subscription.
func PushesKey(user linnet.ID) kv.Key { return IDKey(KindPushes, user) }

// VAPIDKey is the VAPID key of the instance.
func VAPIDKey() kv.Key { return ShardKey(KindVAPID, 0) }

// VAPID is the private key, from which the public key is derived.
type VAPID struct {
	Private []byte `json:"private"`
}

type pushRecord struct {
	ID       JID                       `json:"id"`
	User     JID                       `json:"user"`
	Endpoint string                    `json:"endpoint"`
	P256dh   []byte                    `json:"p256dh"`
	Auth     []byte                    `json:"auth"`
	Standard bool                      `json:"standard,omitempty"`
	Token    string                    `json:"token,omitempty"`
	Alerts   []linnet.NotificationType `json:"alerts,omitempty"`
	Policy   linnet.PushPolicy         `json:"policy"`
	Created  int64                     `json:"created"`
}

// EncodePush encodes a subscription.
func EncodePush(p *linnet.PushSubscription) []byte {
	return Encode(pushRecord{JID(p.ID), JID(p.User), p.Endpoint, p.P256dh, p.Auth, p.Standard, p.Token, p.Alerts, p.Policy, p.Created.Unix()})
}

// pushID returns the id of a subscription. Earlier releases used ids of 64 bits, which it maps to
// 31 bits.
func pushID(id JID) int32 {
	if id <= math.MaxInt32 {
		return int32(id)
	}
	return int32(id%math.MaxInt32) + 1
}

// DecodePush decodes a subscription.
func DecodePush(get *kv.Get) (*linnet.PushSubscription, error) {
	var r pushRecord
	if err := Decode(get, &r); err != nil {
		return nil, err
	}
	return &linnet.PushSubscription{ID: pushID(r.ID), User: linnet.ID(r.User), Session: get.Key.ID, Endpoint: r.Endpoint, P256dh: r.P256dh, Auth: r.Auth,
		Standard: r.Standard, Token: r.Token, Alerts: r.Alerts, Policy: r.Policy, Created: time.Unix(r.Created, 0)}, nil
}
