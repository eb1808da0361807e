package social_test

import (
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/social"
	"linnet/internal/social/socialtest"
	"linnet/internal/store"
)

// FuzzCursor pages through every kind of list from any position: it is a page,
// or the position is refused.
func FuzzCursor(f *testing.F) {
	svc, err := social.New(store.New(memkv.New(memkv.Options{}), store.Options{}), social.Options{Derive: socialtest.Derive, PublicURL: "https://linnet.test", Exclusive: true})
	if err != nil {
		f.Fatal(err)
	}
	ctx := f.Context()
	ann, err := svc.SignUp(ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Agreed: true})
	if err != nil {
		f.Fatal(err)
	}
	v, err := svc.Post(ctx, ann.ID, linnet.Draft{Text: "x #x"})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"", "0", "1", "-1", v.ID.String(), "9223372036854775807", "18446744073709551616", "00012", "1e5", "\x00", "1:2", "{1}"} {
		f.Add(s, s, s, 20)
	}
	f.Fuzz(func(t *testing.T, top, bottom, since string, limit int) {
		p := linnet.Page{Max: linnet.Cursor(top), Min: linnet.Cursor(bottom), Since: linnet.Cursor(since), Limit: 1 + (limit&0xff)%linnet.MaxPage}
		for what, read := range map[string]func() error{
			"home":          func() error { _, err := svc.Home(ctx, ann.ID, p); return err },
			"profile":       func() error { _, err := svc.Profile(ctx, 0, ann.ID, linnet.ProfileFilter{}, p); return err },
			"tag":           func() error { _, err := svc.Tag(ctx, 0, linnet.TagQuery{Tag: "x"}, p); return err },
			"notifications": func() error { _, err := svc.Notifications(ctx, ann.ID, linnet.NotificationFilter{}, p); return err },
			"followers":     func() error { _, err := svc.Followers(ctx, 0, ann.ID, p); return err },
			"favourites":    func() error { _, err := svc.Favourites(ctx, ann.ID, p); return err },
		} {
			if err := read(); err != nil && linnet.KindOf(err) != linnet.Invalid {
				t.Fatalf("%s from %+v: %v", what, p, err)
			}
		}
	})
}
