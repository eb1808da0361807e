package mastodon

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/reading"
)

// markerHandler handles the positions up to which timelines are read.
// https://docs.joinmastodon.org/methods/markers/
type markerHandler struct {
	reading *reading.Service
}

func (h *markerHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/markers", request.User("read:statuses"), h.get),
		request.Handle("POST /api/v1/markers", request.User("write:statuses"), h.save),
	}
}

func (h *markerHandler) get(r *request.Request) (any, error) {
	names := r.In.Strings("timeline")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	of := make([]linnet.MarkerTimeline, len(names))
	for i, name := range names {
		of[i] = linnet.MarkerTimeline(name)
	}
	all, err := h.reading.Markers(r.Context(), r.Viewer(), of)
	if err != nil {
		return nil, err
	}
	return wire.MarkersOf(all), nil
}

func (h *markerHandler) save(r *request.Request) (any, error) {
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
	saved, err := h.reading.SaveMarkers(r.Context(), r.Viewer(), read)
	if linnet.KindOf(err) == linnet.Conflict {
		return nil, &request.Problem{Code: http.StatusConflict, Body: request.ErrorBody{Error: err.Error()}}
	}
	if err != nil {
		return nil, err
	}
	return wire.MarkersOf(saved), nil
}
