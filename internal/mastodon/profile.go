package mastodon

import (
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
	"linnet/internal/social"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// profileHandler handles the methods by which users read and change their own profiles.
// https://docs.joinmastodon.org/methods/profile/
type profileHandler struct {
	base      string
	enc       *wire.Encoder
	view      *view.Service
	social    *social.Service
	discovery *discovery.Service
}

func (h *profileHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/preferences", request.User("read:accounts"), h.preferences),
		request.Handle("GET /api/v1/accounts/verify_credentials", request.User("read:accounts profile"), h.verifyCredentials),
		request.Handle("PATCH /api/v1/accounts/update_credentials", request.WithFiles(request.User("write:accounts")), h.updateCredentials),
		request.Handle("GET /api/v1/profile", request.User("read:accounts profile"), h.get),
		request.Handle("PATCH /api/v1/profile", request.WithFiles(request.User("write:accounts")), h.update),
		request.Handle("PUT /api/v1/profile", request.WithFiles(request.User("write:accounts")), h.update),
		request.Handle("DELETE /api/v1/profile/avatar", request.User("write:accounts"), h.removePicture(media.Avatar)),
		request.Handle("DELETE /api/v1/profile/header", request.User("write:accounts"), h.removePicture(media.Banner)),
	}
}

func (h *profileHandler) verifyCredentials(r *request.Request) (any, error) {
	v, err := h.view.User(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return h.enc.CredentialAccount(&v), nil
}

func (h *profileHandler) updateCredentials(r *request.Request) (any, error) {
	change := h.profileChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if err := unlessRead(r, h.enc, h.view, r.Viewer(), &change.Note); err != nil {
		return nil, err
	}
	if err := h.setOwnPictures(r); err != nil {
		return nil, err
	}
	v, err := h.social.Profiles.Update(r.Context(), r.Viewer(), change)
	if err != nil {
		return nil, err
	}
	return h.enc.CredentialAccount(&v), nil
}

// setPictures calls set for each picture of the request.
func setPictures(r *request.Request, set func(media.Shape, *uploads.File) error) error {
	for name, shape := range map[string]media.Shape{"avatar": media.Avatar, "header": media.Banner} {
		if v := r.In.Get(name); v == nil || v.Kind != request.KindFile || v.File == nil {
			continue
		}
		if err := set(shape, r.In.File(name)); err != nil {
			return err
		}
	}
	return nil
}

// setOwnPictures stores the pictures of the request for the viewer.
func (h *profileHandler) setOwnPictures(r *request.Request) error {
	return setPictures(r, func(shape media.Shape, f *uploads.File) error {
		return h.social.Profiles.SetPicture(r.Context(), r.Viewer(), shape, f)
	})
}

// removePicture returns the handler that removes a picture of the viewer.
// https://docs.joinmastodon.org/methods/profile/#delete-profile-avatar
func (h *profileHandler) removePicture(shape media.Shape) request.Handler {
	return func(r *request.Request) (any, error) {
		if err := h.social.Profiles.SetPicture(r.Context(), r.Viewer(), shape, nil); err != nil {
			return nil, err
		}
		return h.verifyCredentials(r)
	}
}

// profileChange reads the parameters of update_credentials. Unsupported values are refused.
func (h *profileHandler) profileChange(in *request.Input) linnet.ProfileChange {
	c := linnet.ProfileChange{
		Name: in.OptString("display_name"), Note: in.OptString("note"), Fields: profileFields(in),
		Bot: in.OptFlag("bot"), Discoverable: in.OptFlag("discoverable"), Indexable: in.OptFlag("indexable"),
		HideNetwork: in.OptFlag("hide_collections"), Locked: in.OptFlag("locked"),
		AvatarAlt: in.OptString("avatar_description"), BannerAlt: in.OptString("header_description"),
		ShowMedia: in.OptFlag("show_media"), ShowMediaReplies: in.OptFlag("show_media_replies"), ShowFeatured: in.OptFlag("show_featured"),
	}
	if in.Has("attribution_domains") {
		domains := in.Strings("attribution_domains")
		c.Attribution = &domains
	}
	source := in.Object("source")
	c.Sensitive = source.OptFlag("sensitive")
	c.Language = source.OptString("language")
	c.Visibility = visibility(source, "privacy")
	c.QuotePolicy = quotePolicy(source, "quote_policy")
	for _, name := range [...]string{"avatar", "header"} {
		v := in.Get(name)
		if v == nil || v.Kind == request.KindText && (v.Text == "" || strings.HasPrefix(v.Text, h.base+"/")) {
			continue // empty, or the URL of the current picture
		}
		if v.Kind != request.KindFile || v.File == nil {
			in.Fault(name, "must be a file or a data: URI")
		}
	}
	return c
}

// unlessRead removes a note from a change if it equals the HTML of the account. Accounts are read
// as HTML and written as text, and apps may send back the HTML.
func unlessRead(r *request.Request, enc *wire.Encoder, views *view.Service, id linnet.ID, note **string) error {
	if *note == nil || !strings.HasPrefix(**note, "<") {
		return nil
	}
	v, err := views.User(r.Context(), r.Viewer(), id)
	if err == nil && enc.Account(&v).Note == **note {
		*note = nil
	}
	return err
}

// profileFields reads fields_attributes, a list or an object with numbers as keys. It ignores
// empty rows.
func profileFields(in *request.Input) *[]linnet.ProfileField {
	if !in.Has("fields_attributes") {
		return nil
	}
	fields := []linnet.ProfileField{}
	for _, v := range in.Items("fields_attributes") {
		row := in.Within("fields_attributes", v)
		f := linnet.ProfileField{Name: row.String("name"), Value: row.String("value")}
		if f != (linnet.ProfileField{}) {
			fields = append(fields, f)
		}
	}
	return &fields
}

func (h *profileHandler) preferences(r *request.Request) (any, error) {
	v, err := h.view.User(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.Preferences{
		Visibility: v.Posting.Visibility.String(), Sensitive: v.Posting.Sensitive,
		Language: wire.Nullable(v.Posting.Language), Quotes: v.Posting.QuotePolicy.String(), Media: "default",
	}, nil
}

func (h *profileHandler) get(r *request.Request) (any, error) {
	v, err := h.view.User(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	tags, err := h.discovery.FeaturedTags(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	source := h.enc.CredentialAccount(&v).Source
	var avatar, header *string
	if v.Avatar != "" {
		avatar = wire.Nullable(h.enc.AvatarURL(&v.User))
	}
	if v.Banner != "" {
		header = wire.Nullable(h.enc.HeaderURL(&v.User))
	}
	return wire.Profile{Avatar: avatar, AvatarStatic: avatar, Header: header, HeaderStatic: header, ID: v.ID.String(), DisplayName: v.Name, Note: v.Note, Fields: source.Fields, Locked: v.Locked, Bot: v.Bot,
		AvatarDescription: v.AvatarAlt, HeaderDescription: v.BannerAlt, HideCollections: v.HideNetwork, Discoverable: v.Discoverable, Indexable: v.Indexable,
		ShowMedia: !v.Tabs.NoMedia, ShowMediaReplies: !v.Tabs.NoMediaReplies, ShowFeatured: !v.Tabs.NoFeatured,
		AttributionDomains: source.AttributionDomains, FeaturedTags: wire.Each(tags, wire.FeaturedTagOf)}, nil
}

func (h *profileHandler) update(r *request.Request) (any, error) {
	change := h.profileChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if err := h.setOwnPictures(r); err != nil {
		return nil, err
	}
	if _, err := h.social.Profiles.Update(r.Context(), r.Viewer(), change); err != nil {
		return nil, err
	}
	return h.get(r)
}
