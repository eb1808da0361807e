package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) getStatus(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.Status(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
}

func (a *API) getStatuses(r *request.Request) (any, error) {
	ids := r.In.IDs("id", linnet.MaxIDsInQuery)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.View.Statuses(r.Context(), r.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	return wire.StatusList{Viewer: r.Viewer(), Views: vs}, nil
}

func (a *API) postStatus(r *request.Request) (any, error) {
	d, err := draft(r)
	if err != nil {
		return nil, err
	}
	if at, err := scheduledAt(r.In); err != nil || at != nil {
		return a.scheduleStatus(r, d, at, err)
	}
	v, err := a.svc.Posting.Post(r.Context(), r.Viewer(), d)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
}

// draft reads the parameters of a new status.
func draft(r *request.Request) (linnet.Draft, error) {
	in := r.In
	d := linnet.Draft{
		Text: in.String("status"), Warning: in.String("spoiler_text"),
		Sensitive: in.OptFlag("sensitive"), Visibility: visibility(in, "visibility"),
		Language: in.String("language"), Poll: pollDraft(in), App: r.Session.Client, AppID: r.Session.App,
		IdempotencyKey: r.Header.Get("Idempotency-Key"),
	}
	d.Media = in.IDs("media_ids", linnet.MaxAttachments)
	d.QuotePolicy = quotePolicy(in, "quote_approval_policy")
	parent, ok := in.ID("in_reply_to_id")
	quoted, exists := quotedID(in)
	if err := in.Err(); err != nil {
		return d, err
	}
	if !ok || !exists {
		return d, request.ErrNotFound()
	}
	d.InReplyTo, d.QuoteOf = parent, quoted
	return d, nil
}

func (a *API) deleteStatus(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	at := r.In.Flag("delete_media")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	remove := a.svc.Posting.DeleteToRedraft
	if at {
		remove = a.svc.Posting.DeleteStatus
	}
	v, err := remove(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	out := a.enc.Status(&v, r.Viewer())
	out.Text = &v.Text // for "delete and redraft"
	return out, nil
}

func (a *API) getContext(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	t, err := a.svc.Reading.Thread(r.Context(), r.Viewer(), id, linnet.ThreadQuery{})
	if err != nil {
		return nil, err
	}
	return wire.Context{Ancestors: wire.StatusList{Viewer: r.Viewer(), Views: t.Ancestors}, Descendants: wire.StatusList{Viewer: r.Viewer(), Views: t.Descendants}}, nil
}

// statusAct makes a handler of an act on one status that answers with it.
func (a *API) statusAct(act func(*request.Request, linnet.ID) (linnet.StatusView, error)) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		v, err := act(r, id)
		if err != nil {
			return nil, err
		}
		return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
	}
}

func (a *API) favourite(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Favourite(r.Context(), r.Viewer(), id)
}

func (a *API) unfavourite(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Unfavourite(r.Context(), r.Viewer(), id)
}

func (a *API) bookmark(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Bookmark(r.Context(), r.Viewer(), id)
}

func (a *API) unbookmark(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Unbookmark(r.Context(), r.Viewer(), id)
}

func (a *API) reblog(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	v := visibility(r.In, "visibility")
	if err := r.In.Err(); err != nil {
		return linnet.StatusView{}, err
	}
	return a.svc.Posting.Repost(r.Context(), r.Viewer(), id, v)
}

func (a *API) unreblog(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Unrepost(r.Context(), r.Viewer(), id)
}

// people makes a handler of a list of people that belongs to a status or an
// account.
func (a *API) people(list func(*request.Request, linnet.ID, linnet.Page) (linnet.Slice[linnet.UserView], error)) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		p := request.AccountPage(r.In)
		if err := r.In.Err(); err != nil {
			return nil, err
		}
		s, err := list(r, id, p)
		if err != nil {
			return nil, err
		}
		return request.Paged(r, s, a.enc.Account), nil
	}
}

func (a *API) favouritedBy(r *request.Request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.Posting.FavouritedBy(r.Context(), r.Viewer(), id, p)
}

func (a *API) rebloggedBy(r *request.Request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.Posting.RepostedBy(r.Context(), r.Viewer(), id, p)
}
