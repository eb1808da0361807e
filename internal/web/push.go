package web

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Push notifications of a browser while no page is open. Asking the browser requires JavaScript.
// Changing and turning off don't.

func (h *settingsPages) pushRoutes() []route {
	return []route{
		{pattern: paths.Push, get: own(h.pushSettings), post: own(h.changePush)},
		{pattern: paths.Push + "/end", post: own(h.endPush)},
	}
}

// pushKinds are what can be chosen, and whether it is at first.
func pushKinds(c *call, chosen func(linnet.NotificationType) bool) (kinds []choice) {
	add := func(t linnet.NotificationType, label string) {
		kinds = append(kinds, choice{string(t), label, chosen(t)})
	}
	add(linnet.NotifyMention, c.tr("Mentions and messages"))
	add(linnet.NotifyFollow, c.tr("New followers"))
	add(linnet.NotifyRequest, c.tr("Follow requests"))
	add(linnet.NotifyStatus, c.tr("New posts from people you get notifications about"))
	add(linnet.NotifyFavourite, c.tr("Favourites"))
	add(linnet.NotifyRepost, c.tr("Boosts"))
	add(linnet.NotifyQuote, c.tr("Quotes of your posts"))
	add(linnet.NotifyPoll, c.tr("Polls that ended"))
	add(linnet.NotifyEdit, c.tr("Edits of posts you boosted"))
	add(linnet.NotifyQuoted, c.tr("Edits of posts you quoted"))
	add(linnet.NotifySecurity, c.tr("Changes to your account security"))
	if c.may(linnet.NotifySignUp.For()) {
		add(linnet.NotifySignUp, c.tr("New accounts"))
	}
	if c.may(linnet.NotifyReport.For()) {
		add(linnet.NotifyReport, c.tr("Reports"))
	}
	return kinds
}

// usuallyPushed reports whether a type is selected by default: types that wait for a response.
func usuallyPushed(t linnet.NotificationType) bool {
	return t != linnet.NotifyFavourite && t != linnet.NotifyRepost
}

// pushSession is the browser's log-in.
func pushSession(c *call) linnet.Session {
	return linnet.Session{ID: c.session, User: c.me.ID, Web: true}
}

// pushSubscription returns the subscription of this browser, or nil.
func (h *settingsPages) pushSubscription(c *call) (*linnet.PushSubscription, error) {
	p, err := h.push.Subscription(c.r.Context(), pushSession(c))
	if isKind(err, linnet.NotFound) {
		return nil, nil
	}
	return &p, err
}

// pushForm returns the form of this browser. now is nil without a subscription.
func (h *settingsPages) pushForm(c *call, now *linnet.PushSubscription) (*form, error) {
	action, button, policy, chosen := paths.Push, c.tr("Turn on in this browser"), linnet.PushAll, usuallyPushed
	if now != nil {
		action, button, policy = paths.Push+"?change=1", c.tr("Save"), now.Policy
		chosen = func(t linnet.NotificationType) bool { return slices.Contains(now.Alerts, t) }
	}
	f := startForm(c, action, button,
		field{Kind: checksField, Name: "alerts", Label: c.tr("Notify me about"), Choices: pushKinds(c, chosen)},
		field{Kind: selectField, Name: "policy", Label: c.trIn("senders", "From"), Choices: pick(string(policy),
			string(linnet.PushAll), c.tr("Anyone"), string(linnet.PushFollowed), c.tr("People you follow"), string(linnet.PushFollower), c.tr("People who follow you"))})
	if now != nil {
		return f, nil
	}
	key, err := h.push.PublicKey(c.r.Context())
	f.Hidden = [][2]string{{"endpoint", ""}, {"p256dh", ""}, {"auth", ""}, {"key", key}}
	return f, err
}

func showPush(c *call, f *form, now *linnet.PushSubscription) error {
	d := formPage{Lead: c.tr("Get notifications on your device while no page of %s is open. Turn them on in each browser separately.", c.url.Host)}
	part := formSection{Title: c.tr("Off in this browser"), Form: f,
		Text: c.tr("Turning on push notifications needs JavaScript, because your browser asks for permission. Notifications are encrypted for this browser and sent through its vendor's push service.")}
	if now != nil {
		part.Title, part.Text = c.tr("On in this browser"), c.tr("They turn off when you log out here.")
		d.Parts = append(d.Parts, part, formSection{Title: c.tr("Turn off"), Form: startForm(c, paths.Push+"/end", c.tr("Turn off in this browser"))})
	} else {
		d.Parts = append(d.Parts, part)
	}
	switch c.r.URL.Query().Get("done") {
	case "on":
		d.Done = c.tr("Push notifications are on in this browser.")
	case "off":
		d.Done = c.tr("Push notifications are off in this browser.")
	}
	return showSettings(c, f.code(), c.tr("Push notifications"), paths.Push, d)
}

func (h *settingsPages) pushSettings(c *call) error {
	now, err := h.pushSubscription(c)
	if err != nil {
		return err
	}
	f, err := h.pushForm(c, now)
	if err != nil {
		return err
	}
	return showPush(c, f, now)
}

func (h *settingsPages) changePush(c *call) error {
	ctx, alerts := c.r.Context(), []linnet.NotificationType{}
	for _, t := range c.r.PostForm["alerts"] {
		alerts = append(alerts, linnet.NotificationType(t))
	}
	change := linnet.PushChange{Alerts: &alerts, Policy: linnet.PushPolicy(c.typed("policy"))}
	done := "saved"
	var err error
	if c.r.URL.Query().Get("change") != "" {
		_, err = h.push.Change(ctx, pushSession(c), change)
	} else if done = "on"; c.typed("endpoint") == "" {
		return h.refusedPush(c, c.tr("Your browser wasn't asked for permission. This needs JavaScript."))
	} else {
		_, err = h.push.Subscribe(ctx, pushSession(c), "", linnet.PushDraft{Endpoint: c.typed("endpoint"), P256dh: c.typed("p256dh"), Auth: c.typed("auth"), Standard: true, PushChange: change})
	}
	switch {
	case isKind(err, linnet.NotFound): // it has ended since the page was opened
		return c.seeOther(ui.WithDone(paths.Push, "off"))
	case isKind(err, linnet.Invalid):
		return h.refusedPush(c, c.tr("This browser's push service can't be used: %s", refusal(err).In(c.lang().Say())))
	case err != nil:
		return err
	}
	return c.seeOther(ui.WithDone(paths.Push, done))
}

// refusedPush shows the page again with an error.
func (h *settingsPages) refusedPush(c *call, wrong string) error {
	now, err := h.pushSubscription(c)
	if err != nil {
		return err
	}
	f, err := h.pushForm(c, now)
	if err != nil {
		return err
	}
	hidden := f.Hidden
	f.refill(c.r.PostForm, fieldErrors{"": wrong})
	f.Hidden = hidden
	return showPush(c, f, now)
}

func (h *settingsPages) endPush(c *call) error {
	if err := h.push.Unsubscribe(c.r.Context(), pushSession(c)); err != nil {
		return err
	}
	return c.seeOther(ui.WithDone(paths.Push, "off"))
}
