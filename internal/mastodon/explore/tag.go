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

// Tags handles hashtags: single, followed and featured ones.
// https://docs.joinmastodon.org/methods/tags/
type Tags struct {
	enc       *wire.Encoder
	social    *social.Service
	discovery *discovery.Service
}

// NewTags returns a handler of hashtags.
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
		request.Handle("POST /api/v1/tags/{name}/follow", request.User("write:follows"), h.act(h.social.Tags.Follow)),
		request.Handle("POST /api/v1/tags/{name}/unfollow", request.User("write:follows"), h.act(h.social.Tags.Unfollow)),
		request.Handle("POST /api/v1/tags/{name}/feature", request.User("write:accounts"), h.act(h.featureNamed)),
		request.Handle("POST /api/v1/tags/{name}/unfeature", request.User("write:accounts"), h.act(h.discovery.UnfeatureTagNamed)),
		request.Handle("GET /api/v1/followed_tags", request.User("read:follows"), h.followed),
	}
}

// ownTags are the folded names of the tags that a viewer follows and features.
type ownTags struct{ followed, featured []string }

// TagID returns a number as the id of a tag. Tags have no records, and clients expect digits.
func TagID(name string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return strconv.FormatUint(h.Sum64()>>1|1, 10)
}

// Encode encodes tags for the viewer.
func (h *Tags) Encode(r *request.Request, vs []discovery.TagView) ([]wire.Tag, error) {
	var own ownTags
	var err error
	if own.followed, err = h.social.Tags.Names(r.Context(), r.Viewer()); err != nil {
		return nil, err
	}
	own.featured, err = h.discovery.FeaturesTags(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, func(v *discovery.TagView) wire.Tag {
		name := text.FoldTag(v.Name)
		out := wire.Tag{ID: TagID(name), Name: name, URL: h.enc.TagURL(name), History: historyOf(v.Days)}
		if r.Viewer() != 0 {
			follows, features := slices.Contains(own.followed, name), slices.Contains(own.featured, name)
			out.Following, out.Featuring = &follows, &features
		}
		return out
	}), nil
}

// get returns any valid tag, even an unused one.
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

// act returns the handler of an action on one tag, which returns the tag.
func (h *Tags) act(act func(context.Context, linnet.ID, string) error) request.Handler {
	return func(r *request.Request) (any, error) {
		if err := act(r.Context(), r.Viewer(), r.PathValue("name")); err != nil {
			return nil, err
		}
		return h.get(r)
	}
}

// followed lists the followed tags in the order in which they were followed.
func (h *Tags) followed(r *request.Request) (any, error) {
	p := r.In.Page(100, 200)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.social.Tags.List(r.Context(), r.Viewer(), p)
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
