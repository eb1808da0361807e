package mastodon

import (
	"slices"

	"linnet/internal/social"
)

// table lists every route, what its caller needs, and its handler. A scope is
// asked for as narrow as Mastodon names it; wider ones contain it.
// https://docs.joinmastodon.org/api/oauth-scopes/
func (a *API) table() []route { return slices.Concat(a.mainTable(), a.staffTable()) }

func (a *API) mainTable() []route {
	return []route{
		{"GET /health", open(), noLimit, (*API).health},
		{"GET /.well-known/nodeinfo", open(), noLimit, (*API).nodeinfoIndex},
		{"GET /nodeinfo/2.0", open(), noLimit, (*API).nodeinfo},
		{"GET /.well-known/webfinger", open(), noLimit, (*API).webfinger},
		{"GET /.well-known/oauth-authorization-server", open(), noLimit, (*API).oauthMetadata},

		{"POST /api/v1/apps", open(), limitApps, (*API).createApp},
		{"GET /api/v1/apps/verify_credentials", app(""), noLimit, (*API).verifyApp},
		{"POST /oauth/token", open(), noLimit, (*API).issueToken},
		{"POST /oauth/revoke", open(), noLimit, (*API).revokeToken},

		{"GET /api/v1/instance", open(), noLimit, (*API).getInstanceV1},
		{"GET /api/v2/instance", open(), noLimit, (*API).getInstanceV2},
		{"GET /api/v1/instance/rules", open(), noLimit, (*API).instanceRules},
		{"GET /api/v1/custom_emojis", open(), noLimit, (*API).customEmojis},
		{"GET /api/v1/announcements", user(""), noLimit, (*API).announcements},
		{"GET /api/v1/preferences", user("read:accounts"), noLimit, (*API).getPreferences},

		{"POST /api/v1/accounts", app("write:accounts"), limitSignUp, (*API).createAccount},
		{"GET /api/v1/accounts", anyone("read:accounts"), noLimit, (*API).getAccounts},
		{"GET /api/v1/accounts/verify_credentials", user("read:accounts profile"), noLimit, (*API).verifyCredentials},
		{"PATCH /api/v1/accounts/update_credentials", user("write:accounts"), noLimit, (*API).updateCredentials},
		{"GET /api/v1/accounts/lookup", anyone("read:accounts"), noLimit, (*API).lookupAccount},
		{"GET /api/v1/accounts/search", user("read:accounts"), noLimit, (*API).searchAccounts},
		{"GET /api/v1/accounts/relationships", user("read:follows"), noLimit, (*API).relationships},
		{"GET /api/v1/accounts/familiar_followers", user("read:follows"), noLimit, (*API).getFamiliarFollowers},
		{"GET /api/v1/accounts/{id}", anyone("read:accounts"), noLimit, (*API).getAccount},
		{"GET /api/v1/accounts/{id}/statuses", anyone("read:statuses"), noLimit, (*API).accountStatuses},
		{"GET /api/v1/accounts/{id}/followers", anyone("read:accounts"), noLimit, people((*API).followers)},
		{"GET /api/v1/accounts/{id}/following", anyone("read:accounts"), noLimit, people((*API).following)},
		{"GET /api/v1/accounts/{id}/lists", user("read:lists"), noLimit, (*API).accountLists},
		{"POST /api/v1/accounts/{id}/follow", user("write:follows"), noLimit, (*API).follow},
		{"GET /api/v1/accounts/{id}/endorsements", anyone("read:accounts"), noLimit, people((*API).endorsementsOf)},
		{"GET /api/v1/endorsements", user("read:accounts"), noLimit, (*API).endorsements},
		{"POST /api/v1/accounts/{id}/endorse", user("write:accounts"), noLimit, endorse(true)},
		{"POST /api/v1/accounts/{id}/unendorse", user("write:accounts"), noLimit, endorse(false)},
		{"POST /api/v1/accounts/{id}/pin", user("write:accounts"), noLimit, endorse(true)}, // before Mastodon 4.4
		{"POST /api/v1/accounts/{id}/unpin", user("write:accounts"), noLimit, endorse(false)},
		{"POST /api/v1/accounts/{id}/note", user("write:accounts"), noLimit, (*API).noteAccount},
		{"POST /api/v1/accounts/{id}/unfollow", user("write:follows"), noLimit, relating((*social.Service).Unfollow)},
		{"POST /api/v1/accounts/{id}/remove_from_followers", user("write:follows"), noLimit, relating((*social.Service).RemoveFollower)},
		{"GET /api/v1/follow_requests", user("read:follows"), noLimit, (*API).followRequests},
		{"POST /api/v1/follow_requests/{id}/authorize", user("write:follows"), noLimit, relating((*social.Service).AcceptRequest)},
		{"POST /api/v1/follow_requests/{id}/reject", user("write:follows"), noLimit, relating((*social.Service).RejectRequest)},
		{"POST /api/v1/accounts/{id}/block", user("write:blocks"), noLimit, personAct((*social.Service).Block)},
		{"POST /api/v1/accounts/{id}/unblock", user("write:blocks"), noLimit, personAct((*social.Service).Unblock)},
		{"POST /api/v1/accounts/{id}/mute", user("write:mutes"), noLimit, (*API).mute},
		{"POST /api/v1/accounts/{id}/unmute", user("write:mutes"), noLimit, personAct((*social.Service).Unmute)},
		{"GET /api/v1/blocks", user("read:blocks"), noLimit, (*API).blocks},
		{"GET /api/v1/mutes", user("read:mutes"), noLimit, (*API).mutes},

		{"POST /api/v1/statuses", user("write:statuses"), noLimit, (*API).postStatus},
		{"GET /api/v1/statuses", anyone("read:statuses"), noLimit, (*API).getStatuses},
		{"GET /api/v1/statuses/{id}", anyone("read:statuses"), noLimit, (*API).getStatus},
		{"DELETE /api/v1/statuses/{id}", user("write:statuses"), limitDelete, (*API).deleteStatus},
		{"GET /api/v1/statuses/{id}/context", anyone("read:statuses"), noLimit, (*API).getContext},
		{"GET /api/v1/statuses/{id}/favourited_by", anyone("read:accounts"), noLimit, people((*API).favouritedBy)},
		{"GET /api/v1/statuses/{id}/reblogged_by", anyone("read:accounts"), noLimit, people((*API).rebloggedBy)},
		{"POST /api/v1/statuses/{id}/favourite", user("write:favourites"), noLimit, statusAct((*API).favourite)},
		{"POST /api/v1/statuses/{id}/unfavourite", user("write:favourites"), noLimit, statusAct((*API).unfavourite)},
		{"POST /api/v1/statuses/{id}/bookmark", user("write:bookmarks"), noLimit, statusAct((*API).bookmark)},
		{"POST /api/v1/statuses/{id}/unbookmark", user("write:bookmarks"), noLimit, statusAct((*API).unbookmark)},
		{"POST /api/v1/statuses/{id}/pin", user("write:accounts"), noLimit, statusAct((*API).pin)},
		{"POST /api/v1/statuses/{id}/unpin", user("write:accounts"), noLimit, statusAct((*API).unpin)},
		{"POST /api/v1/statuses/{id}/mute", user("write:mutes"), noLimit, statusAct((*API).muteThread)},
		{"POST /api/v1/statuses/{id}/unmute", user("write:mutes"), noLimit, statusAct((*API).unmuteThread)},
		{"POST /api/v1/statuses/{id}/reblog", user("write:statuses"), noLimit, statusAct((*API).reblog)},
		{"POST /api/v1/statuses/{id}/unreblog", user("write:statuses"), limitDelete, statusAct((*API).unreblog)},

		{"GET /api/v1/favourites", user("read:favourites"), noLimit, (*API).favourites},
		{"GET /api/v1/bookmarks", user("read:bookmarks"), noLimit, (*API).bookmarks},
		{"GET /api/v1/timelines/home", user("read:statuses"), noLimit, (*API).home},
		{"GET /api/v1/timelines/public", anyone("read:statuses"), noLimit, (*API).publicTimeline},
		{"GET /api/v1/timelines/tag/{tag}", anyone("read:statuses"), noLimit, (*API).tagTimeline},
		{"GET /api/v1/timelines/direct", user("read:statuses"), noLimit, (*API).directTimeline},
		{"GET /api/v1/timelines/list/{id}", user("read:lists"), noLimit, (*API).listTimeline},
		{"GET /api/v1/linnet/timelines/mentions", user("read:statuses"), noLimit, (*API).mentions},
		{"GET /api/v1/tags/{name}", anyone("read"), noLimit, (*API).getTag},

		{"GET /api/v1/lists", user("read:lists"), noLimit, (*API).getLists},
		{"POST /api/v1/lists", user("write:lists"), noLimit, (*API).createList},
		{"GET /api/v1/lists/{id}", user("read:lists"), noLimit, (*API).getList},
		{"PUT /api/v1/lists/{id}", user("write:lists"), noLimit, (*API).updateList},
		{"DELETE /api/v1/lists/{id}", user("write:lists"), noLimit, (*API).deleteList},
		{"GET /api/v1/lists/{id}/accounts", user("read:lists"), noLimit, (*API).listMembers},
		{"POST /api/v1/lists/{id}/accounts", user("write:lists"), noLimit, (*API).addToList},
		{"DELETE /api/v1/lists/{id}/accounts", user("write:lists"), noLimit, (*API).removeFromList},

		{"GET /api/v2/filters", user("read:filters"), noLimit, (*API).getFilters},
		{"POST /api/v2/filters", user("write:filters"), noLimit, (*API).createFilter},
		{"GET /api/v2/filters/{id}", user("read:filters"), noLimit, (*API).getFilter},
		{"PUT /api/v2/filters/{id}", user("write:filters"), noLimit, (*API).updateFilter},
		{"DELETE /api/v2/filters/{id}", user("write:filters"), noLimit, (*API).deleteFilter},
		{"GET /api/v2/filters/{id}/{part}", user("read:filters"), noLimit, filterPart((*API).filterKeywords, (*API).filterStatuses)},
		{"POST /api/v2/filters/{id}/{part}", user("write:filters"), noLimit, filterPart((*API).addFilterKeyword, (*API).addFilterStatus)},
		{"GET /api/v2/filters/keywords/{id}", user("read:filters"), noLimit, (*API).getFilterKeyword},
		{"PUT /api/v2/filters/keywords/{id}", user("write:filters"), noLimit, (*API).updateFilterKeyword},
		{"DELETE /api/v2/filters/keywords/{id}", user("write:filters"), noLimit, (*API).deleteFilterKeyword},
		{"GET /api/v2/filters/statuses/{id}", user("read:filters"), noLimit, (*API).getFilterStatus},
		{"DELETE /api/v2/filters/statuses/{id}", user("write:filters"), noLimit, (*API).deleteFilterStatus},
		{"GET /api/v1/filters", user("read:filters"), noLimit, (*API).getOldFilters},
		{"POST /api/v1/filters", user("write:filters"), noLimit, (*API).createOldFilter},
		{"GET /api/v1/filters/{id}", user("read:filters"), noLimit, (*API).getOldFilter},
		{"PUT /api/v1/filters/{id}", user("write:filters"), noLimit, (*API).updateOldFilter},
		{"DELETE /api/v1/filters/{id}", user("write:filters"), noLimit, (*API).deleteFilterKeyword},

		{"GET /api/v1/notifications", user("read:notifications"), noLimit, (*API).notifications},
		{"GET /api/v1/notifications/unread_count", user("read:notifications"), noLimit, (*API).unreadNotifications},
		{"GET /api/v1/notifications/{id}", user("read:notifications"), noLimit, (*API).getNotification},
		{"POST /api/v1/notifications/clear", user("write:notifications"), noLimit, (*API).clearNotifications},
		{"POST /api/v1/notifications/{id}/dismiss", user("write:notifications"), noLimit, (*API).dismissNotification},

		{"GET /api/v2/notifications", user("read:notifications"), noLimit, (*API).groupedNotifications},
		{"GET /api/v2/notifications/unread_count", user("read:notifications"), noLimit, (*API).unreadGroups},
		{"GET /api/v2/notifications/{key}", user("read:notifications"), noLimit, (*API).getNotificationGroup},
		{"POST /api/v2/notifications/{key}/dismiss", user("write:notifications"), noLimit, (*API).dismissNotificationGroup},
		{"GET /api/v2/notifications/{key}/accounts", user("read:notifications write:notifications"), noLimit, (*API).notificationGroupAccounts},
		{"GET /api/v1/markers", user("read:statuses"), noLimit, (*API).getMarkers},
		{"POST /api/v1/markers", user("write:statuses"), noLimit, (*API).saveMarkers},
		{"GET /api/v1/conversations", user("read:statuses"), noLimit, (*API).conversations},
		{"DELETE /api/v1/conversations/{id}", user("write:conversations"), noLimit, (*API).deleteConversation},
		{"POST /api/v1/conversations/{id}/read", user("write:conversations"), noLimit, (*API).readConversation},
		{"POST /api/v1/conversations/{id}/unread", user("write:conversations"), noLimit, (*API).unreadConversation},
		{"GET /api/v1/linnet/conversations/{id}/statuses", user("read:statuses"), noLimit, (*API).conversationStatuses},

		{"GET /api/v2/search", anyone("read:search"), noLimit, (*API).search},
	}
}
