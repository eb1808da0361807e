package request

import (
	"context"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// pathID is the id in the path. What is no id names nothing.
func (r *Request) PathID() (linnet.ID, error) {
	id, ok := linnet.ParseID(r.PathValue("id"))
	if !ok {
		return 0, ErrNotFound()
	}
	return id, nil
}

func ErrNotFound() error { return linnet.Errorf(linnet.NotFound, "Record not found") }

// request is a call on its way through its handler.
type Request struct {
	*http.Request
	base     string         // public URL
	Token    string         // as sent, "" if there is none
	Session  linnet.Session // zero if no token was needed or sent
	In       *Input         // parameters of query and body
	response http.Header    // of the answer

	values [4]string // of headers, see setHeader
	filled int
}

// me is the user who asks, 0 if nobody is logged in.
func (r *Request) Viewer() linnet.ID { return r.Session.User }

// by is the user who asks, where staff alone may.
func (r *Request) Actor() linnet.Actor { return linnet.By(r.Viewer()) }

// setHeader sets a header of the answer. The name has to be spelt as net/http
// spells it.
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

// ofPath answers with what get gives for the id in the path, as show writes it.
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

// endPath answers that what the id in the path names is no more.
func DoByID(r *Request, end func(ctx context.Context, me, id linnet.ID) error) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, end(r.Context(), r.Viewer(), id)
}

// listID is the id of a list in the path: of one that somebody has made, or that
// stands for a group.
func (r *Request) ListID() (linnet.ID, error) {
	id, ok := linnet.ParseListID(r.PathValue("id"))
	if !ok {
		return 0, ErrNotFound()
	}
	return id, nil
}

// notificationID reads the notification in the path, named by its id or its number.
func (r *Request) NotificationID() (linnet.ID, error) {
	id, err := r.PathID()
	return linnet.NotificationID(id, r.Viewer()), err
}
