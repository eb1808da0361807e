// Package announcing is the storey of announcements: what administrators tell all users,
// when it is shown, and how people react to it.
//
// It knows nothing of statuses, and not who listens: that it leaves to package live.
package announcing
