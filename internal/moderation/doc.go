// Package moderation is what moderators and administrators do and read: accounts,
// reports, the log of their acts, tasks, statistics and the state of a server. Whoever
// acts is named in every call and may do it, or gets Forbidden.
package moderation
