package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func PolicyKey(user linnet.ID) kv.Key { return IDKey(KindPolicy, user) }

func HeldKey(user linnet.ID) kv.Key { return IDKey(KindHeld, user) }

// Policy holds the choices of a user. Empty fields are defaults.
type Policy struct {
	NotFollowing    linnet.Treatment `json:"not_following,omitempty"`
	NotFollowers    linnet.Treatment `json:"not_followers,omitempty"`
	NewAccounts     linnet.Treatment `json:"new_accounts,omitempty"`
	PrivateMentions linnet.Treatment `json:"private_mentions,omitempty"`
	Limited         linnet.Treatment `json:"limited,omitempty"`
	Bots            linnet.Treatment `json:"bots,omitempty"`
}

func DecodePolicy(get *kv.Get) (linnet.NotificationPolicy, error) {
	p := linnet.DefaultPolicy()
	if get.Version == 0 {
		return p, nil
	}
	var r Policy
	if err := Decode(get, &r); err != nil {
		return p, err
	}
	return ChangedPolicy(p, linnet.PolicyChange(r)), nil
}

func ChangedPolicy(p linnet.NotificationPolicy, c linnet.PolicyChange) linnet.NotificationPolicy {
	for to, from := range map[*linnet.Treatment]linnet.Treatment{&p.NotFollowing: c.NotFollowing, &p.NotFollowers: c.NotFollowers,
		&p.NewAccounts: c.NewAccounts, &p.PrivateMentions: c.PrivateMentions, &p.Limited: c.Limited, &p.Bots: c.Bots} {
		if from != "" {
			*to = from
		}
	}
	return p
}
