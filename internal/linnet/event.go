package linnet

// EventType is the type of an event in a stream.
type EventType string

const (
	EventUpdate       EventType = "update"
	EventDelete       EventType = "delete"
	EventEdit         EventType = "status.update"
	EventNotification EventType = "notification"
	EventMerged       EventType = "notifications_merged" // accepted notifications are now among the others
	EventConversation EventType = "conversation"
	EventFilters      EventType = "filters_changed" // without data

	EventAnnouncement        EventType = "announcement" // an announcement was published or changed
	EventReaction            EventType = "announcement.reaction"
	EventAnnouncementDeleted EventType = "announcement.delete" // an announcement is no longer shown
)

// StreamKind names a stream in Mastodon's words.
// https://docs.joinmastodon.org/methods/streaming/#streams
type StreamKind string

const (
	StreamUser             StreamKind = "user"
	StreamUserNotification StreamKind = "user:notification"
	StreamPublic           StreamKind = "public"
	StreamPublicMedia      StreamKind = "public:media"
	StreamLocal            StreamKind = "public:local"
	StreamLocalMedia       StreamKind = "public:local:media"
	StreamRemote           StreamKind = "public:remote"
	StreamRemoteMedia      StreamKind = "public:remote:media"
	StreamTag              StreamKind = "hashtag"
	StreamTagLocal         StreamKind = "hashtag:local"
	StreamList             StreamKind = "list"
	StreamDirect           StreamKind = "direct"
)

// Stream is a stream that a client subscribes to. Tag has the client's spelling. List is set for
// StreamList.
type Stream struct {
	Kind StreamKind
	Tag  string
	List ID
}

// StreamEvent is an event for one or more listeners. Receivers must not modify it.
type StreamEvent struct {
	Stream       Stream
	Type         EventType
	Status       *StatusView       // of EventUpdate and EventEdit
	Deleted      ID                // of EventDelete
	Notification *NotificationView // of EventNotification
	Conversation *ConversationView // of EventConversation
	Announcement *AnnouncementView // of EventAnnouncement, the same for all users
	Reaction     *Reaction         // of EventReaction, the same for all users
	About        ID                // id of the announcement, for EventReaction and EventAnnouncementDeleted

	Memo *Memo // encoded form for events with many receivers; nil for one
}
