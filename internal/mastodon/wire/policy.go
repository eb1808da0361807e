package wire

import (
	"strconv"

	"linnet/internal/linnet"
)

// notificationPolicy is the entity NotificationPolicy.
// https://docs.joinmastodon.org/entities/NotificationPolicy/
type NotificationPolicy struct {
	ForNotFollowing    linnet.Treatment `json:"for_not_following"`
	ForNotFollowers    linnet.Treatment `json:"for_not_followers"`
	ForNewAccounts     linnet.Treatment `json:"for_new_accounts"`
	ForPrivateMentions linnet.Treatment `json:"for_private_mentions"`
	ForLimitedAccounts linnet.Treatment `json:"for_limited_accounts"`
	ForBots            linnet.Treatment `json:"for_bots"`
	Summary            PolicySummary    `json:"summary"`
}

type PolicySummary struct {
	Requests      int `json:"pending_requests_count"`
	Notifications int `json:"pending_notifications_count"`
}

func NotificationPolicyOf(p linnet.PolicyView) NotificationPolicy {
	return NotificationPolicy{p.NotFollowing, p.NotFollowers, p.NewAccounts, p.PrivateMentions, p.Limited, p.Bots,
		PolicySummary{p.Requests, p.Notifications}}
}

// policyV1 is the policy as Mastodon's first version of it had it: whether to
// filter.
type NotificationPolicyV1 struct {
	NotFollowing    bool          `json:"filter_not_following"`
	NotFollowers    bool          `json:"filter_not_followers"`
	NewAccounts     bool          `json:"filter_new_accounts"`
	PrivateMentions bool          `json:"filter_private_mentions"`
	Summary         PolicySummary `json:"summary"`
}

func NotificationPolicyV1Of(p linnet.PolicyView) NotificationPolicyV1 {
	return NotificationPolicyV1{IsFiltered(p.NotFollowing), IsFiltered(p.NotFollowers), IsFiltered(p.NewAccounts), IsFiltered(p.PrivateMentions),
		PolicySummary{p.Requests, p.Notifications}}
}

// filters says what the first version of the policy knows of a treatment.
func IsFiltered(t linnet.Treatment) bool { return t != linnet.Accept }

// notificationRequest is the entity NotificationRequest.
// https://docs.joinmastodon.org/entities/NotificationRequest/
type NotificationRequest struct {
	ID                 string  `json:"id"`
	CreatedAt          string  `json:"created_at"`
	UpdatedAt          string  `json:"updated_at"`
	NotificationsCount string  `json:"notifications_count"`
	Account            Account `json:"account"`
	LastStatus         *Status `json:"last_status,omitempty"`
}

func (e *Encoder) NotificationRequest(v *linnet.NotificationRequest, viewer linnet.ID) NotificationRequest {
	out := NotificationRequest{ID: v.ID.String(), CreatedAt: Timestamp(v.First), UpdatedAt: Timestamp(v.Last),
		NotificationsCount: strconv.Itoa(v.Count), Account: e.Account(&v.By.UserView)}
	if v.Status != nil {
		st := e.Status(v.Status, viewer)
		out.LastStatus = &st
	}
	return out
}

type RequestsMerged struct {
	Merged bool `json:"merged"`
}

// pushSubscription is the entity WebPushSubscription.
// https://docs.joinmastodon.org/entities/WebPushSubscription/
type WebPushSubscription struct {
	ID        int32                            `json:"id"`
	Endpoint  string                           `json:"endpoint"`
	Standard  bool                             `json:"standard"`
	ServerKey string                           `json:"server_key"`
	Alerts    map[linnet.NotificationType]bool `json:"alerts"`
	Policy    linnet.PushPolicy                `json:"policy"`
}
