package record

import (
	"strconv"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// KindVersion is the kind of key of earlier versions of edited statuses.
const KindVersion = "version"

func versionKeys() []KeyDoc {
	return []KeyDoc{
		{KindVersion, "value", "status.number", "an earlier version of a status, in the same format; numbers start at 0", "70 KiB, 50 a status", "", noSecret()},
	}
}

// VersionKey is an earlier version of a status. 0 is the first one.
func VersionKey(status linnet.ID, version int) kv.Key {
	return kv.Key{Kind: KindVersion, Shard: status.Shard(), ID: status.String() + "." + strconv.Itoa(version)}
}

// VersionOf parses the key of a version. ok is false for other keys.
func VersionOf(k kv.Key) (status linnet.ID, version int, ok bool) {
	id, number, _ := strings.Cut(k.ID, ".")
	status, ok = linnet.ParseID(id)
	version, err := strconv.Atoi(number)
	return status, version, ok && err == nil && VersionKey(status, version) == k
}

// EncodeVersion encodes the parts of a status that an edit can change.
func EncodeVersion(st *linnet.Status) []byte {
	return EncodeStatus(&linnet.Status{Author: st.Author, Text: st.Text, Warning: st.Warning, Sensitive: st.Sensitive, Language: st.Language,
		Visibility: st.Visibility, Mentions: st.Mentions, Tags: st.Tags, Media: st.Media, Poll: st.Poll, QuotePolicy: linnet.QuoteNobody})
}
