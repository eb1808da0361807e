package request

import (
	"context"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// PathID returns the id in the path, or NotFound for an invalid id.
func (r *Request) PathID() (linnet.ID, error) {
	id, ok := linnet.ParseID(r.PathValue("id"))
	if !ok {
		return 0, ErrNotFound()
	}
	return id, nil
}

// ErrNotFound returns the error for a missing or invisible object.
func ErrNotFound() error { return linnet.Errorf(linnet.NotFound, "Record not found") }

// Request is a decoded and authenticated request.
type Request struct {
	*http.Request
	base     string         // public URL
	Token    string         // as sent, "" if there is none
	Session  linnet.Session // zero if no token was needed or sent
	In       *Input         // parameters of query and body
	response http.Header    // of the answer

	values [4]string // of headers, see SetHeader
	filled int
}

// Viewer returns the user of the session, or 0 without a user.
func (r *Request) Viewer() linnet.ID { return r.Session.User }

// Actor returns the user as an actor, for methods of staff.
func (r *Request) Actor() linnet.Actor { return linnet.By(r.Viewer()) }

// SetHeader sets a header of the response. The name must have net/http's canonical form.
func (r *Request) SetHeader(name, value string) {
	i := r.filled
	if i == len(r.values) {
		r.response.Set(name, value)
		return
	}
	r.filled++
	r.values[i] = value
	r.response[name] = r.values[i : i+1 : i+1]
}

// ByID handles GET /…/{id}: it loads the object with get and encodes it with show.
func ByID[T, W any](r *Request, get func(ctx context.Context, me, id linnet.ID) (T, error), show func(*T) W) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := get(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return show(&v), nil
}

// DoByID handles a method that changes the object of /…/{id} and returns an empty response.
func DoByID(r *Request, end func(ctx context.Context, me, id linnet.ID) error) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, end(r.Context(), r.Viewer(), id)
}

// ListID returns the id of a list in the path. The list can belong to a user or to a group.
func (r *Request) ListID() (linnet.ID, error) {
	id, ok := linnet.ParseListID(r.PathValue("id"))
	if !ok {
		return 0, ErrNotFound()
	}
	return id, nil
}

// NotificationID returns the notification in the path, which is an id or a number.
func (r *Request) NotificationID() (linnet.ID, error) {
	id, err := r.PathID()
	return linnet.NotificationID(id, r.Viewer()), err
}
