package mastodon

import (
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// rankTable are the routes of timelines in the order of scores.
func (a *API) rankTable() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/linnet/timelines/catch_up", request.User("read:statuses"), a.catchUp),
		request.Handle("POST /api/v1/linnet/timelines/catch_up", request.User("write:statuses"), a.renewCatchUp),

		request.Handle("GET /api/v1/linnet/feeds", request.User("read:lists"), a.ownFeeds),
		request.Handle("POST /api/v1/linnet/feeds", request.User("write:lists"), a.createOwnFeed),
		request.Handle("GET /api/v1/linnet/feeds/{id}", request.User("read:lists"), a.getOwnFeed),
		request.Handle("PUT /api/v1/linnet/feeds/{id}", request.User("write:lists"), a.updateOwnFeed),
		request.Handle("DELETE /api/v1/linnet/feeds/{id}", request.User("write:lists"), a.deleteOwnFeed),
		request.Handle("GET /api/v1/linnet/timelines/feed/{id}", request.User("read:lists"), a.ownFeedTimeline),
	}
}

func (a *API) catchUp(r *request.Request) (any, error) {
	p := rankPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	page, err := a.svc.Discovery.CatchUp(r.Context(), r.Viewer(), p)
	return rankingPage(r, page, err)
}

// renewCatchUp begins the catch-up anew; with read_up_to behind that entry of home,
// which is noted in the marker of home.
func (a *API) renewCatchUp(r *request.Request) (any, error) {
	upTo, ok := r.In.ID("read_up_to")
	if !ok {
		r.In.Fault("read_up_to", "must be the newest_id of the catch-up")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if upTo != 0 {
		return wire.Empty{}, a.svc.Discovery.CaughtUp(r.Context(), r.Viewer(), upTo)
	}
	return wire.Empty{}, a.svc.Discovery.RenewCatchUp(r.Context(), r.Viewer())
}
