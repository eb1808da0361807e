package mastodon

import (
	"linnet/internal/mastodon/wire"
)

// rankTable are the routes of timelines in the order of scores.
func rankTable() []route {
	return []route{
		{"GET /api/v1/linnet/timelines/catch_up", user("read:statuses"), noLimit, (*API).catchUp},
		{"POST /api/v1/linnet/timelines/catch_up", user("write:statuses"), noLimit, (*API).renewCatchUp},

		{"GET /api/v1/linnet/feeds", user("read:lists"), noLimit, (*API).ownFeeds},
		{"POST /api/v1/linnet/feeds", user("write:lists"), noLimit, (*API).createOwnFeed},
		{"GET /api/v1/linnet/feeds/{id}", user("read:lists"), noLimit, (*API).getOwnFeed},
		{"PUT /api/v1/linnet/feeds/{id}", user("write:lists"), noLimit, (*API).updateOwnFeed},
		{"DELETE /api/v1/linnet/feeds/{id}", user("write:lists"), noLimit, (*API).deleteOwnFeed},
		{"GET /api/v1/linnet/timelines/feed/{id}", user("read:lists"), noLimit, (*API).ownFeedTimeline},
	}
}

func (a *API) catchUp(r *request) (any, error) {
	p := rankPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	page, err := a.svc.Discovery.CatchUp(r.Context(), r.me(), p)
	return rankingPage(r, page, err)
}

// renewCatchUp begins the catch-up anew; with read_up_to behind that entry of home,
// which is noted in the marker of home.
func (a *API) renewCatchUp(r *request) (any, error) {
	upTo, ok := r.in.id("read_up_to")
	if !ok {
		r.in.fault("read_up_to", "must be the newest_id of the catch-up")
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if upTo != 0 {
		return wire.Empty{}, a.svc.Discovery.CaughtUp(r.Context(), r.me(), upTo)
	}
	return wire.Empty{}, a.svc.Discovery.RenewCatchUp(r.Context(), r.me())
}
