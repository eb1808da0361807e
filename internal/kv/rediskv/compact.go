package rediskv

import (
	"fmt"
	"strconv"

	"linnet/internal/kv"
	"linnet/internal/wording"
)

// These settings of a server determine how much memory sets and feeds take. A follow takes 21 to 25
// bytes per side in a compact set, and 118 to 141 otherwise. Most users have fewer follows than
// this.
const (
	compactEntries = "zset-max-listpack-entries"
	compactValue   = "zset-max-listpack-value"
	compactList    = "list-max-listpack-size"

	wantEntries = 700
	wantValue   = 20 // bytes of an id, the usual member of a set
)

// wasteful returns advice about settings that cost unnecessary memory. Unknown settings are assumed
// to be right.
func wasteful(settings map[string]string) []kv.Advice {
	var out []kv.Advice
	for _, s := range []struct {
		name        string
		least       int64
		consequence wording.Message
	}{
		{compactEntries, wantEntries, wording.Messagef("sets with more entries, such as follows, use five times as much memory")},
		{compactValue, wantValue, wording.Messagef("sets of ids use five times as much memory")},
	} {
		if is, err := strconv.ParseInt(settings[s.name], 10, 64); err == nil && is < s.least {
			out = append(out, kv.Advice{Text: wording.Messagef("The Redis setting %s is %d: %s", s.name, is, s.consequence),
				Remedy: inConf(fmt.Sprintf("CONFIG SET %s %d", s.name, s.least))})
		}
	}
	// Negative values set the size of a list node, from 4 KB (-1) to 64 KB (-5).
	if is, err := strconv.ParseInt(settings[compactList], 10, 64); err == nil && (is == -1 || is >= 0 && is < 128) {
		out = append(out, kv.Advice{Text: wording.Messagef("The Redis setting %s is %d: feeds are split into many small nodes", compactList, is),
			Remedy: inConf("CONFIG SET " + compactList + " -2")})
	}
	return out
}

// inConf returns a command that changes a setting, with the advice to add it to the configuration.
func inConf(command string) wording.Message {
	return wording.Messagef("Run %s, and add the setting to redis.conf", command)
}
