package instance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrFormat is returned if a store has an unsupported format.
type ErrFormat struct{ Found int }

func (e ErrFormat) Error() string {
	return fmt.Sprintf("the store has format %d, this version reads formats up to %d: use the version of linnet that wrote the store, or a newer one", e.Found, record.Format)
}

// ErrRestoring is returned if a restore into the store is incomplete.
var ErrRestoring = errors.New("the restore of a backup into this store is incomplete: wait if it is still running; if it was interrupted, run the same linnet restore command again")

// CheckFormat writes the format version into an empty store, and raises an earlier one. It returns
// the errors of ReadFormat.
func (s *Store) CheckFormat(ctx context.Context) error {
	is, format, err := s.readFormat(ctx)
	switch {
	case err != nil:
		return err
	case format > 0:
		if format == record.Format {
			return nil
		}
		// Earlier releases must refuse the store, because this one may write to it from now on.
		raised, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: is.Key, Version: is.Version}},
			kv.Put{Key: is.Key, Data: record.Encode(record.FormatRecord{Format: record.Format}), Version: is.Version + 1})
		switch {
		case errors.Is(err, kv.ErrFull):
			return nil // a full store can still be served
		case err != nil:
			return fmt.Errorf("write the format version: %w", err)
		case !raised: // another server was faster, maybe a newer version
			return s.CheckFormat(ctx)
		}
		return nil
	}
	made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(is.Key), kv.Absent(record.RestoringKey()), kv.Absent(record.FillingKey())},
		kv.Put{Key: is.Key, Data: record.Encode(record.FormatRecord{Format: record.Format}), Version: 1},
		kv.Put{Key: record.GroupsMarkKey(), Data: record.Encode(record.GroupsMark{Listed: true}), Version: 2}, kv.Put{Key: record.RecheckedMarkKey(), Data: record.Encode(struct{}{}), Version: 1})
	if err == nil && !made { // another process was faster
		return s.CheckFormat(ctx)
	}
	return err
}

// ReadFormat returns the format version of the store, or 0 if it has none. It returns ErrFormat if
// this program doesn't support the version. It returns ErrRestoring or ErrFilling if the store is
// incomplete. It returns ErrMoved if the store was replaced by another one, and kv.ErrMoving during
// the move.
func (s *Store) ReadFormat(ctx context.Context) (int, error) {
	_, format, err := s.readFormat(ctx)
	return format, err
}

func (s *Store) readFormat(ctx context.Context) (is *kv.Get, format int, err error) {
	is = &kv.Get{Key: record.MetaKey("format")}
	restoring, filling, fence := &kv.Get{Key: record.RestoringKey()}, &kv.Get{Key: record.FillingKey()}, &kv.Get{Key: record.FenceKey()}
	if err := s.db.Read(ctx, is, restoring, filling, fence); err != nil {
		return nil, 0, fmt.Errorf("read the format version: %w", err)
	}
	if restoring.Version > 0 {
		return nil, 0, ErrRestoring
	}
	if filling.Version > 0 {
		var r record.Filling
		return nil, 0, errors.Join(record.Decode(filling, &r), ErrFilling{r.From})
	}
	if rule := Writable(fence); rule.Err != nil {
		return nil, 0, rule.Err
	}
	if is.Version == 0 {
		return is, 0, nil
	}
	var r record.FormatRecord
	if err := record.Decode(is, &r); err != nil {
		return nil, 0, err
	}
	if r.Format > record.Format || r.Format < 1 {
		return nil, 0, ErrFormat{r.Format}
	}
	return is, r.Format, nil
}

// LastBackup reads the last successful backup of the store; ok is false if there is none.
func (s *Store) LastBackup(ctx context.Context) (last record.LastBackup, ok bool, err error) {
	get := &kv.Get{Key: record.LastBackupKey()}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return last, false, err
	}
	err = record.Decode(get, &last)
	return last, err == nil, err
}

// Backups reads the state of backups: the running one, if running is true, and the results of
// earlier ones.
func (s *Store) Backups(ctx context.Context) (now record.BackupRunning, running bool, results record.BackupResults, err error) {
	get, past := &kv.Get{Key: record.BackupRunningKey()}, &kv.Get{Key: record.BackupResultsKey()}
	if err := s.db.Read(ctx, get, past); err != nil {
		return now, false, results, err
	}
	if running = get.Version > 0; running {
		err = record.Decode(get, &now)
	}
	if past.Version > 0 {
		err = errors.Join(err, record.Decode(past, &results))
	}
	return now, running, results, err
}

// Get reads the description of the instance. ok is false if there is none yet.
func (s *Store) Get(ctx context.Context) (in linnet.Instance, ok bool, err error) {
	get := &kv.Get{Key: record.MetaKey("instance")}
	if err := s.db.Read(ctx, get); err != nil {
		return in, false, err
	}
	return decodeInstance(get)
}

// Marks has the versions of the data that every server caches in memory.
type Marks struct {
	Emojis        uint64 // the version of the set of custom emoji
	Announcements uint64 // version of the announcements
	Roles         uint64 // version of the custom roles
	TagRules      uint64 // version of the rules of restricted tags
}

// Looked reads the description of the instance, like Get, and the marks.
func (s *Store) Looked(ctx context.Context) (in linnet.Instance, m Marks, err error) {
	get, emojis, announcements := &kv.Get{Key: record.MetaKey("instance")}, &kv.Get{Key: record.EmojisMarkKey()}, &kv.Get{Key: record.AnnouncementsMarkKey()}
	roles, tags := &kv.Get{Key: record.RolesKey()}, &kv.Get{Key: record.TagRulesKey()}
	if err := s.db.Read(ctx, get, emojis, announcements, roles, tags); err != nil {
		return in, m, err
	}
	in, _, err = decodeInstance(get)
	return in, Marks{Emojis: emojis.Version, Announcements: announcements.Version, Roles: roles.Version, TagRules: tags.Version}, err
}

func decodeInstance(get *kv.Get) (in linnet.Instance, ok bool, err error) {
	in.NewDays, in.Trends = linnet.DefaultNewDays, true
	in.StatusChars, in.InviteUses, in.InviteDays = linnet.StatusChars, linnet.MemberInviteUses, linnet.MemberInviteDays
	if get.Version == 0 {
		return in, false, nil
	}
	var r record.Instance
	if err := record.Decode(get, &r); err != nil {
		return in, false, err
	}
	if r.Registrations == "" {
		r.Registrations = linnet.RegisterClosed
		if r.Open {
			r.Registrations = linnet.RegisterOpen
		}
	}
	in = linnet.Instance{Title: r.Title, Description: r.Description, Contact: r.Contact,
		ContactUser: linnet.ID(r.ContactUser), Rules: r.Rules, Registrations: r.Registrations, Private: r.Private,
		Version: get.Version, NewDays: in.NewDays, Trends: !r.NoTrends, Cards: r.Cards, EmailRequired: r.EmailRequired, StaffSecured: r.StaffSecured, Invites: r.Invites, Privacy: r.Privacy, PrivacyAt: r.PrivacyAt, Terms: r.Terms,
		Accent: linnet.Accent{Light: r.AccentLight, Dark: r.AccentDark}, Style: r.Style, StatusChars: cmp.Or(r.StatusChars, in.StatusChars),
		InviteUses: cmp.Or(r.InviteUses, in.InviteUses), InviteDays: cmp.Or(r.InviteDays, in.InviteDays),
		Icon: linnet.Picture(r.Icon), Thumbnail: linnet.Picture(r.Thumbnail), ThumbnailAlt: r.ThumbnailAlt}
	for _, q := range r.Questions {
		in.Questions = append(in.Questions, linnet.SignUpQuestion(q))
	}
	if r.NewDays != nil {
		in.NewDays = *r.NewDays
	}
	return in, true, nil
}

// Set replaces the description and applies other operations of its shard. It returns false if the
// record has changed since in was read.
func (s *Store) Set(ctx context.Context, in linnet.Instance, also ...kv.Op) (bool, error) {
	var questions []record.SignUpQuestion
	for _, q := range in.Questions {
		questions = append(questions, record.SignUpQuestion(q))
	}
	return s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.MetaKey("instance"), Version: in.Version}},
		append(also, kv.Put{Key: record.MetaKey("instance"), Version: in.Version + 1, Data: record.Encode(record.Instance{Title: in.Title, Description: in.Description,
			Contact: in.Contact, ContactUser: record.JID(in.ContactUser), Rules: in.Rules, Private: in.Private, NoTrends: !in.Trends, Cards: in.Cards,
			Open: in.Registrations == linnet.RegisterOpen, Registrations: in.Registrations, EmailRequired: in.EmailRequired, StaffSecured: in.StaffSecured, NewDays: &in.NewDays, Invites: in.Invites, Privacy: in.Privacy, PrivacyAt: in.PrivacyAt, Terms: in.Terms,
			AccentLight: in.Accent.Light, AccentDark: in.Accent.Dark, Style: in.Style, StatusChars: in.StatusChars, InviteUses: in.InviteUses, InviteDays: in.InviteDays,
			Icon: record.Picture(in.Icon), Thumbnail: record.Picture(in.Thumbnail), ThumbnailAlt: in.ThumbnailAlt, Questions: questions})})...)
}

// Style reads the custom style sheet, "" if there is none.
func (s *Store) Style(ctx context.Context) (string, error) {
	get := &kv.Get{Key: record.StyleKey()}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return "", err
	}
	var r record.Style
	err := record.Decode(get, &r)
	return r.Text, err
}

// StyleOps returns the operations that write the style sheet together with the description, or
// delete it if text is empty.
func (s *Store) StyleOps(in linnet.Instance, text string) []kv.Op {
	if text == "" {
		return []kv.Op{kv.Delete{Key: record.StyleKey()}}
	}
	return []kv.Op{kv.Put{Key: record.StyleKey(), Version: in.Version + 1, Data: record.Encode(record.Style{Text: text})}}
}

// Totals has the size of the instance. People are the users except groups.
type Totals struct{ People, Groups, Statuses, ActiveMonth int64 }

// Totals adds up the counters of all shards, which is one read per shard. Callers should cache the
// result.
func (s *Store) Totals(ctx context.Context) (t Totals, err error) {
	names := []string{"users", record.GroupsCounter, "statuses", record.ActiveName(s.db.Now())}
	qs := make([]kv.Query, kv.Shards)
	for i := range qs {
		qs[i] = &kv.Counters{Key: record.ShardKey(record.KindStats, uint16(i)), Names: names}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return t, fmt.Errorf("read the totals of the instance: %w", err)
	}
	for _, q := range qs {
		v := q.(*kv.Counters).Values
		t.People, t.Groups, t.Statuses, t.ActiveMonth = t.People+v[0]-v[1], t.Groups+v[1], t.Statuses+v[2], t.ActiveMonth+v[3]
	}
	return t, nil
}

// Setup reads the state of the first set-up.
func (s *Store) Setup(ctx context.Context) (st record.Setup, err error) {
	get, admin := &kv.Get{Key: record.SetupKey()}, &kv.Get{Key: record.AdminKey()}
	if err := s.db.Read(ctx, get, admin); err != nil {
		return st, fmt.Errorf("read the setup link: %w", err)
	}
	if get.Version != 0 {
		var r record.SetupRecord
		if err := record.Decode(get, &r); err != nil {
			return st, err
		}
		st.Hash, st.Expires = r.Hash, time.UnixMilli(r.Expires)
	}
	if admin.Version != 0 {
		var r record.Admin
		if err := record.Decode(admin, &r); err != nil {
			return st, err
		}
		st.Admin = linnet.ID(r.User)
	}
	return st, nil
}

// PutSetup stores the hash of a new set-up token and revokes the previous one.
func (s *Store) PutSetup(ctx context.Context, hash string, expires time.Time) error {
	get := &kv.Get{Key: record.SetupKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return err
	}
	return s.db.Apply(ctx, kv.Put{Key: record.SetupKey(), Version: get.Version + 1,
		Data: record.Encode(record.SetupRecord{Hash: hash, Expires: expires.UnixMilli()})})
}

// setupHold is the time for which an attempt to set up blocks others.
const setupHold = time.Minute

// HoldSetup reserves a set-up token for one attempt. It returns false if another attempt is running
// or the token isn't valid.
func (s *Store) HoldSetup(ctx context.Context, hash string) (bool, error) {
	return s.changeSetup(ctx, hash, func(r *record.SetupRecord) bool {
		now := s.db.Now()
		free := r.Held < now.UnixMilli()
		r.Held = now.Add(setupHold).UnixMilli()
		return free
	})
}

// ReleaseSetup ends a failed attempt.
func (s *Store) ReleaseSetup(ctx context.Context, hash string) error {
	_, err := s.changeSetup(ctx, hash, func(r *record.SetupRecord) bool {
		r.Held = 0
		return true
	})
	return err
}

func (s *Store) changeSetup(ctx context.Context, hash string, f func(*record.SetupRecord) bool) (bool, error) {
	get := &kv.Get{Key: record.SetupKey()}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return false, err
	}
	var r record.SetupRecord
	if err := record.Decode(get, &r); err != nil {
		return false, err
	}
	if r.Hash != hash || !f(&r) {
		return false, nil
	}
	made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(record.AdminKey()), kv.VersionIs{Key: record.SetupKey(), Version: get.Version}},
		kv.Put{Key: record.SetupKey(), Version: get.Version + 1, Data: record.Encode(r)})
	return made, err
}

// ClaimAdmin makes user the first admin and invalidates the set-up token, if there is no admin yet.
// Only one of several attempts succeeds.
func (s *Store) ClaimAdmin(ctx context.Context, user linnet.ID) (bool, error) {
	for range db.MaxRaces {
		get, admin := &kv.Get{Key: record.SetupKey()}, &kv.Get{Key: record.AdminKey()}
		if err := s.db.Read(kv.Durable(ctx), get, admin); err != nil {
			return false, err
		}
		if admin.Version != 0 {
			var r record.Admin
			err := record.Decode(admin, &r)
			return linnet.ID(r.User) == user, err // perhaps by this call, with a lost response
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(record.AdminKey()), kv.VersionIs{Key: record.SetupKey(), Version: get.Version}},
			kv.Put{Key: record.AdminKey(), Version: 1, Data: record.Encode(record.Admin{User: record.JID(user)})},
			kv.Delete{Key: record.SetupKey()})
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return false, err
		}
		if made {
			return true, nil
		}
	}
	return false, db.TooManyRaces("administrator", user)
}
