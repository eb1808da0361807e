package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

func (a *API) featuredTags(r *request) (any, error) { return a.showFeaturedTags(r, r.me()) }

func (a *API) accountFeaturedTags(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return a.showFeaturedTags(r, id)
}

func (a *API) showFeaturedTags(r *request, of linnet.ID) (any, error) {
	tags, err := a.svc.Discovery.FeaturedTags(r.Context(), r.me(), of)
	if err != nil {
		return nil, err
	}
	return wire.Each(tags, wire.FeaturedTagOf), nil
}

func (a *API) featureTag(r *request) (any, error) {
	name := r.in.text("name")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	t, err := a.svc.Discovery.FeatureTag(r.Context(), r.me(), name)
	if err != nil {
		return nil, err
	}
	return wire.FeaturedTagOf(&t), nil
}

func (a *API) unfeatureTag(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Discovery.UnfeatureTag(r.Context(), r.me(), id)
}

func (a *API) featuredTagSuggestions(r *request) (any, error) {
	tags, err := a.svc.Discovery.SuggestedTags(r.Context(), r.me())
	if err != nil {
		return nil, err
	}
	return a.tags(r, tags)
}

// featureNamed features the tag in the path, as it is written there.
func (a *API) featureNamed(ctx context.Context, me linnet.ID, name string) error {
	_, err := a.svc.Discovery.FeatureTag(ctx, me, name)
	return err
}
