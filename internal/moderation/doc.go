// Package moderation is what moderators and administrators do and read: accounts,
// reports, the log of their acts, tasks, statistics and the state of a server. Whoever
// acts is named in every call, a user or the operator at the command line, and may do
// it or gets Forbidden. What staff do to invitations, resets, the description, trends
// and groups is in the storeys of those.
package moderation
