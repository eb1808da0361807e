package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Format is the version of the records and keys that this program reads and
// writes. It rises when an older program could not read them.
const Format = 1

type formatRecord struct {
	Format int `json:"format"`
}

// ErrFormat tells that a store was written in another format.
type ErrFormat struct{ Found int }

func (e ErrFormat) Error() string {
	return fmt.Sprintf("the store has format %d, this program reads format %d: use the version of linnet that wrote it, or a newer one", e.Found, Format)
}

// CheckFormat writes the format version into an empty store, and otherwise
// checks that it is ours (ErrFormat).
func (s *Store) CheckFormat(ctx context.Context) error {
	get := &kv.Get{Key: metaKey("format")}
	if err := s.kv.Read(ctx, get); err != nil {
		return fmt.Errorf("read format version: %w", err)
	}
	if get.Version == 0 {
		_, err := s.kv.Txn(ctx, []kv.Cond{kv.Absent(get.Key)},
			kv.Put{Key: get.Key, Data: encode(formatRecord{Format}), Version: 1},
			kv.Put{Key: groupsMark(), Data: encode(groupsMarkRecord{Listed: true}), Version: 2})
		return err
	}
	var r formatRecord
	if err := decode(get, &r); err != nil {
		return err
	}
	if r.Format != Format {
		return ErrFormat{r.Format}
	}
	return nil
}

type instanceRecord struct {
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Contact     string   `json:"contact,omitempty"`
	ContactUser JID      `json:"contact_user,omitempty"`
	Rules       []string `json:"rules,omitempty"`
	Open        bool     `json:"open"` // what programs knew before there was Registrations
	Private     bool     `json:"private,omitempty"`
	NoTrends    bool     `json:"no_trends,omitempty"`

	Registrations linnet.Registrations `json:"registrations,omitempty"`
	NewDays       *int                 `json:"new_days,omitempty"` // nil: linnet.DefaultNewDays
	Invites       int                  `json:"invites,omitempty"`
	Privacy       string               `json:"privacy,omitempty"`
	PrivacyAt     time.Time            `json:"privacy_at,omitzero"`
}

// Instance reads the description of the installation; ok is false if none was
// ever written.
func (s *Store) Instance(ctx context.Context) (in linnet.Instance, ok bool, err error) {
	in.NewDays, in.Trends = linnet.DefaultNewDays, true
	get := &kv.Get{Key: metaKey("instance")}
	if err := s.kv.Read(ctx, get); err != nil || get.Version == 0 {
		return in, false, err
	}
	var r instanceRecord
	if err := decode(get, &r); err != nil {
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
		Version: get.Version, NewDays: in.NewDays, Trends: !r.NoTrends, Invites: r.Invites, Privacy: r.Privacy, PrivacyAt: r.PrivacyAt}
	if r.NewDays != nil {
		in.NewDays = *r.NewDays
	}
	return in, true, nil
}

// SetInstance replaces the description if it is still of the version that in
// was read as. It reports whether it was.
func (s *Store) SetInstance(ctx context.Context, in linnet.Instance) (bool, error) {
	failed, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: metaKey("instance"), Version: in.Version}},
		kv.Put{Key: metaKey("instance"), Version: in.Version + 1, Data: encode(instanceRecord{Title: in.Title, Description: in.Description,
			Contact: in.Contact, ContactUser: JID(in.ContactUser), Rules: in.Rules, Private: in.Private, NoTrends: !in.Trends,
			Open: in.Registrations == linnet.RegisterOpen, Registrations: in.Registrations, NewDays: &in.NewDays, Invites: in.Invites, Privacy: in.Privacy, PrivacyAt: in.PrivacyAt})})
	return err == nil && failed < 0, err
}

// Totals are the size of the installation. People are users that are no groups.
type Totals struct{ People, Groups, Statuses, ActiveMonth int64 }

// Totals adds up the counters of all shards: a query for each, so callers keep
// the answer for a while.
func (s *Store) Totals(ctx context.Context) (t Totals, err error) {
	qs := make([]kv.Query, kv.Shards)
	for i := range qs {
		qs[i] = &kv.Counters{Key: shardKey(kStats, uint16(i)), Names: []string{"users", groupsCounter, "statuses", activeName(s.Now())}}
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return t, fmt.Errorf("read totals: %w", err)
	}
	for _, q := range qs {
		v := q.(*kv.Counters).Values
		t.People, t.Groups, t.Statuses, t.ActiveMonth = t.People+v[0]-v[1], t.Groups+v[1], t.Statuses+v[2], t.ActiveMonth+v[3]
	}
	return t, nil
}

func month(t time.Time) int64         { return int64(t.UTC().Year()*100) + int64(t.UTC().Month()) }
func activeName(t time.Time) string   { return "active." + strconv.FormatInt(month(t), 10) }
func activeKey(user linnet.ID) kv.Key { return shardKey(kActive, user.Shard()) }
func adminKey() kv.Key                { return metaKey("admin") }
func setupKey() kv.Key                { return shardKey(kSetup, 0) }
func ImportKey(name string) kv.Key    { return metaKey("import." + name) }

// MarkActive counts a user once a calendar month. It may be called often; it
// writes once.
func (s *Store) MarkActive(ctx context.Context, user linnet.ID) error {
	now := s.Now()
	q := &kv.Scores{Key: activeKey(user), Members: []string{user.String()}}
	if err := s.kv.Read(ctx, q); err != nil {
		return err
	}
	if q.Values[0] == month(now) {
		return nil
	}
	cond := kv.Cond(kv.NoMember{Key: q.Key, Member: user.String()})
	if q.Found[0] {
		cond = kv.ScoreIs{Key: q.Key, Member: user.String(), Score: q.Values[0]}
	}
	_, err := s.kv.Txn(ctx, []kv.Cond{cond}, kv.Add{Key: q.Key, Member: user.String(), Score: month(now)},
		kv.Incr{Key: shardKey(kStats, user.Shard()), Name: activeName(now), By: 1})
	return err
}

// Setup is the state of the first set-up.
type Setup struct {
	Hash    string    // of the token in force, "" if none was issued
	Expires time.Time // of that token
	Admin   linnet.ID // 0 while there is none
}

type setupRecord struct {
	Hash    string `json:"hash"`
	Expires int64  `json:"expires"`
	Held    int64  `json:"held,omitempty"` // until when an attempt is under way
}

type adminRecord struct {
	User JID `json:"user"`
}

// Setup reads the state of the first set-up.
func (s *Store) Setup(ctx context.Context) (st Setup, err error) {
	get, admin := &kv.Get{Key: setupKey()}, &kv.Get{Key: adminKey()}
	if err := s.kv.Read(ctx, get, admin); err != nil {
		return st, fmt.Errorf("read set-up: %w", err)
	}
	if get.Version != 0 {
		var r setupRecord
		if err := decode(get, &r); err != nil {
			return st, err
		}
		st.Hash, st.Expires = r.Hash, time.UnixMilli(r.Expires)
	}
	if admin.Version != 0 {
		var r adminRecord
		if err := decode(admin, &r); err != nil {
			return st, err
		}
		st.Admin = linnet.ID(r.User)
	}
	return st, nil
}

// PutSetup keeps the hash of a new set-up token; the one before is void.
func (s *Store) PutSetup(ctx context.Context, hash string, expires time.Time) error {
	get := &kv.Get{Key: setupKey()}
	if err := s.kv.Read(ctx, get); err != nil {
		return err
	}
	return s.kv.Apply(ctx, kv.Put{Key: setupKey(), Version: get.Version + 1,
		Data: encode(setupRecord{Hash: hash, Expires: expires.UnixMilli()})})
}

// setupHold is how long one attempt to set up keeps others off.
const setupHold = time.Minute

// HoldSetup keeps a set-up token for one attempt. It reports false if another
// attempt is under way or the token is not the one in force.
func (s *Store) HoldSetup(ctx context.Context, hash string) (bool, error) {
	return s.changeSetup(ctx, hash, func(r *setupRecord) bool {
		now := s.Now()
		free := r.Held < now.UnixMilli()
		r.Held = now.Add(setupHold).UnixMilli()
		return free
	})
}

// ReleaseSetup ends a failed attempt.
func (s *Store) ReleaseSetup(ctx context.Context, hash string) error {
	_, err := s.changeSetup(ctx, hash, func(r *setupRecord) bool {
		r.Held = 0
		return true
	})
	return err
}

func (s *Store) changeSetup(ctx context.Context, hash string, f func(*setupRecord) bool) (bool, error) {
	get := &kv.Get{Key: setupKey()}
	if err := s.kv.Read(ctx, get); err != nil || get.Version == 0 {
		return false, err
	}
	var r setupRecord
	if err := decode(get, &r); err != nil {
		return false, err
	}
	if r.Hash != hash || !f(&r) {
		return false, nil
	}
	failed, err := s.kv.Txn(ctx, []kv.Cond{kv.Absent(adminKey()), kv.VersionIs{Key: setupKey(), Version: get.Version}},
		kv.Put{Key: setupKey(), Version: get.Version + 1, Data: encode(r)})
	return err == nil && failed < 0, err
}

// ClaimAdmin makes user the first admin and the set-up token void, if there is no
// admin yet. Of many attempts one succeeds.
func (s *Store) ClaimAdmin(ctx context.Context, user linnet.ID) (bool, error) {
	for range maxRaces {
		get, admin := &kv.Get{Key: setupKey()}, &kv.Get{Key: adminKey()}
		if err := s.kv.Read(kv.Durable(ctx), get, admin); err != nil {
			return false, err
		}
		if admin.Version != 0 {
			var r adminRecord
			err := decode(admin, &r)
			return linnet.ID(r.User) == user, err // perhaps by this call, whose answer was lost
		}
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.Absent(adminKey()), kv.VersionIs{Key: setupKey(), Version: get.Version}},
			kv.Put{Key: adminKey(), Version: 1, Data: encode(adminRecord{JID(user)})},
			kv.Delete{Key: setupKey()})
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return false, err
		}
		if err == nil && failed < 0 {
			return true, nil
		}
	}
	return false, errRaces("administrator", user)
}
