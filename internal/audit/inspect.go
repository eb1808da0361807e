package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// Inspection is a record in a form for people.
type Inspection struct {
	Key      string           `json:"key"`
	Shape    string           `json:"shape"`
	Holds    string           `json:"holds"`
	Version  uint64           `json:"version,omitempty"`  // version of a value
	Value    json.RawMessage  `json:"value,omitempty"`    // JSON value, with secrets masked
	Text     string           `json:"text,omitempty"`     // a value that isn't JSON
	Counters map[string]int64 `json:"counters,omitempty"` // known counters that aren't 0
	Members  []SetMember      `json:"members,omitempty"`  // members of a set, highest score first
	State    string           `json:"state,omitempty"`    // state of a feed: warm or filling
	Floor    string           `json:"floor,omitempty"`
	IDs      []string         `json:"ids,omitempty"`
	More     bool             `json:"more,omitempty"` // there are more members or ids
}

// SetMember is a member of a set with its score.
type SetMember struct {
	Score  int64  `json:"score"`
	Member string `json:"member"`
}

// ErrNoKind is returned for an unknown kind of key.
var ErrNoKind = errors.New("unknown kind of key")

// Inspect reads the record under a key, with at most limit members or ids. ok is false if there is
// none. now determines the months of counters.
func Inspect(ctx context.Context, db kv.Store, now time.Time, key kv.Key, limit int) (in Inspection, ok bool, err error) {
	docs := record.Keys()
	at := slices.IndexFunc(docs, func(d record.KeyDoc) bool { return d.Kind == key.Kind })
	if at < 0 {
		return in, false, fmt.Errorf("%q: %w", key.Kind, ErrNoKind)
	}
	if !docs[at].Secrets.Stated() {
		return in, false, fmt.Errorf("cannot hide secrets: no secret fields are defined for records of kind %q", key.Kind)
	}
	in = Inspection{Key: key.String(), Shape: docs[at].Shape, Holds: docs[at].Holds}
	switch in.Shape {
	case "value":
		ok, err = inspectValue(ctx, db, key, docs[at].Secrets.Fields, &in)
	case "counters":
		ok, err = inspectCounters(ctx, db, now, key, &in)
	case "set":
		ok, err = inspectSet(ctx, db, key, limit, &in)
	default:
		ok, err = inspectFeed(ctx, db, key, limit, &in)
	}
	if err != nil {
		err = fmt.Errorf("read %v: %w", key, err)
	}
	return in, ok, err
}

func inspectValue(ctx context.Context, db kv.Store, key kv.Key, secret []string, in *Inspection) (bool, error) {
	get := &kv.Get{Key: key}
	if err := db.Read(ctx, get); err != nil || get.Version == 0 {
		return false, err
	}
	in.Version = get.Version
	if !json.Valid(get.Data) && len(secret) == 0 {
		in.Text = string(get.Data)
		return true, nil
	}
	var err error
	in.Value, err = mask(get.Data, secret)
	return true, err
}

// mask replaces fields of a JSON object.
func mask(data []byte, fields []string) (json.RawMessage, error) {
	if len(fields) == 0 {
		return data, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("hide secrets: the record is not a JSON object: %w", err)
	}
	for _, f := range fields {
		if _, there := object[f]; there {
			object[f] = json.RawMessage(`"***"`)
		}
	}
	return json.Marshal(object)
}

// monthsShown is the number of months for which active users are shown.
const monthsShown = 13

func inspectCounters(ctx context.Context, db kv.Store, now time.Time, key kv.Key, in *Inspection) (bool, error) {
	q := &kv.Counters{Key: key}
	switch key.Kind {
	case record.KindCounts:
		q.Names = slices.Concat(record.UserCounts(), []string{record.ConversationsCounter, record.Blocks().OwnerCounter, record.MutesCounter, record.FollowedTagsCounter}, record.Endings())
	case record.KindTally:
		q.Names = record.StatusCounts()
	default:
		q.Names = []string{"users", record.GroupsCounter, "statuses"}
		now = now.UTC()
		for m := range monthsShown {
			q.Names = append(q.Names, record.ActiveName(now.AddDate(0, -m, 1-now.Day())))
		}
	}
	if err := db.Read(ctx, q); err != nil {
		return false, err
	}
	in.Counters = map[string]int64{}
	for i, v := range q.Values {
		if v != 0 {
			in.Counters[q.Names[i]] = v
		}
	}
	return len(in.Counters) > 0, nil
}

func inspectSet(ctx context.Context, db kv.Store, key kv.Key, limit int, in *Inspection) (bool, error) {
	var below *kv.Member
	for {
		r := &kv.Range{Key: key, Below: below, Desc: true, Limit: min(limit+1-len(in.Members), kv.MaxRange)}
		if err := db.Read(ctx, r); err != nil {
			return false, err
		}
		for _, m := range r.Members {
			in.Members = append(in.Members, SetMember{m.Score, m.Member})
			below = &m
		}
		switch {
		case len(in.Members) > limit:
			in.Members, in.More = in.Members[:limit], true
			return true, nil
		case len(r.Members) < r.Limit:
			return len(in.Members) > 0, nil
		}
	}
}

func inspectFeed(ctx context.Context, db kv.Store, key kv.Key, limit int, in *Inspection) (bool, error) {
	var below uint64
	for {
		f := &kv.Feed{Key: key, Below: below, Limit: min(limit+1-len(in.IDs), kv.MaxRange)}
		if err := db.Read(ctx, f); err != nil {
			return false, err
		}
		switch f.State {
		case kv.Cold:
			return false, nil
		case kv.Filling:
			in.State = "filling"
			return true, nil
		}
		in.State, in.Floor = "warm", strconv.FormatUint(f.Floor, 10)
		for _, id := range f.IDs {
			in.IDs = append(in.IDs, strconv.FormatUint(id, 10))
			below = id
		}
		switch {
		case len(in.IDs) > limit:
			in.IDs, in.More = in.IDs[:limit], true
			return true, nil
		case len(f.IDs) < f.Limit:
			return true, nil
		}
	}
}
