package rediskv

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// script is a Lua script with the hash by which a server caches it.
type script struct {
	text     string
	sha      string
	readOnly bool
}

// scripts are all scripts of the engine.
type scripts struct {
	txn   script // conditions and changes of one shard
	tidy  script // feeds after pushes, several at a time
	renew script // the life of read feeds
	page  script // a page of a feed with bounds
	rng   script // a page of a set with a cursor among many equal scores
	count script // a meter
}

func newScripts(guarded bool) scripts {
	limits := strings.NewReplacer("$FEEDKEEP", strconv.Itoa(kv.FeedTrimmed), "$FEEDMAX", strconv.Itoa(kv.FeedMax),
		"$FEEDTAIL", strconv.Itoa(feedTail))
	writes := func(parts ...string) script { return newScript(limits.Replace(strings.Join(parts, "")), false) }
	reads := func(parts ...string) script { return newScript(limits.Replace(strings.Join(parts, "")), true) }
	before := ""
	if guarded {
		before = luaGuard
	}
	return scripts{
		txn:   writes(before, luaDecimal, luaLibrary, luaTxn),
		tidy:  writes(luaDecimal, luaSearch, luaTail, luaFeed, luaTidy),
		renew: writes(luaRenew),
		page:  reads(luaDecimal, luaSearch, luaTail, luaPage),
		rng:   reads(luaRange),
		count: writes(luaCount),
	}
}

func newScript(text string, readOnly bool) script {
	sum := sha1.Sum([]byte(text))
	return script{text: text, sha: hex.EncodeToString(sum[:]), readOnly: readOnly}
}

// call returns the command that runs s by its hash, or by its text, which also makes the server
// cache it. All keys must be of one slot.
func (s script) call(b rueidis.Builder, whole bool, keys, args []string) rueidis.Completed {
	name, body := "EVALSHA", s.sha
	if whole {
		name, body = "EVAL", s.text
	}
	if s.readOnly {
		name += "_RO"
	}
	return b.Arbitrary(name, body, strconv.Itoa(len(keys))).Keys(keys...).Args(args...).Build()
}
