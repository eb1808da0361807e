// Package moderation implements the actions and pages of moderators and administrators: accounts,
// reports, the audit log, tasks, statistics and server state. Every call names the actor, a user or
// the operator, and checks permissions. Staff actions on invitations, resets, instance settings,
// trends and groups are in the packages of those features.
package moderation
