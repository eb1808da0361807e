package kv

import (
	"fmt"
	"time"
)

// The limits of the port come from the strictest engine, or prevent long commands in Redis, which
// has one thread.
const (
	MaxKind    = 24        // bytes of a key's kind
	MaxKeyID   = 200       // bytes of a key's id
	MaxValue   = 256 << 10 // bytes of a value
	MaxMember  = 128       // bytes of a set's member
	MaxName    = 32        // bytes of a counter's name
	MaxScore   = 1<<53 - 1 // absolute value of a score
	MaxRange   = 1000      // members or ids in the answer to one query
	MaxConds   = 64        // conditions of a Txn
	MaxChanges = 1000      // changes of a Txn
	MaxApply   = 5000      // changes of an Apply; engines split it further
	MaxQueries = 20000     // queries of a Read; engines split it further
	MaxTTL     = 400 * 24 * time.Hour
	MaxPayload = 64 << 10 // bytes of a message on the Bus
	MaxToken   = 64       // bytes of a filling token

	// FeedTrimmed is the number of ids in a feed after it was cut, and FeedMax the maximum before.
	// Cutting 100 ids at a time is cheaper than one.
	FeedTrimmed = 1000
	FeedMax     = 1100
)

// CheckRead returns ErrRefused for queries that break a limit. Engines call it first.
func CheckRead(qs []Query) error {
	if len(qs) > MaxQueries {
		return fmt.Errorf("%w: %d queries in one read exceed the limit of %d", ErrRefused, len(qs), MaxQueries)
	}
	for _, q := range qs {
		if err := q.query().check(); err != nil {
			return err
		}
		switch q := q.(type) {
		case *Range:
			if q.Limit < 1 || q.Limit > MaxRange {
				return fmt.Errorf("%w: limit %d of a range is not between 1 and %d", ErrRefused, q.Limit, MaxRange)
			}
		case *Feed:
			if q.Limit < 1 || q.Limit > MaxRange {
				return fmt.Errorf("%w: limit %d of a feed page is not between 1 and %d", ErrRefused, q.Limit, MaxRange)
			}
		case *Scores:
			if len(q.Members) > MaxRange {
				return fmt.Errorf("%w: %d members in one query exceed the limit of %d", ErrRefused, len(q.Members), MaxRange)
			}
		case *AnyMember:
			if len(q.Keys) > Shards {
				return fmt.Errorf("%w: %d sets in one query exceed the limit of %d", ErrRefused, len(q.Keys), Shards)
			}
			for _, k := range q.Keys {
				if err := k.check(); err != nil {
					return err
				}
			}
		case *Counters:
			for _, n := range q.Names {
				if err := checkName(n); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// CheckTxn returns the shard of a transaction, or ErrRefused if it breaks a limit or spans shards.
// Engines call it first.
func CheckTxn(conds []Cond, changes []Op) (shard uint16, err error) {
	if len(conds) > MaxConds || len(changes) > MaxChanges {
		return 0, fmt.Errorf("%w: a transaction of %d conditions and %d changes exceeds the limits of %d and %d",
			ErrRefused, len(conds), len(changes), MaxConds, MaxChanges)
	}
	if len(changes) == 0 {
		return 0, fmt.Errorf("%w: the transaction has no changes", ErrRefused)
	}
	shard = changes[0].change().Shard
	for _, c := range conds {
		if err := checkCond(c); err != nil {
			return 0, err
		}
		if k := c.cond(); k.Shard != shard {
			return 0, fmt.Errorf("%w: condition on %v is not in the transaction's shard %d", ErrRefused, k, shard)
		}
	}
	for _, c := range changes {
		if err := checkOp(c); err != nil {
			return 0, err
		}
		if k := c.change(); k.Shard != shard {
			return 0, fmt.Errorf("%w: change of %v is not in the transaction's shard %d", ErrRefused, k, shard)
		}
	}
	return shard, nil
}

// CheckApply returns ErrRefused for changes that break a limit or cannot be repeated. Engines call
// it first.
func CheckApply(changes []Op) error {
	if len(changes) > MaxApply {
		return fmt.Errorf("%w: %d changes in one Apply call exceed the limit of %d", ErrRefused, len(changes), MaxApply)
	}
	var kind string // of the previous push, which has been checked
	for _, c := range changes {
		var err error
		switch c := c.(type) {
		case *Push: // the most frequent change; equal to checkOp
			if kind == "" || c.Key.Kind != kind {
				kind, err = c.Key.Kind, checkKind(c.Key.Kind)
			}
			if err == nil {
				err = c.Key.checkShard()
			}
			if err == nil {
				err = checkID(c.ID)
			}
		case Incr:
			err = fmt.Errorf("%w: the increment of %v cannot be repeated: use a transaction", ErrRefused, c.Key)
		default:
			err = checkOp(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// CheckMessage returns ErrRefused for a message that breaks a limit.
func CheckMessage(topic string, payload []byte) error {
	if topic == "" || len(topic) > MaxKeyID || len(payload) > MaxPayload {
		return fmt.Errorf("%w: invalid message of %d bytes on topic %q", ErrRefused, len(payload), topic)
	}
	return nil
}

// CheckTopics returns ErrRefused for a subscription without topics or with an invalid one.
func CheckTopics(topics []string) error {
	if len(topics) == 0 {
		return fmt.Errorf("%w: the subscription has no topics", ErrRefused)
	}
	for _, t := range topics {
		if err := CheckMessage(t, nil); err != nil {
			return err
		}
	}
	return nil
}

// CheckCount returns ErrRefused for a count whose key or lifetime breaks a limit.
func CheckCount(key string, ttl time.Duration) error {
	if key == "" || len(key) > MaxKeyID || ttl <= 0 || ttl > MaxTTL {
		return fmt.Errorf("%w: count with an invalid key (%q) or lifetime (%v)", ErrRefused, key, ttl)
	}
	return nil
}

func checkCond(c Cond) error {
	if err := c.cond().check(); err != nil {
		return err
	}
	switch c := c.(type) {
	case HasMember:
		return checkMember(c.Member, 0)
	case NoMember:
		return checkMember(c.Member, 0)
	case ScoreIs:
		return checkMember(c.Member, c.Score)
	case AllBelow:
		return checkScore(c.Score)
	case CounterBelow:
		return checkName(c.Name)
	}
	return nil
}

func checkOp(c Op) error {
	if err := c.change().check(); err != nil {
		return err
	}
	switch c := c.(type) {
	case Put:
		if len(c.Data) > MaxValue {
			return fmt.Errorf("%w: value of %d bytes under %v exceeds the limit of %d", ErrRefused, len(c.Data), c.Key, MaxValue)
		}
		if c.Version == 0 || c.TTL < 0 || c.TTL > MaxTTL {
			return fmt.Errorf("%w: invalid version %d or lifetime %v of %v", ErrRefused, c.Version, c.TTL, c.Key)
		}
	case Incr:
		if c.By > MaxScore || c.By < -MaxScore {
			return fmt.Errorf("%w: increment of %v by %d does not fit in 53 bits", ErrRefused, c.Key, c.By)
		}
		return checkName(c.Name)
	case Add:
		return checkMember(c.Member, c.Score)
	case Remove:
		return checkMember(c.Member, 0)
	case Trim:
		if c.Keep < 0 || c.Keep > 100_000 {
			return fmt.Errorf("%w: invalid trim of %v to %d", ErrRefused, c.Key, c.Keep)
		}
	case *Push:
		return checkID(c.ID)
	case Pull:
		return checkID(c.ID)
	case Merge:
		return checkIDs(c.IDs)
	case Fill:
		return checkFill(c.Token, c.TTL)
	case Filled:
		if err := checkFill(c.Token, 1); err != nil {
			return err
		}
		if c.Floor > 1<<63-1 {
			return fmt.Errorf("%w: floor %d of %v is above 2^63-1", ErrRefused, c.Floor, c.Key)
		}
		return checkIDs(c.IDs)
	}
	return nil
}

func checkFill(token string, ttl time.Duration) error {
	if token == "" || len(token) > MaxToken || ttl <= 0 || ttl > MaxTTL {
		return fmt.Errorf("%w: invalid fill with token %q and lifetime %v", ErrRefused, token, ttl)
	}
	for _, c := range []byte(token) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return fmt.Errorf("%w: fill token %q contains characters other than letters and digits", ErrRefused, token)
		}
	}
	return nil
}

func checkIDs(ids []uint64) error {
	if len(ids) > FeedMax {
		return fmt.Errorf("%w: %d IDs for one feed exceed the limit of %d", ErrRefused, len(ids), FeedMax)
	}
	for _, id := range ids {
		if err := checkID(id); err != nil {
			return err
		}
	}
	return nil
}

// checkID limits ids to the signed 64 bits in which Redis packs list entries.
func checkID(id uint64) error {
	if id == 0 || id > 1<<63-1 {
		return fmt.Errorf("%w: feed ID %d is not between 1 and 2^63-1", ErrRefused, id)
	}
	return nil
}

func checkMember(m string, score int64) error {
	if m == "" || len(m) > MaxMember {
		return fmt.Errorf("%w: member has %d bytes, but must have 1 to %d", ErrRefused, len(m), MaxMember)
	}
	if err := checkScore(score); err != nil {
		return fmt.Errorf("member %q: %w", m, err)
	}
	return nil
}

func checkScore(score int64) error {
	if score > MaxScore || score < -MaxScore {
		return fmt.Errorf("%w: score %d does not fit in 53 bits", ErrRefused, score)
	}
	return nil
}

func checkName(n string) error {
	if n == "" || len(n) > MaxName {
		return fmt.Errorf("%w: counter name has %d bytes, but must have 1 to %d", ErrRefused, len(n), MaxName)
	}
	return nil
}
