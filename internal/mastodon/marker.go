package mastodon

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) getMarkers(r *request.Request) (any, error) {
	names := r.In.Strings("timeline")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	of := make([]linnet.MarkerTimeline, len(names))
	for i, name := range names {
		of[i] = linnet.MarkerTimeline(name)
	}
	all, err := a.svc.Reading.Markers(r.Context(), r.Viewer(), of)
	if err != nil {
		return nil, err
	}
	return wire.MarkersOf(all), nil
}

func (a *API) saveMarkers(r *request.Request) (any, error) {
	read := map[linnet.MarkerTimeline]linnet.ID{}
	for _, name := range [...]linnet.MarkerTimeline{linnet.MarkerHome, linnet.MarkerNotifications} {
		in := r.In.Object(string(name))
		if !in.Has("last_read_id") {
			continue
		}
		id, ok := in.ID("last_read_id")
		if !ok || id == 0 {
			in.Fault("last_read_id", "must be an id")
		}
		if name == linnet.MarkerNotifications {
			id = linnet.NotificationID(id, r.Viewer())
		}
		read[name] = id
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	saved, err := a.svc.Reading.SaveMarkers(r.Context(), r.Viewer(), read)
	if linnet.KindOf(err) == linnet.Conflict {
		return nil, &request.Problem{Code: http.StatusConflict, Body: request.ErrorBody{Error: err.Error()}}
	}
	if err != nil {
		return nil, err
	}
	return wire.MarkersOf(saved), nil
}

func (a *API) unreadNotifications(r *request.Request) (any, error) {
	f, ok := notificationFilter(r.In)
	limit := r.In.Limit()
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return wire.UnreadCount{}, nil
	}
	n, err := a.svc.Notify.UnreadNotifications(r.Context(), r.Viewer(), f, limit)
	if err != nil {
		return nil, err
	}
	return wire.UnreadCount{Count: n}, nil
}
