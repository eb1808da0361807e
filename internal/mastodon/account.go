package mastodon

import (
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

func (a *API) getAccount(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.User(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.Account(&v), nil
}

func (a *API) getAccounts(r *request.Request) (any, error) {
	ids := r.In.IDs("id", linnet.MaxIDsInQuery)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.View.Users(r.Context(), r.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.enc.Account), nil
}

func (a *API) lookupAccount(r *request.Request) (any, error) {
	acct := r.In.String("acct")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := a.svc.View.UserByLogin(r.Context(), r.Viewer(), strings.TrimPrefix(acct, "@"))
	if err != nil {
		return nil, err
	}
	return a.enc.Account(&v), nil
}

func (a *API) verifyCredentials(r *request.Request) (any, error) {
	v, err := a.svc.View.User(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return a.enc.CredentialAccount(&v), nil
}

func (a *API) updateCredentials(r *request.Request) (any, error) {
	change := a.profileChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if err := a.unlessRead(r, r.Viewer(), &change.Note); err != nil {
		return nil, err
	}
	if err := a.setOwnPictures(r); err != nil {
		return nil, err
	}
	v, err := a.svc.Social.UpdateProfile(r.Context(), r.Viewer(), change)
	if err != nil {
		return nil, err
	}
	return a.enc.CredentialAccount(&v), nil
}

// setPictures calls set with the pictures of a profile that were sent.
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

// setOwnPictures stores the pictures that were sent for the viewer's profile.
func (a *API) setOwnPictures(r *request.Request) error {
	return setPictures(r, func(shape media.Shape, f *uploads.File) error {
		return a.svc.Social.SetPicture(r.Context(), r.Viewer(), shape, f)
	})
}

// removePicture makes a handler that takes a picture of a profile away.
// https://docs.joinmastodon.org/methods/profile/#delete-profile-avatar
func (a *API) removePicture(shape media.Shape) request.Handler {
	return func(r *request.Request) (any, error) {
		if err := a.svc.Social.SetPicture(r.Context(), r.Viewer(), shape, nil); err != nil {
			return nil, err
		}
		return a.verifyCredentials(r)
	}
}

// profileChange reads the parameters of update_credentials. What cannot be done
// here is refused rather than left out in silence.
func (a *API) profileChange(in *request.Input) linnet.ProfileChange {
	c := linnet.ProfileChange{
		Name: in.OptString("display_name"), Note: in.OptString("note"), Fields: profileFields(in),
		Bot: in.OptFlag("bot"), Discoverable: in.OptFlag("discoverable"), Indexable: in.OptFlag("indexable"),
		HideNetwork: in.OptFlag("hide_collections"), Locked: in.OptFlag("locked"),
		AvatarAlt: in.OptString("avatar_description"), BannerAlt: in.OptString("header_description"),
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
		if v == nil || v.Kind == request.KindText && (v.Text == "" || strings.HasPrefix(v.Text, a.base+"/")) {
			continue // nothing, or the address of the picture that there is
		}
		if v.Kind != request.KindFile || v.File == nil {
			in.Fault(name, "must be a file or a data: URI")
		}
	}
	return c
}

// unlessRead takes a note out of a change if it is just what is shown of the account:
// accounts are read as HTML and written as text, and an app may send back what it
// has read.
func (a *API) unlessRead(r *request.Request, id linnet.ID, note **string) error {
	if *note == nil || !strings.HasPrefix(**note, "<") {
		return nil
	}
	v, err := a.svc.View.User(r.Context(), r.Viewer(), id)
	if err == nil && a.enc.Account(&v).Note == **note {
		*note = nil
	}
	return err
}

// profileFields reads fields_attributes, an object with numbers as keys or a
// list. Rows without a name and value are rows that a form left empty.
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

// visibility reads Mastodon's word for a visibility, nil if there is none.
func visibility(in *request.Input, name string) *linnet.Visibility {
	word := in.String(name)
	if word == "" {
		return nil
	}
	v, ok := linnet.ParseVisibility(word)
	if !ok {
		in.Fault(name, "must be public, unlisted, private or direct")
		return nil
	}
	return &v
}

func (a *API) createAccount(r *request.Request) (any, error) {
	in := linnet.SignUp{
		Login: r.In.String("username"), Password: r.In.String("password"), Email: r.In.String("email"),
		Agreed: r.In.Flag("agreement"), Language: core.Language(r.In.String("locale")), Reason: r.In.String("reason"), Invite: r.In.String("invite_code"),
		From: a.srv.ClientAddr(r.Request),
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	u, err := a.svc.Identity.Register(r.Context(), in)
	if err != nil {
		return nil, err
	}
	t, err := a.svc.Identity.UserToken(a.srv.WithVisitor(r), u.ID, r.Session.App, r.Session.Scopes)
	if err != nil {
		return nil, err
	}
	return wire.TokenOf(t), nil
}

func (a *API) searchAccounts(r *request.Request) (any, error) {
	q := searchQuery(r.In, linnet.MaxPage)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.SearchUsers(r.Context(), r.Viewer(), q)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.enc.Account), nil
}

func (a *API) accountStatuses(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	f := linnet.ProfileFilter{
		ExcludeReplies: r.In.Flag("exclude_replies"), ExcludeReposts: r.In.Flag("exclude_reblogs"), ExcludeDirect: r.In.Flag("exclude_direct"),
		OnlyMedia: r.In.Flag("only_media"), Tag: strings.TrimPrefix(r.In.String("tagged"), "#"),
	}
	pinned := r.In.Flag("pinned")
	p := r.In.Page(linnet.DefaultPage, linnet.MaxPage)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	read := a.svc.Reading.Profile
	if pinned {
		read = a.svc.Posting.PinnedPage
	}
	s, err := read(r.Context(), r.Viewer(), id, f, p)
	if err != nil {
		return nil, err
	}
	request.SetLink(r, s.First, s.Next())
	return wire.StatusList{Viewer: r.Viewer(), Views: s.Items}, nil
}

func (a *API) accountLists(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	ls, err := a.svc.Lists.ListsWith(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return wire.Each(ls, wire.ListOf), nil
}

func (a *API) getPreferences(r *request.Request) (any, error) {
	v, err := a.svc.View.User(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.Preferences{
		Visibility: v.Posting.Visibility.String(), Sensitive: v.Posting.Sensitive,
		Language: wire.Nullable(v.Posting.Language), Quotes: v.Posting.QuotePolicy.String(), Media: "default",
	}, nil
}
