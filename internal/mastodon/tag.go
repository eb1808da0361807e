package mastodon

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/text"
)

// ownTags are the folded tags that the viewer of some follows, and features.
type ownTags struct{ followed, featured []string }

func (a *API) ownTags(r *request.Request) (own ownTags, err error) {
	if own.followed, err = a.svc.Social.FollowsTags(r.Context(), r.Viewer()); err != nil {
		return own, err
	}
	own.featured, err = a.svc.Discovery.FeaturesTags(r.Context(), r.Viewer())
	return own, err
}

// tag is a tag for a viewer; 0 is nobody.
func (a *API) tag(v *discovery.TagView, viewer linnet.ID, own ownTags) wire.Tag {
	name := text.FoldTag(v.Name)
	out := wire.Tag{ID: tagID(name), Name: name, URL: a.enc.TagURL(name), History: historyOf(v.Days)}
	if viewer != 0 {
		follows, features := slices.Contains(own.followed, name), slices.Contains(own.featured, name)
		out.Following, out.Featuring = &follows, &features
	}
	return out
}

// tagID is a number that stands for a tag: tags have no records of their own,
// and clients want an id of digits.
func tagID(name string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return strconv.FormatUint(h.Sum64()>>1|1, 10)
}

// tags are tags as whoever asks sees them.
func (a *API) tags(r *request.Request, vs []discovery.TagView) ([]wire.Tag, error) {
	own, err := a.ownTags(r)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, func(v *discovery.TagView) wire.Tag { return a.tag(v, r.Viewer(), own) }), nil
}

// getTag answers for every name that can be a tag, also one not used yet.
func (a *API) getTag(r *request.Request) (any, error) {
	v, err := a.svc.Discovery.TagInfo(r.Context(), strings.TrimPrefix(r.PathValue("name"), "#"))
	if err != nil {
		return nil, err
	}
	all, err := a.tags(r, []discovery.TagView{v})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// tagAct makes a handler of an act on one tag that answers with it.
func (a *API) tagAct(act func(context.Context, linnet.ID, string) error) request.Handler {
	return func(r *request.Request) (any, error) {
		if err := act(r.Context(), r.Viewer(), r.PathValue("name")); err != nil {
			return nil, err
		}
		return a.getTag(r)
	}
}

// followedTags lists the tags that one follows, by when that began.
func (a *API) followedTags(r *request.Request) (any, error) {
	p := r.In.Page(100, 200)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Social.FollowedTags(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(s.Items))
	for i, t := range s.Items {
		names[i] = t.Tag
	}
	vs, err := a.svc.Discovery.TagsInfo(r.Context(), names)
	if err != nil {
		return nil, err
	}
	request.SetLink(r, s.First, s.Next())
	return a.tags(r, vs)
}
