package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

func (a *API) getStatus(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.Status(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.me(), View: &v}, nil
}

func (a *API) getStatuses(r *request) (any, error) {
	ids := r.in.ids("id", linnet.MaxIDsInQuery)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.View.Statuses(r.Context(), r.me(), ids)
	if err != nil {
		return nil, err
	}
	return wire.StatusList{Viewer: r.me(), Views: vs}, nil
}

func (a *API) postStatus(r *request) (any, error) {
	d, err := draft(r)
	if err != nil {
		return nil, err
	}
	if at, err := scheduledAt(r.in); err != nil || at != nil {
		return a.scheduleStatus(r, d, at, err)
	}
	v, err := a.svc.Posting.Post(r.Context(), r.me(), d)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.me(), View: &v}, nil
}

// draft reads the parameters of a new status.
func draft(r *request) (linnet.Draft, error) {
	in := r.in
	d := linnet.Draft{
		Text: in.text("status"), Warning: in.text("spoiler_text"),
		Sensitive: in.optFlag("sensitive"), Visibility: visibility(in, "visibility"),
		Language: in.text("language"), Poll: pollDraft(in), App: r.who.Client, AppID: r.who.App,
		IdempotencyKey: r.Header.Get("Idempotency-Key"),
	}
	d.Media = in.ids("media_ids", linnet.MaxAttachments)
	d.QuotePolicy = quotePolicy(in, "quote_approval_policy")
	parent, ok := in.id("in_reply_to_id")
	quoted, exists := quotedID(in)
	if err := in.err(); err != nil {
		return d, err
	}
	if !ok || !exists {
		return d, errNotFound()
	}
	d.InReplyTo, d.QuoteOf = parent, quoted
	return d, nil
}

func (a *API) deleteStatus(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	at := r.in.flag("delete_media")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	remove := a.svc.Posting.DeleteToRedraft
	if at {
		remove = a.svc.Posting.DeleteStatus
	}
	v, err := remove(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	out := a.enc.Status(&v, r.me())
	out.Text = &v.Text // for "delete and redraft"
	return out, nil
}

func (a *API) getContext(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	t, err := a.svc.Reading.Thread(r.Context(), r.me(), id, linnet.ThreadQuery{})
	if err != nil {
		return nil, err
	}
	return wire.Context{Ancestors: wire.StatusList{Viewer: r.me(), Views: t.Ancestors}, Descendants: wire.StatusList{Viewer: r.me(), Views: t.Descendants}}, nil
}

// statusAct makes a handler of an act on one status that answers with it.
func statusAct(act func(*API, *request, linnet.ID) (linnet.StatusView, error)) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		v, err := act(a, r, id)
		if err != nil {
			return nil, err
		}
		return wire.OneStatus{Viewer: r.me(), View: &v}, nil
	}
}

func (a *API) favourite(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Favourite(r.Context(), r.me(), id)
}

func (a *API) unfavourite(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Unfavourite(r.Context(), r.me(), id)
}

func (a *API) bookmark(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Bookmark(r.Context(), r.me(), id)
}

func (a *API) unbookmark(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Unbookmark(r.Context(), r.me(), id)
}

func (a *API) reblog(r *request, id linnet.ID) (linnet.StatusView, error) {
	v := visibility(r.in, "visibility")
	if err := r.in.err(); err != nil {
		return linnet.StatusView{}, err
	}
	return a.svc.Posting.Repost(r.Context(), r.me(), id, v)
}

func (a *API) unreblog(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Unrepost(r.Context(), r.me(), id)
}

// people makes a handler of a list of people that belongs to a status or an
// account.
func people(list func(*API, *request, linnet.ID, linnet.Page) (linnet.Slice[linnet.UserView], error)) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		p := accountPage(r.in)
		if err := r.in.err(); err != nil {
			return nil, err
		}
		s, err := list(a, r, id, p)
		if err != nil {
			return nil, err
		}
		return paged(r, s, a.enc.Account), nil
	}
}

func (a *API) favouritedBy(r *request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.Posting.FavouritedBy(r.Context(), r.me(), id, p)
}

func (a *API) rebloggedBy(r *request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.Posting.RepostedBy(r.Context(), r.me(), id, p)
}
