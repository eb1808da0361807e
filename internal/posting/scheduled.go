package posting

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/wording"
)

// Scheduled manages scheduled statuses. It is safe for concurrent use.
type Scheduled struct {
	st    *store.Store
	tasks *task.Queue
	core  *core.Service
	posts *Service
}

// Create stores a status to be published at a time. It applies the checks of Post that are
// possible now. Publishing applies all of them. A repeated IdempotencyKey returns the result of the
// first attempt.
// https://docs.joinmastodon.org/methods/statuses/#create
func (s *Scheduled) Create(ctx context.Context, me linnet.ID, d linnet.Draft, at time.Time) (*linnet.Scheduled, error) {
	d = worded(d)
	doc := text.Parse(d.Text)
	at, err := s.time(at)
	if err = cmp.Or(CheckDraft(d, doc, s.core.StatusChars()), checkPoll(d.Poll), err); err != nil {
		return nil, err
	}
	sc, err := s.scheduleNew(ctx, me, d, doc, at)
	if err == nil || d.IdempotencyKey == "" {
		return sc, err
	}
	b := s.st.Batch() // as in Post
	id := b.Idempotent(me, scheduledBy(d.IdempotencyKey))
	rerr := core.StoreError(b.Run(store.Durable(ctx)))
	var was *linnet.Scheduled
	if rerr == nil {
		was, rerr = s.Get(store.Durable(ctx), me, *id)
		if linnet.KindOf(rerr) == linnet.NotFound {
			rerr = linnet.Errorf(linnet.Conflict, "A post with this Idempotency-Key was already scheduled, and has been published or deleted. Use another key to schedule it again.")
		}
	}
	if rerr == nil || errors.Is(err, statuses.ErrRepeated) {
		return was, rerr
	}
	return nil, err
}

// scheduledBy returns the hash of a client's key. Keys of posts have other hashes.
func scheduledBy(key string) string { return record.Hash("scheduled " + key) }

// scheduleNew schedules a checked draft. It returns statuses.ErrRepeated if another attempt with
// the same key was first.
func (s *Scheduled) scheduleNew(ctx context.Context, me linnet.ID, d linnet.Draft, doc text.Doc, at time.Time) (*linnet.Scheduled, error) {
	idem := ""
	if d.IdempotencyKey != "" {
		idem = scheduledBy(d.IdempotencyKey)
	}
	before, err := s.posts.prepare(ctx, me, d, doc)
	if err != nil {
		return nil, err
	}
	var media []linnet.Attachment
	media, before.from, err = s.posts.Drafts.attachments(ctx, me, d)
	if err != nil {
		return nil, err
	}
	// The author's current defaults apply. The group is decided when the status is published.
	st := compose(me, d, doc, prepared{author: before.author})
	st.Visibility = before.quoted.QuoteVisibility(st.Visibility)
	if err := quoteIn(compose(me, d, doc, before), &before); err != nil {
		return nil, err
	}
	d.Text, d.Warning, d.Sensitive, d.Visibility, d.Language, d.QuotePolicy, d.Media = st.Text, st.Warning, &st.Sensitive, &st.Visibility, st.Language, &st.QuotePolicy, nil
	d.From, d.Describe = linnet.DraftID{}, nil
	if before.parent != nil {
		d.InReplyTo = before.parent.ID
	}
	if before.quoted != nil {
		d.QuoteOf = before.quoted.ID
	}
	sc := &linnet.Scheduled{Owner: me, At: at, Draft: d, Group: before.members(), Media: media, Nonce: rand.Text()}
	err = s.st.Statuses.Scheduled.Add(ctx, sc, before.from, idem, func(others []record.ScheduleEntry) error { return room(at, others) })
	switch {
	case errors.Is(err, statuses.ErrRepeated):
		return nil, err
	case errors.Is(err, db.ErrDeleted):
		return nil, core.ErrNoUser
	case errors.Is(err, statuses.ErrDraft):
		return nil, ErrDraftChanged
	case errors.Is(err, statuses.ErrAttachment):
		return nil, linnet.FieldError("media_ids", "ERR_INVALID", "can't contain a picture that has since been changed or attached to another post. Upload the picture again")
	case err != nil:
		return nil, core.StoreError(err)
	}
	s.tasks.Left(ctx, me.Shard())
	return sc, nil
}

// Check returns the error that posting a draft would return, before another status is deleted for
// it. It doesn't check attachments and rate limits. at is the time of publication; nil for now.
func (s *Scheduled) Check(ctx context.Context, me linnet.ID, d linnet.Draft, at *time.Time) error {
	d = worded(d)
	doc := text.Parse(d.Text)
	err := cmp.Or(CheckDraft(d, doc, s.core.StatusChars()), checkPoll(d.Poll))
	if err == nil && at != nil {
		err = s.CheckTime(*at)
	}
	if err != nil {
		return err
	}
	before, err := s.posts.prepare(ctx, me, d, doc)
	if err != nil {
		return err
	}
	return quoteIn(compose(me, d, doc, before), &before)
}

// CheckTime returns an error if a status can't be scheduled for a time.
func (s *Scheduled) CheckTime(at time.Time) error {
	_, err := s.time(at)
	return err
}

// time is like CheckTime and truncates the time to milliseconds.
func (s *Scheduled) time(at time.Time) (time.Time, error) {
	at = time.UnixMilli(at.UnixMilli())
	if least := s.st.Now().Add(linnet.MinScheduleAhead); !at.After(least) {
		return at, linnet.FieldError("scheduled_at", "ERR_INVALID", "is %s. Choose a time after %s (%d minutes from now), or leave out the time to post now", stamp(at), stamp(least), int(linnet.MinScheduleAhead.Minutes()))
	}
	if at.After(linnet.LastSchedule()) {
		return at, linnet.FieldError("scheduled_at", "ERR_INVALID", "is %s. Choose a time before %s", stamp(at), stamp(linnet.LastSchedule()))
	}
	return at, nil
}

func stamp(t time.Time) wording.Message { return wording.Messagef("%s", t.UTC()) }

// waiting returns the entries with a time. The others are drafts.
func waiting(all []record.ScheduleEntry) []record.ScheduleEntry {
	return slices.DeleteFunc(slices.Clone(all), record.ScheduleEntry.IsDraft)
}

// room returns an error if another scheduled status would exceed the limits.
func room(at time.Time, others []record.ScheduleEntry) error {
	if others = waiting(others); len(others) >= linnet.MaxScheduled {
		return linnet.Errorf(linnet.Invalid, "Validation failed: You can schedule at most %d posts. Delete one, or wait until one is published", linnet.MaxScheduled)
	}
	day, n := at.UTC().Format(time.DateOnly), 0
	for _, e := range others {
		if time.UnixMilli(e.At).UTC().Format(time.DateOnly) == day {
			n++
		}
	}
	if n >= linnet.MaxScheduledADay {
		return linnet.FieldError("scheduled_at", "ERR_INVALID", "is on %s (UTC), but you can schedule at most %d posts per day. Choose another day", day, linnet.MaxScheduledADay)
	}
	return nil
}

// errNoScheduled is returned for missing scheduled statuses and for those of other users.
var errNoScheduled = linnet.Errorf(linnet.NotFound, "Record not found")

// Get returns a scheduled status of me.
// https://docs.joinmastodon.org/methods/scheduled_statuses/#get-one
func (s *Scheduled) Get(ctx context.Context, me, id linnet.ID) (*linnet.Scheduled, error) {
	all, err := s.st.Statuses.Scheduled.List(ctx, []linnet.ID{id})
	if err != nil {
		return nil, core.StoreError(err)
	}
	if all[0] == nil || all[0].Owner != me || all[0].IsDraft() {
		return nil, errNoScheduled
	}
	return all[0], nil
}

// Page returns a page of the scheduled statuses of me, by id.
// https://docs.joinmastodon.org/methods/scheduled_statuses/#get
func (s *Scheduled) Page(ctx context.Context, me linnet.ID, p linnet.Page) (out linnet.Slice[linnet.Scheduled], err error) {
	below, err1 := p.Max.ID()
	since, err2 := p.Since.ID()
	least, err3 := p.Min.ID()
	if err := cmp.Or(err1, err2, err3); err != nil {
		return out, err
	}
	entries, err := s.st.Statuses.Scheduled.Entries(ctx, me)
	if err != nil {
		return out, core.StoreError(err)
	}
	var ids []linnet.ID
	for _, e := range slices.Backward(waiting(entries)) {
		if id := linnet.ID(e.ID); (p.Max == "" || id < below) && id > max(since, least) {
			ids = append(ids, id)
		}
	}
	if out.Items, err = readScheduled(ctx, s.st, linnet.CutPage(ids, p)); err != nil || len(out.Items) == 0 {
		return out, err
	}
	out.First, out.Last = linnet.CursorOf(out.Items[0].ID), linnet.CursorOf(out.Items[len(out.Items)-1].ID)
	return out, nil
}

// Soonest returns the scheduled statuses of me, next due first: at most limit, starting at
// index from. of is their total number.
func (s *Scheduled) Soonest(ctx context.Context, me linnet.ID, from, limit int) (out []linnet.Scheduled, of int, err error) {
	entries, err := s.st.Statuses.Scheduled.Entries(ctx, me)
	if err != nil {
		return nil, 0, core.StoreError(err)
	}
	entries = waiting(entries)
	slices.SortStableFunc(entries, func(a, b record.ScheduleEntry) int { return cmp.Compare(a.At, b.At) })
	var ids []linnet.ID
	for i := max(from, 0); i < len(entries) && len(ids) < limit; i++ {
		ids = append(ids, linnet.ID(entries[i].ID))
	}
	out, err = readScheduled(ctx, s.st, ids)
	return out, len(entries), err
}

// readScheduled reads scheduled statuses or drafts, without deleted ones.
func readScheduled(ctx context.Context, st *store.Store, ids []linnet.ID) ([]linnet.Scheduled, error) {
	all, err := st.Statuses.Scheduled.List(ctx, ids)
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.Scheduled, 0, len(all))
	for _, sc := range all {
		if sc != nil {
			out = append(out, *sc)
		}
	}
	return out, nil
}

// Reschedule changes the time of publication. A failed status is tried again at that time.
// https://docs.joinmastodon.org/methods/scheduled_statuses/#update
func (s *Scheduled) Reschedule(ctx context.Context, me, id linnet.ID, at time.Time) (*linnet.Scheduled, error) {
	if _, err := s.Get(ctx, me, id); err != nil {
		return nil, err
	}
	at, err := s.time(at)
	if err != nil {
		return nil, err
	}
	sc, err := s.st.Statuses.Scheduled.Reschedule(ctx, me, id, at, func(others []record.ScheduleEntry) error { return room(at, others) })
	if err != nil {
		return nil, core.StoreError(err)
	}
	if sc == nil {
		return nil, errNoScheduled
	}
	s.tasks.Left(ctx, me.Shard())
	return sc, nil
}

// Cancel deletes a scheduled status. Its attachments can be attached to another status for
// linnet.DetachedLife.
// https://docs.joinmastodon.org/methods/scheduled_statuses/#cancel
func (s *Scheduled) Cancel(ctx context.Context, me, id linnet.ID) error {
	if _, err := core.RetryDurable(ctx, func(ctx context.Context) (*linnet.Scheduled, error) { return s.Get(ctx, me, id) }); err != nil {
		return err
	}
	was, err := s.st.Statuses.Scheduled.Remove(ctx, me, id)
	if err == nil && was == nil {
		err = errNoScheduled // published or deleted by a concurrent request
	}
	return core.StoreError(err)
}

// publish publishes a due status. Its transaction also deletes the scheduled status, so publish can
// run more than once.
func (s *Scheduled) publish(ctx context.Context, a statuses.Due) (*statuses.Due, error) {
	if s.st.Now().UnixMilli() < a.At { // the clock of another server was ahead
		return nil, errEarly
	}
	ctx = store.Durable(ctx)
	for range db.MaxRaces {
		all, err := s.st.Statuses.Scheduled.List(ctx, []linnet.ID{a.ID})
		if err != nil || all[0] == nil || all[0].At.UnixMilli() != a.At || all[0].Failed != "" {
			return nil, err
		}
		err = s.post(ctx, all[0])
		if errors.Is(err, db.ErrRace) {
			continue
		}
		if why := refusal(err); why != "" {
			err = s.st.Statuses.Scheduled.Fail(ctx, all[0], why)
		}
		return nil, err
	}
	return nil, db.TooManyRaces("scheduled status", a.ID)
}

// post publishes a scheduled status with the current rules.
func (s *Scheduled) post(ctx context.Context, sc *linnet.Scheduled) error {
	d := sc.Draft
	d.IdempotencyKey = ""
	doc := text.Parse(d.Text)
	before, err := s.posts.prepare(ctx, sc.Owner, d, doc)
	if err != nil {
		return err
	}
	if u := before.author; u.Hidden() || u.Disabled {
		return linnet.Errorf(linnet.Forbidden, "Your account wasn't allowed to post at that time.")
	}
	if sc.Group != 0 && before.members() != sc.Group { // the status must not reach another audience
		return errLeft()
	}
	undo, err := s.posts.newcomers.admit(ctx, sc.Owner, before.saying(doc), before)
	if err != nil {
		return err
	}
	st := compose(sc.Owner, d, doc, before)
	st.Media, st.Poll, before.from = sc.Media, newPoll(d.Poll, s.st.Now()), sc
	if err := quoteIn(st, &before); err != nil {
		undo()
		return err
	}
	t, err := s.posts.create(ctx, st, before)
	if err != nil && !store.Unknown(err) {
		undo()
	}
	switch {
	case errors.Is(err, db.ErrDeleted):
		return core.ErrNoUser
	case errors.Is(err, db.ErrCondition):
		return errLeft()
	case err != nil:
		return err
	}
	if st.Poll != nil {
		s.tasks.Left(ctx, st.ID.Shard())
	}
	s.tasks.Run(ctx, t)
	return nil
}

// refusal returns the reason why a status can't be published, for its author. It is "" for other
// errors, after which publication is retried.
func refusal(err error) string {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return ""
	}
	switch e.Kind {
	case linnet.Internal, linnet.Unavailable, linnet.Full:
		return ""
	}
	if len(e.Fields) == 1 {
		switch f := e.Fields[0]; f.Name {
		case "in_reply_to_id":
			return wording.Store("The post you're replying to was deleted, or you can no longer see it.")
		case "quoted_status_id":
			if e.Kind == linnet.NotFound {
				return wording.Store("The quoted post was deleted, or you can no longer see it.")
			}
			return wording.Store("The quoted post %s.", storedField(f))
		case "text":
			return wording.Store("The text %s.", storedField(f))
		}
	}
	return StoredMessage(e)
}

// StoredMessage returns the message of an error in the stored form, so that it can be shown in any
// language later.
func StoredMessage(e *linnet.Error) string {
	switch {
	case e.Wording.Format != "":
		return wording.Store(strings.TrimPrefix(e.Wording.Format, "Validation failed: "), e.Wording.Args...)
	case len(e.Fields) == 1 && e.Fields[0].Wording.Format != "":
		return wording.Store("%s %s", e.Fields[0].Name, storedField(e.Fields[0]))
	}
	return strings.TrimPrefix(e.Msg, "Validation failed: ")
}

func storedField(f linnet.Field) wording.Message {
	if f.Wording.Format == "" {
		return wording.Message(f.Msg)
	}
	return wording.Messagef(f.Wording.Format, f.Wording.Args...)
}
