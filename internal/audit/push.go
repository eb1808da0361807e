package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

func pushChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindPush:   checkPush,
		record.KindPushes: checkOfUser, // browser sessions expire, so members can be missing
		record.KindVAPID: func(x *auditing, key kv.Key) {
			get := &kv.Get{Key: key}
			x.ask(func() { read(x, get, &record.VAPID{}) }, get)
		},
	}
}

// push: it belongs to a session that is in force, and is found by its user's set.
func checkPush(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		p, err := record.DecodePush(get)
		if err != nil {
			x.found(RuleRecord, key, err.Error())
			return
		}
		user := p.User
		if user.Shard() != key.Shard || p.Endpoint == "" {
			x.found(RuleRecord, key, fmt.Sprintf("it belongs to user %v of another shard, or points to nothing", user))
			return
		}
		x.belongs(key, user)
		x.pushFound(key, user)
	}, get)
}

func (x *auditing) pushFound(key kv.Key, user linnet.ID) {
	listed := &kv.Scores{Key: record.PushesKey(user), Members: []string{key.ID}}
	token := &kv.Get{Key: record.HashKey(record.KindToken, key.Shard, key.ID)}
	again := &kv.Get{Key: key}
	x.ask(func() {
		switch {
		case again.Version == 0: // it has ended in the meantime
		case token.Version == 0:
			x.found(RuleOrphan, key, "its session has ended", record.UserAffair(user))
		case !listed.Found[0]:
			x.found(RuleOrphan, key, fmt.Sprintf("it is not in %v, so nothing is pushed to it", listed.Key))
		}
	}, listed, token, again)
}
