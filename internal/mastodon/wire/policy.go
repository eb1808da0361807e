package wire

import (
	"strconv"

	"linnet/internal/linnet"
)

// NotificationPolicy is the entity NotificationPolicy.
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

// PolicySummary counts pending requests.
// https://docs.joinmastodon.org/entities/NotificationPolicy/#summary
type PolicySummary struct {
	Requests      int `json:"pending_requests_count"`
	Notifications int `json:"pending_notifications_count"`
}

// NotificationPolicyOf encodes a notification policy.
func NotificationPolicyOf(p linnet.PolicyView) NotificationPolicy {
	return NotificationPolicy{p.NotFollowing, p.NotFollowers, p.NewAccounts, p.PrivateMentions, p.Limited, p.Bots,
		PolicySummary{p.Requests, p.Notifications}}
}

// NotificationPolicyV1 is the entity V1::NotificationPolicy.
// https://docs.joinmastodon.org/entities/V1_NotificationPolicy/
type NotificationPolicyV1 struct {
	NotFollowing    bool          `json:"filter_not_following"`
	NotFollowers    bool          `json:"filter_not_followers"`
	NewAccounts     bool          `json:"filter_new_accounts"`
	PrivateMentions bool          `json:"filter_private_mentions"`
	Summary         PolicySummary `json:"summary"`
}

// NotificationPolicyV1Of encodes a notification policy for version 1.
func NotificationPolicyV1Of(p linnet.PolicyView) NotificationPolicyV1 {
	return NotificationPolicyV1{IsFiltered(p.NotFollowing), IsFiltered(p.NotFollowers), IsFiltered(p.NewAccounts), IsFiltered(p.PrivateMentions),
		PolicySummary{p.Requests, p.Notifications}}
}

// IsFiltered returns the treatment as version 1 of the policy has it.
func IsFiltered(t linnet.Treatment) bool { return t != linnet.Accept }

// NotificationRequest is the entity NotificationRequest.
// https://docs.joinmastodon.org/entities/NotificationRequest/
type NotificationRequest struct {
	ID                 string  `json:"id"`
	CreatedAt          string  `json:"created_at"`
	UpdatedAt          string  `json:"updated_at"`
	NotificationsCount string  `json:"notifications_count"`
	Account            Account `json:"account"`
	LastStatus         *Status `json:"last_status,omitempty"`
}

// NotificationRequest encodes a notification request for a viewer.
func (e *Encoder) NotificationRequest(v *linnet.NotificationRequest, viewer linnet.ID) NotificationRequest {
	out := NotificationRequest{ID: v.ID.String(), CreatedAt: Timestamp(v.First), UpdatedAt: Timestamp(v.Last),
		NotificationsCount: strconv.Itoa(v.Count), Account: e.Account(&v.By.UserView)}
	if v.Status != nil {
		st := e.Status(v.Status, viewer)
		out.LastStatus = &st
	}
	return out
}

// RequestsMerged is the response about accepted requests.
// https://docs.joinmastodon.org/methods/notifications/#requests-merged
type RequestsMerged struct {
	Merged bool `json:"merged"`
}

// WebPushSubscription is the entity WebPushSubscription.
// https://docs.joinmastodon.org/entities/WebPushSubscription/
type WebPushSubscription struct {
	ID        int32                            `json:"id"`
	Endpoint  string                           `json:"endpoint"`
	Standard  bool                             `json:"standard"`
	ServerKey string                           `json:"server_key"`
	Alerts    map[linnet.NotificationType]bool `json:"alerts"`
	Policy    linnet.PushPolicy                `json:"policy"`
}
