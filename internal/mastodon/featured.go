package mastodon

import (
	"context"
	"strconv"
	"time"

	"linnet/internal/linnet"
)

// featuredTag is the entity FeaturedTag. Mastodon sends the count as a text and
// the date without a time.
// https://docs.joinmastodon.org/entities/FeaturedTag/
type featuredTag struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	URL      string  `json:"url"`
	Statuses string  `json:"statuses_count"`
	LastAt   *string `json:"last_status_at"`
}

func featuredTagOf(t *linnet.FeaturedTag) featuredTag {
	out := featuredTag{ID: t.ID.String(), Name: t.Name, URL: t.URL, Statuses: strconv.FormatInt(t.Statuses, 10)}
	if !t.LastAt.IsZero() {
		day := t.LastAt.UTC().Format(time.DateOnly)
		out.LastAt = &day
	}
	return out
}

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
	return each(tags, featuredTagOf), nil
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
	return featuredTagOf(&t), nil
}

func (a *API) unfeatureTag(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return empty{}, a.svc.Discovery.UnfeatureTag(r.Context(), r.me(), id)
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
