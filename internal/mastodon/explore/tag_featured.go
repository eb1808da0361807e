package explore

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (h *Tags) featured(r *request.Request) (any, error) { return h.showFeatured(r, r.Viewer()) }

func (h *Tags) featuredOf(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return h.showFeatured(r, id)
}

func (h *Tags) showFeatured(r *request.Request, of linnet.ID) (any, error) {
	tags, err := h.discovery.FeaturedTags(r.Context(), r.Viewer(), of)
	if err != nil {
		return nil, err
	}
	return wire.Each(tags, wire.FeaturedTagOf), nil
}

func (h *Tags) feature(r *request.Request) (any, error) {
	name := r.In.String("name")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	t, err := h.discovery.FeatureTag(r.Context(), r.Viewer(), name)
	if err != nil {
		return nil, err
	}
	return wire.FeaturedTagOf(&t), nil
}

func (h *Tags) unfeature(r *request.Request) (any, error) {
	return request.DoByID(r, h.discovery.UnfeatureTag)
}

func (h *Tags) suggestions(r *request.Request) (any, error) {
	tags, err := h.discovery.SuggestedTags(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return h.Encode(r, tags)
}

// featureNamed features a tag by its name.
func (h *Tags) featureNamed(ctx context.Context, me linnet.ID, name string) error {
	_, err := h.discovery.FeatureTag(ctx, me, name)
	return err
}
