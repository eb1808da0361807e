package explore

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
	"linnet/internal/social"
	"linnet/internal/text"
)

// tagHandler handles hashtags: followed, featured and single ones.
// https://docs.joinmastodon.org/methods/tags/
type Tags struct {
	enc       *wire.Encoder
	social    *social.Service
	discovery *discovery.Service
}

// newTags returns a tagHandler.
func NewTags(enc *wire.Encoder, s *social.Service, d *discovery.Service) *Tags {
	return &Tags{enc: enc, social: s, discovery: d}
}

func (h *Tags) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/accounts/{id}/featured_tags", request.Anyone("read:accounts"), h.featuredOf),
		request.Handle("GET /api/v1/featured_tags", request.User("read:accounts"), h.featured),
		request.Handle("POST /api/v1/featured_tags", request.User("write:accounts"), h.feature),
		request.Handle("DELETE /api/v1/featured_tags/{id}", request.User("write:accounts"), h.unfeature),
		request.Handle("GET /api/v1/featured_tags/suggestions", request.User("read:accounts"), h.suggestions),
		request.Handle("GET /api/v1/tags/{name}", request.Anyone("read"), h.get),
		request.Handle("POST /api/v1/tags/{name}/follow", request.User("write:follows"), h.act(h.social.FollowTag)),
		request.Handle("POST /api/v1/tags/{name}/unfollow", request.User("write:follows"), h.act(h.social.UnfollowTag)),
		request.Handle("POST /api/v1/tags/{name}/feature", request.User("write:accounts"), h.act(h.featureNamed)),
		request.Handle("POST /api/v1/tags/{name}/unfeature", request.User("write:accounts"), h.act(h.discovery.UnfeatureTagNamed)),
		request.Handle("GET /api/v1/followed_tags", request.User("read:follows"), h.followed),
	}
}

// ownTags are the folded tags that the viewer of some follows, and features.
type ownTags struct{ followed, featured []string }

func (h *Tags) ownTags(r *request.Request) (own ownTags, err error) {
	if own.followed, err = h.social.FollowsTags(r.Context(), r.Viewer()); err != nil {
		return own, err
	}
	own.featured, err = h.discovery.FeaturesTags(r.Context(), r.Viewer())
	return own, err
}

// tag is a tag for a viewer; 0 is nobody.
func (h *Tags) tag(v *discovery.TagView, viewer linnet.ID, own ownTags) wire.Tag {
	name := text.FoldTag(v.Name)
	out := wire.Tag{ID: TagID(name), Name: name, URL: h.enc.TagURL(name), History: historyOf(v.Days)}
	if viewer != 0 {
		follows, features := slices.Contains(own.followed, name), slices.Contains(own.featured, name)
		out.Following, out.Featuring = &follows, &features
	}
	return out
}

// tagID is a number that stands for a tag: tags have no records of their own,
// and clients want an id of digits.
func TagID(name string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return strconv.FormatUint(h.Sum64()>>1|1, 10)
}

// encode are tags as whoever asks sees them.
func (h *Tags) Encode(r *request.Request, vs []discovery.TagView) ([]wire.Tag, error) {
	own, err := h.ownTags(r)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, func(v *discovery.TagView) wire.Tag { return h.tag(v, r.Viewer(), own) }), nil
}

// get answers for every name that can be a tag, also one not used yet.
func (h *Tags) get(r *request.Request) (any, error) {
	v, err := h.discovery.TagInfo(r.Context(), strings.TrimPrefix(r.PathValue("name"), "#"))
	if err != nil {
		return nil, err
	}
	all, err := h.Encode(r, []discovery.TagView{v})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// act makes a handler of an act on one tag that answers with it.
func (h *Tags) act(act func(context.Context, linnet.ID, string) error) request.Handler {
	return func(r *request.Request) (any, error) {
		if err := act(r.Context(), r.Viewer(), r.PathValue("name")); err != nil {
			return nil, err
		}
		return h.get(r)
	}
}

// followed lists the tags that one follows, by when that began.
func (h *Tags) followed(r *request.Request) (any, error) {
	p := r.In.Page(100, 200)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.social.FollowedTags(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(s.Items))
	for i, t := range s.Items {
		names[i] = t.Tag
	}
	vs, err := h.discovery.TagsInfo(r.Context(), names)
	if err != nil {
		return nil, err
	}
	request.SetLink(r, s.First, s.Next())
	return h.Encode(r, vs)
}
