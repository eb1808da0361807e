package mastodon

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

func (a *API) getMarkers(r *request) (any, error) {
	names := r.in.texts("timeline")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	of := make([]linnet.MarkerTimeline, len(names))
	for i, name := range names {
		of[i] = linnet.MarkerTimeline(name)
	}
	all, err := a.svc.Reading.Markers(r.Context(), r.me(), of)
	if err != nil {
		return nil, err
	}
	return wire.MarkersOf(all), nil
}

func (a *API) saveMarkers(r *request) (any, error) {
	read := map[linnet.MarkerTimeline]linnet.ID{}
	for _, name := range [...]linnet.MarkerTimeline{linnet.MarkerHome, linnet.MarkerNotifications} {
		in := r.in.object(string(name))
		if !in.has("last_read_id") {
			continue
		}
		id, ok := in.id("last_read_id")
		if !ok || id == 0 {
			in.fault("last_read_id", "must be an id")
		}
		if name == linnet.MarkerNotifications {
			id = linnet.NotificationID(id, r.me())
		}
		read[name] = id
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	saved, err := a.svc.Reading.SaveMarkers(r.Context(), r.me(), read)
	if linnet.KindOf(err) == linnet.Conflict {
		return nil, &problem{code: http.StatusConflict, body: problemBody{Error: err.Error()}}
	}
	if err != nil {
		return nil, err
	}
	return wire.MarkersOf(saved), nil
}

func (a *API) unreadNotifications(r *request) (any, error) {
	f, ok := notificationFilter(r.in)
	limit := r.in.limit()
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if !ok {
		return wire.UnreadCount{}, nil
	}
	n, err := a.svc.Notify.UnreadNotifications(r.Context(), r.me(), f, limit)
	if err != nil {
		return nil, err
	}
	return wire.UnreadCount{Count: n}, nil
}
