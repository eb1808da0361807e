package notification

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/web/group"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// noticeKind is a tab of the notifications with some types.
type noticeKind struct {
	Word, Text string
	Types      []linnet.NotificationType
}

// noticeKinds returns the tabs, in English.
func noticeKinds() []noticeKind {
	return []noticeKind{{"", locale.Mark("All"), nil}, {"mentions", locale.Mark("Mentions"), []linnet.NotificationType{linnet.NotifyMention}},
		{"favourites", locale.Mark("Favourites"), []linnet.NotificationType{linnet.NotifyFavourite}},
		{"boosts", locale.Mark("Boosts"), []linnet.NotificationType{linnet.NotifyRepost}},
		{"quotes", locale.Mark("Quotes"), []linnet.NotificationType{linnet.NotifyQuote, linnet.NotifyQuoted}},
		{"follows", locale.Mark("Follows"), []linnet.NotificationType{linnet.NotifyFollow, linnet.NotifyRequest}},
		{"polls", locale.Mark("Polls"), []linnet.NotificationType{linnet.NotifyPoll}},
		{"posts", locale.Mark("Posts"), []linnet.NotificationType{linnet.NotifyStatus, linnet.NotifyEdit}}}
}

// facesShown is the maximum number of profile pictures of a group of notifications, and namedMost
// the maximum number of names.
const facesShown, namedMost = 6, 2

// noticeRow is a group of notifications, see [notice].
type noticeRow struct {
	c *page.Context
	linnet.NotificationGroup
	Unread bool
	Row    *post.Row            // of a public mention, quote or new post, which is shown in full; nil for others
	Rel    *linnet.Relationship // to a single new follower, or requester; nil for others
	Join   *group.JoinRequest   // a request to join a group, or an invitation; nil for others
}

// Icon returns the icon of the notifications.
func (r noticeRow) Icon() string {
	switch {
	case r.Security() && r.Newest.Warned != nil:
		return "shield"
	case r.Join != nil:
		return "group"
	case r.Message():
		return "speech"
	}
	return r.Newest.Type.Kind().Icon
}

// Tint returns the colour of the icon.
func (r noticeRow) Tint() string {
	switch r.Newest.Type {
	case linnet.NotifyFavourite:
		return "gold"
	case linnet.NotifyRepost:
		return "leaf"
	}
	return "red"
}

// Did returns the texts before and after the names of the users.
func (r noticeRow) Did() [2]string {
	const who = "\x00"
	before, after, _ := strings.Cut(r.said(int64(r.Count), who), who)
	return [2]string{strings.TrimSpace(before), strings.TrimSpace(after)}
}

// said returns the sentence about n users.
func (r noticeRow) said(n int64, who string) string {
	switch {
	case r.Message() && r.Newest.Status.ForMembers() && r.Newest.Status.In != nil:
		return r.c.Trn(n, "%[2]s wrote in %[3]s", "%[2]s wrote in %[3]s", who, ui.DisplayName(*r.Newest.Status.In))
	case r.Message():
		return r.c.Trn(n, "%[2]s sent you a message", "%[2]s sent you a message", who)
	}
	return notify.Sentence(r.c.Lang(), &r.Newest, r.c.Viewer(), n, who)
}

// Message reports whether the row is about a direct message, which is shown in its conversation.
func (r noticeRow) Message() bool {
	return r.Newest.Type == linnet.NotifyMention && r.Newest.Status != nil && r.Newest.Status.Visibility == linnet.Direct
}

// About returns the path of the page about the notification's status.
func (r noticeRow) About() string {
	st := r.Newest.Status
	switch {
	case r.Message() && st.ForMembers() && st.In != nil:
		return paths.Person(st.In.Login)
	case r.Message():
		return paths.Messages + "/" + posting.ConversationOf(r.c.Viewer(), &st.Status).String() + "?message=" + st.ID.String()
	}
	return paths.Post(*st)
}

// Line returns the notification's status as one line.
func (r noticeRow) Line() string {
	if r.Message() {
		return post.MessageLine(r.c, *r.Newest.Status)
	}
	return ui.Excerpt(*r.Newest.Status)
}

// event returns what the author of a status did that is shown in full.
func event(c *page.Context, n *linnet.NotificationView) *post.Event {
	icon := n.Type.Kind().Icon
	switch {
	case n.Type == linnet.NotifyQuote:
		return &post.Event{Icon: icon, Text: c.Tr("Quoted your post")}
	case n.Type == linnet.NotifyStatus:
		return &post.Event{Icon: icon, Text: c.Tr("New post")}
	case n.Status.InReplyAuthor == c.Viewer():
		return &post.Event{Icon: "reply", Text: c.Tr("Replied to you")}
	}
	return &post.Event{Icon: icon, Text: c.Tr("Mentioned you")}
}

// Group returns the login of the group that sent a message; "" for others.
func (r noticeRow) Group() string {
	if !r.Message() || r.Join != nil || r.Newest.By.Group == linnet.NoGroup {
		return ""
	}
	return r.Newest.By.Login
}

// Security reports whether the row is about the reader's account, and no user caused it.
func (r noticeRow) Security() bool { return r.Newest.Type.Kind().Own }

// Who returns the single user. Rows about several users use Faces.
func (r noticeRow) Who() linnet.UserView {
	if r.Join != nil {
		return r.Join.Face()
	}
	return r.Newest.By.UserView
}

// Many reports whether the row is about several users.
func (r noticeRow) Many() bool { return len(r.Sample) > 1 }

// Faces returns the users whose pictures are shown, and the number of the others.
func (r noticeRow) Faces() (shown []*linnet.SharedUser, more int) {
	shown = r.Sample[:min(len(r.Sample), facesShown)]
	return shown, max(r.Count-len(shown), 0)
}

// Named returns the users whose names are shown.
func (r noticeRow) Named() []*linnet.SharedUser { return r.Sample[:min(len(r.Sample), namedMost)] }

// Others returns the number of users whose names aren't shown.
func (r noticeRow) Others() int { return max(r.Count-len(r.Named()), 0) }

// People returns the names of the users as a part of a sentence.
func (r noticeRow) People() templ.Component {
	others, named := int64(r.Others()), make([]templ.Component, 0, namedMost)
	for _, u := range r.Named() {
		named = append(named, ui.PersonPart(u.UserView))
	}
	switch {
	case len(named) == 1 && others > 0:
		return ui.TrnParts(others, "%[2]s and %[1]s other", "%[2]s and %[1]s others", named...)
	case len(named) > 1 && others > 0:
		return ui.TrnParts(others, "%[2]s, %[3]s and %[1]s other", "%[2]s, %[3]s and %[1]s others", named...)
	case len(named) > 1:
		return ui.TrParts("%s and %s", named...)
	case len(named) == 1:
		return named[0]
	}
	return ui.TextPart("")
}

// Answered returns the result of a follow request; "" while it is pending.
func (r noticeRow) Answered() string {
	switch {
	case r.Rel == nil, r.Rel.RequestedBy:
		return ""
	case r.Rel.FollowedBy:
		return r.c.Tr("Accepted")
	}
	return r.c.Tr("No longer pending")
}

type noticesPage struct {
	Chips []ui.Tab
	Rows  []noticeRow
	// AllMentions adds a link to the posts that mention the reader, with and without notifications.
	AllMentions bool
	Held        int // number of users whose notifications are filtered
	Newest      linnet.ID
	Unread      int
	Pager       ui.Pager
	Requests    []linnet.UserView // some of the pending follow requests
}

func (h *Pages) notifications(c *page.Context) error {
	ctx := c.Request.Context()
	kind := c.Request.URL.Query().Get("kind")
	f := linnet.GroupFilter{NotificationFilter: linnet.NotificationFilter{Shown: true}}
	p := noticesPage{}
	for _, k := range noticeKinds() {
		path := paths.Notifications
		if k.Word != "" {
			path += "?kind=" + k.Word
		}
		p.Chips = append(p.Chips, ui.Tab{Path: path, Text: c.Tr(k.Text), Here: k.Word == kind})
		if k.Word == kind {
			f.Types = k.Types
		}
	}
	p.AllMentions = kind == "mentions"
	q := c.PageQuery(linnet.DefaultPage)
	groups, err := h.Notify.GroupedNotifications(ctx, c.Me.ID, f, q)
	if err != nil {
		return fmt.Errorf("read notifications: %w", err)
	}
	if page.AtTop(q, len(groups.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	p.Pager, p.Newest = c.Pager(q, groups.First, groups.Last), groups.Newest
	if err := h.noticeRows(c, &p, groups.Items); err != nil {
		return err
	}
	policy, err := h.Notify.NotificationPolicy(ctx, c.Me.ID)
	if err != nil {
		return fmt.Errorf("read the notification policy: %w", err)
	}
	p.Held = policy.Requests
	if kind == "" && q.Max == "" && q.Min == "" && page.IsRead(c.Request) {
		if err := h.Reading.SeeNotifications(ctx, c.Me.ID, p.Newest); err != nil && page.Refusal(err) == nil {
			return fmt.Errorf("mark notifications as read: %w", err)
		}
		p.Unread = 0
	}
	if c.Me.Requests > 0 {
		asking, err := h.Social.FollowRequests(ctx, c.Me.ID, linnet.Page{Limit: page.SidePanelRows})
		if err != nil {
			return fmt.Errorf("read follow requests: %w", err)
		}
		p.Requests = asking.Items
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Notifications"), Here: paths.Notifications, Body: notificationsView(c, p), SidePanel: noticesAside(c, p)})
}

// noticeRows adds groups of notifications to the page, with the state of requests.
func (h *Pages) noticeRows(c *page.Context, p *noticesPage, groups []linnet.NotificationGroup) error {
	read, err := h.Reading.Markers(c.Request.Context(), c.Me.ID, []linnet.MarkerTimeline{linnet.MarkerNotifications})
	if err != nil {
		return fmt.Errorf("read the position of read notifications: %w", err)
	}
	var about []*linnet.StatusView
	for _, g := range groups {
		if g.Newest.Type == linnet.NotifyMention && g.Newest.Status != nil {
			about = append(about, g.Newest.Status)
		}
	}
	joins, err := h.Groups.JoinRequests(c, about)
	if err != nil {
		return err
	}
	var ids []linnet.ID
	for _, g := range groups {
		row := noticeRow{c: c, NotificationGroup: g, Unread: g.Newest.ID > read[linnet.MarkerNotifications].LastRead}
		st := g.Newest.Status
		if st != nil && len(post.Visible([]linnet.StatusView{*st})) == 0 && !st.Hidden() {
			continue
		}
		if st != nil && (g.Newest.Type == linnet.NotifyMention || g.Newest.Type == linnet.NotifyStatus || g.Newest.Type == linnet.NotifyQuote) {
			if row.Join = joins[st.ID]; row.Join == nil && !row.Message() {
				row.Row = post.NewRow(c, *st)
				row.Row.Anchor, row.Row.Event = "n"+g.Newest.ID.String(), event(c, &g.Newest)
			}
		}
		if row.Unread {
			p.Unread++
		}
		p.Rows = append(p.Rows, row)
		if row.aboutFollower() {
			ids = append(ids, g.Newest.From)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rels, err := h.Social.Relationships(c.Request.Context(), c.Me.ID, ids)
	if err != nil {
		return fmt.Errorf("read relations: %w", err)
	}
	for i := range p.Rows {
		at := slices.IndexFunc(rels, func(rel linnet.Relationship) bool { return rel.ID == p.Rows[i].Newest.From })
		if r := &p.Rows[i]; at >= 0 && r.aboutFollower() {
			r.Rel = &rels[at]
		}
	}
	return nil
}

// aboutFollower reports whether the row is about a single new follower or requester.
func (r noticeRow) aboutFollower() bool {
	return r.Newest.Type == linnet.NotifyRequest || r.Newest.Type == linnet.NotifyFollow && !r.Many()
}

// changeNotifications marks the notifications on the page as read, or deletes a group of
// notifications.
func (h *Pages) changeNotifications(c *page.Context) error {
	ctx := c.Request.Context()
	var err error
	switch c.Request.PostForm.Get("act") {
	case "read":
		id, ok := linnet.ParseID(c.Request.PostForm.Get("upto"))
		if !ok {
			return page.NotFound()
		}
		_, err = h.Reading.SaveMarkers(ctx, c.Me.ID, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerNotifications: id})
	case "dismiss":
		err = h.Notify.DismissGroup(ctx, c.Me.ID, c.Request.PostForm.Get("group"))
		if page.IsKind(err, linnet.NotFound) { // already deleted
			err = nil
		}
	default:
		err = &page.Error{Code: http.StatusBadRequest, Msg: "The form is incomplete. Reload the page and try again.",
			Back: paths.Notifications, BackText: "Go to notifications"}
	}
	if err != nil {
		return fmt.Errorf("change notifications: %w", err)
	}
	return c.Redirect(c.PreviousPage(paths.Notifications))
}

func clearForm(c *page.Context) error {
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Clear notifications"), Here: paths.Notifications, Body: notificationsClearView(c)})
}

func (h *Pages) clearNotifications(c *page.Context) error {
	if err := h.Notify.ClearNotifications(c.Request.Context(), c.Me.ID); err != nil {
		return fmt.Errorf("clear notifications: %w", err)
	}
	return c.Redirect(paths.Notifications)
}

type noticeRequestsPage struct {
	Requests []linnet.NotificationRequest
	Pager    ui.Pager
}

// noticeRequests shows the users whose notifications are filtered.
func (h *Pages) noticeRequests(c *page.Context) error {
	q := c.PageQuery(linnet.DefaultPage)
	all, err := h.Notify.NotificationRequests(c.Request.Context(), c.Me.ID, q)
	if err != nil {
		return fmt.Errorf("read notification requests: %w", err)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Filtered notifications"), Here: paths.Notifications,
		Body: notificationRequestsView(c, noticeRequestsPage{all.Items, c.Pager(q, all.First, all.Last)})})
}

func (h *Pages) answerNoticeRequest(c *page.Context) error {
	id, ok := linnet.ParseID(c.Request.PostForm.Get("request"))
	if !ok {
		return page.NotFound()
	}
	answer := h.Notify.DismissRequests
	if c.Request.PostForm.Get("act") == "accept" {
		answer = h.Notify.AcceptRequests
	}
	if err := answer(c.Request.Context(), c.Me.ID, []linnet.ID{id}); err != nil {
		return fmt.Errorf("accept or decline a join request: %w", err)
	}
	return c.Redirect("/notifications/requests")
}
