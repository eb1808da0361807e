package mastodon

import (
	"slices"

	"linnet/internal/app"
	"linnet/internal/mastodon/admin"
	"linnet/internal/mastodon/explore"
	"linnet/internal/mastodon/oauth"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// table returns all routes that respond with JSON, each with the access that it requires and its
// handler. A scope is as narrow as Mastodon names it; wider scopes contain it.
// https://docs.joinmastodon.org/api/oauth-scopes/
func table(svc *app.App, srv *request.Server, enc *wire.Encoder, about site) []request.Route {
	all := slices.Concat(
		(&wellKnownHandler{site: about, enc: enc, view: svc.View, settings: svc.Settings, core: svc.Core}).routes(),
		(&instanceHandler{site: about, enc: enc, settings: svc.Settings, push: svc.Push, uploads: svc.Uploads, core: svc.Core, translation: svc.Translation}).routes(),
		(&announcementHandler{enc: enc, announcing: svc.Announcing}).routes(),
		oauth.New(about.base, srv, enc, svc.View, svc.Apps, svc.Push).Routes(),
		(&registrationHandler{base: about.base, srv: srv, identity: svc.Identity, apps: svc.Apps, invites: svc.Invites, emails: svc.Emails}).routes(),
		(&accountHandler{enc: enc, view: svc.View}).routes(),
		(&profileHandler{base: about.base, enc: enc, view: svc.View, social: svc.Social, discovery: svc.Discovery}).routes(),
		(&relationHandler{enc: enc, social: svc.Social}).routes(),
		explore.Routes(enc, svc.Social, svc.Trends, svc.Discovery, svc.View, svc.Outside),
		(&statusHandler{enc: enc, view: svc.View, reading: svc.Reading, posting: svc.Posting, translation: svc.Translation}).routes(),
		(&pollHandler{enc: enc, view: svc.View, polls: svc.Posting.Polls}).routes(),
		(&mediaHandler{enc: enc, uploads: svc.Uploads}).routes(),
		(&timelineHandler{reading: svc.Reading, posting: svc.Posting, feeds: svc.Feeds}).routes(),
		(&rankingHandler{feeds: svc.Feeds}).routes(),
		(&conversationHandler{conversations: svc.Posting.Conversations}).routes(),
		(&listHandler{enc: enc, lists: svc.Lists}).routes(),
		(&collectionHandler{enc: enc, view: svc.View, collections: svc.Social.Collections}).routes(),
		(&filterHandler{reading: svc.Reading}).routes(),
		(&notificationHandler{enc: enc, notify: svc.Notify}).routes(),
		(&markerHandler{reading: svc.Reading}).routes(),
		(&pushHandler{push: svc.Push}).routes(),
		(&groupHandler{enc: enc, view: svc.View, social: svc.Social, reading: svc.Reading, posts: svc.Posting.GroupPosts, groups: svc.Groups}).routes(),
		admin.Routes(admin.Options{Encoder: enc, Core: svc.Core, Moderation: svc.Moderation, Discovery: svc.Discovery, Trends: svc.Trends, View: svc.View, Social: svc.Social,
			Release: about.release, Version: about.version()}),
	)
	return append(all, oauth.Metadata(about.base, all))
}
