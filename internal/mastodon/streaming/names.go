package streaming

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
)

// maxStreamParam is the limit of a tag or list id in bytes.
const maxStreamParam = 512

// parseStream parses the name of a stream and its parameters.
func parseStream(name, tag, list string) (linnet.Stream, error) {
	st := linnet.Stream{Kind: linnet.StreamKind(name)}
	switch st.Kind {
	case linnet.StreamUser, linnet.StreamUserNotification, linnet.StreamDirect,
		linnet.StreamPublic, linnet.StreamPublicMedia, linnet.StreamLocal, linnet.StreamLocalMedia,
		linnet.StreamRemote, linnet.StreamRemoteMedia:
		return st, nil
	case linnet.StreamTag, linnet.StreamTagLocal:
		if tag == "" || len(tag) > maxStreamParam {
			return st, linnet.FieldError("tag", "ERR_BLANK", "must be a hashtag")
		}
		st.Tag = tag
		return st, nil
	case linnet.StreamList:
		id, ok := linnet.ParseListID(list)
		if !ok {
			return st, linnet.FieldError("list", "ERR_INVALID", "must be the id of one of your lists")
		}
		st.List = id
		return st, nil
	}
	return st, linnet.FieldError("stream", "ERR_INCLUSION", "%.40q is not a known stream. Use user, public, hashtag or list", name)
}

// streamWords returns the name of a stream for messages. Clients compare it with their
// subscriptions.
func streamWords(st linnet.Stream) []string {
	switch st.Kind {
	case linnet.StreamTag, linnet.StreamTagLocal:
		return []string{string(st.Kind), st.Tag}
	case linnet.StreamList:
		return []string{string(st.Kind), st.List.String()}
	}
	return []string{string(st.Kind)}
}

// openToAll reports whether a stream is open to clients without a token.
func openToAll(k linnet.StreamKind) bool {
	switch k {
	case linnet.StreamPublic, linnet.StreamPublicMedia, linnet.StreamLocal, linnet.StreamLocalMedia,
		linnet.StreamRemote, linnet.StreamRemoteMedia, linnet.StreamTag, linnet.StreamTagLocal:
		return true
	}
	return false
}

// mayListen returns an error unless a session has the scope for a stream.
func mayListen(who linnet.Session, k linnet.StreamKind) error {
	if openToAll(k) {
		return nil
	}
	if who.User == 0 {
		return request.ErrBadToken()
	}
	scope := "read:statuses"
	if k == linnet.StreamUserNotification {
		scope = scopeNotifications
	}
	if !who.Allows(scope) {
		return request.ErrScope(scope)
	}
	return nil
}

// scopeNotifications is required for notifications in every stream.
const scopeNotifications = "read:notifications"

// withMedia returns the public stream that is restricted to statuses with attachments.
func withMedia(k linnet.StreamKind) linnet.StreamKind {
	switch k {
	case linnet.StreamPublic:
		return linnet.StreamPublicMedia
	case linnet.StreamLocal:
		return linnet.StreamLocalMedia
	case linnet.StreamRemote:
		return linnet.StreamRemoteMedia
	}
	return k
}
