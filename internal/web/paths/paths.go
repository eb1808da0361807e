// Package paths has the paths of all pages, and the properties of requests that follow from them.
//
// A constant with a placeholder, such as [Reset], is a pattern of [net/http.ServeMux].
package paths

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"linnet/internal/linnet"
)

// Pages outside the settings and the administration.
const (
	Authorize     = "/oauth/authorize"
	PasskeyLogin  = "/login/passkey"
	SwitchAccount = "/login/switch" // to another account of this browser
	Forgot        = "/forgot"       // a password
	Correct       = "/confirm"      // corrects an e-mail address that was never confirmed
	Privacy       = "/privacy-policy"
	Terms         = "/terms"
	Announcements = "/announcements"
	Links         = "/links" // the posts about a trending link
	Compose       = "/compose"
	Drafts        = "/drafts"
	Scheduled     = "/scheduled"
	Messages      = "/messages"
	NewMessage    = Messages + "/new"
	Notifications = "/notifications"
	Mentions      = "/mentions"
	Live          = "/live" // live updates
)

// Links that contain a secret.
const (
	Setup       = "/setup/{token}"
	Invite      = "/invite/{code}"
	Reset       = "/reset/{token}"   // a password
	Confirm     = "/confirm/{token}" // an e-mail address
	Unsubscribe = "/unsubscribe/{token}"
	Strike      = "/strike/{token}" // for owners who can't log in
)

// Pages of an account's settings.
const (
	Settings      = "/settings" // lists the other pages
	Email         = "/settings/email"
	Export        = "/settings/export"
	FeaturedTags  = "/settings/tags"
	Filters       = "/settings/filters"
	FollowedTags  = "/settings/followed-tags"
	Imports       = "/settings/imports"
	PostsImport   = Imports + "/posts"
	Invites       = "/settings/invites"
	OldPosts      = "/settings/old-posts"
	Passkeys      = "/settings/passkeys"
	Push          = "/settings/push"
	Security      = "/settings/security"
	SecurityLog   = "/settings/security/log"
	Strikes       = "/settings/strikes"
	TwoFactor     = "/settings/two-factor"
	DeleteAccount = "/settings/delete"
)

// Pages of the administration.
const (
	Admin              = "/admin" // lists the other pages
	AdminOverview      = "/admin/overview"
	AdminStart         = "/admin/start" // the first steps of a new server
	AdminHealth        = "/admin/health"
	AdminLogIn         = "/admin/login" // what staff need to log in
	AdminReports       = "/admin/reports"
	AdminRoles         = "/admin/roles"
	AdminSettings      = "/admin/settings"
	AdminSignUpBlocks  = AdminSettings + "/signup/blocks"
	AdminStore         = "/admin/store"
	AdminStrikes       = "/admin/strikes" // with pending appeals
	AdminUsers         = "/admin/users"
	AdminGroups        = AdminUsers + "?groups=1"
	AdminFeeds         = "/admin/feeds" // external feeds
	AdminAnnouncements = "/admin/announcements"
	AdminEmoji         = "/admin/emoji"
	AdminInvites       = "/admin/invites"
	AdminTerms         = "/admin/terms"
)

// Files for browsers and programs.
const (
	Manifest       = "/manifest.webmanifest"
	ServiceWorker  = "/sw.js"
	Offline        = "/offline"
	TouchIcon      = "/apple-touch-icon.png"
	AccentSheet    = "/accent.css"
	CustomSheet    = "/custom.css"
	Robots         = "/robots.txt"
	Favicon        = "/favicon.ico"
	HostMeta       = "/.well-known/host-meta"
	ChangePassword = "/.well-known/change-password"
	SecurityText   = "/.well-known/security.txt"
	AvatarPrefix   = "/faces/" // of the drawn pictures of people
)

// Person returns the path of a user's profile.
func Person(login string) string { return "/@" + url.PathEscape(login) }

// Post returns the path of a post's page.
func Post(s linnet.StatusView) string { return Person(s.By.Login) + "/" + s.ID.String() }

// AdminPost returns the path of the page for actions of staff on a post.
func AdminPost(id linnet.ID) string { return AdminReports + "/posts/" + id.String() }

// Picture returns the path of the page of a post's picture; the first one is 0.
func Picture(st linnet.StatusView, at int) string {
	return Post(st) + "/media/" + strconv.Itoa(at+1)
}

// History returns the path of the earlier versions of a post.
func History(s linnet.StatusView) string { return Post(s) + "/history" }

// Tag returns the path of a hashtag's page.
func Tag(tag string) string { return "/tags/" + url.PathEscape(tag) }

// Tagged returns the path of a user's posts with a hashtag in its folded form.
func Tagged(login, folded string) string { return Person(login) + "/tagged/" + url.PathEscape(folded) }

// List returns the path of a list's page.
func List(id linnet.ID) string { return "/lists/" + id.String() }

// Collection returns the path of a collection's page.
func Collection(id linnet.ID) string { return "/collections/" + id.String() }

// Group returns the path below which the pages of a group are.
func Group(login string) string { return "/groups/" + url.PathEscape(login) }

// Link returns the path of the page about a trending link.
func Link(link string) string { return Links + "?" + url.Values{"url": {link}}.Encode() }

// Announcement returns the path for actions on an announcement.
func Announcement(id linnet.ID) string { return Announcements + "/" + id.String() }

// NewMessageTo returns the path of a new message to the chosen recipients, and to one more unless
// more is "".
func NewMessageTo(chosen []linnet.UserView, more string) string {
	q := url.Values{}
	for _, u := range chosen {
		q.Add("to", u.Login)
	}
	if more != "" {
		q.Add("to", more)
	}
	if len(q) == 0 {
		return NewMessage
	}
	return NewMessage + "?" + q.Encode()
}

// CorrectFor returns the path on which an account corrects its e-mail address.
func CorrectFor(login string) string { return Correct + "?name=" + url.QueryEscape(login) }

// Import returns the path of an import.
func Import(id linnet.ID) string { return Imports + "/" + id.String() }

// AdminRole returns the path of a role in the administration.
func AdminRole(id linnet.ID) string { return AdminRoles + "/" + id.String() }

// AdminUser returns the path of an account in the administration.
func AdminUser(login string) string { return AdminUsers + "/" + url.PathEscape(login) }

// AdminAnnouncement returns the path on which an announcement is edited.
func AdminAnnouncement(id linnet.ID) string { return AdminAnnouncements + "/" + id.String() }

// AdminEmojiOf returns the path of a custom emoji in the administration.
func AdminEmojiOf(code string) string { return AdminEmoji + "/" + url.PathEscape(code) }

// File returns the path of an uploaded file.
func File(name string) string { return "/media/" + name }

// Avatar returns the path of a user's avatar. Users without one have a bird that depends on the
// login, so that a user looks the same on all servers.
func Avatar(u linnet.UserView) string {
	if u.Avatar != "" {
		return File(u.Avatar)
	}
	return AvatarPrefix + strings.ToLower(u.Login) + ".svg"
}

// TakesFiles reports whether forms of a path can contain files.
func TakesFiles(path string) bool {
	switch path {
	case Compose, Imports, PostsImport, AdminEmoji, "/settings/profile", AdminSettings + "/pictures":
		return true
	}
	return strings.HasPrefix(path, "/groups/") && strings.HasSuffix(path, "/edit")
}

// TakesArchive reports whether forms of a path can contain a file larger than any picture.
func TakesArchive(path string) bool { return path == PostsImport }

// SendsFiles reports whether the responses of a path can be large and slow.
func SendsFiles(path string) bool { return strings.HasPrefix(path, Export+"/") }

// Streams reports whether responses of a path stay open. They must not be compressed or limited in
// time.
func Streams(path string) bool { return path == Live }

// WellKnown reports whether a path below /.well-known/ is one of the pages. The others there belong
// to the client API.
func WellKnown(path string) bool {
	return path == HostMeta || path == ChangePassword || path == SecurityText
}

// ForLog returns the path of a request without the secret of a link.
func ForLog(r *http.Request) string {
	for _, pattern := range []string{Setup, Invite, Reset, Confirm, Unsubscribe, Strike} {
		if begin, _, _ := strings.Cut(pattern, "{"); strings.HasPrefix(r.URL.Path, begin) {
			return begin + "..."
		}
	}
	return r.URL.Path
}
