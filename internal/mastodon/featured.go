package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) featuredTags(r *request.Request) (any, error) { return a.showFeaturedTags(r, r.Viewer()) }

func (a *API) accountFeaturedTags(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return a.showFeaturedTags(r, id)
}

func (a *API) showFeaturedTags(r *request.Request, of linnet.ID) (any, error) {
	tags, err := a.svc.Discovery.FeaturedTags(r.Context(), r.Viewer(), of)
	if err != nil {
		return nil, err
	}
	return wire.Each(tags, wire.FeaturedTagOf), nil
}

func (a *API) featureTag(r *request.Request) (any, error) {
	name := r.In.String("name")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	t, err := a.svc.Discovery.FeatureTag(r.Context(), r.Viewer(), name)
	if err != nil {
		return nil, err
	}
	return wire.FeaturedTagOf(&t), nil
}

func (a *API) unfeatureTag(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Discovery.UnfeatureTag(r.Context(), r.Viewer(), id)
}

func (a *API) featuredTagSuggestions(r *request.Request) (any, error) {
	tags, err := a.svc.Discovery.SuggestedTags(r.Context(), r.Viewer())
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
