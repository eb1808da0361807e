// Package announcing implements announcements: their text, when they are shown, and reactions to
// them.
//
// It does not know statuses or listeners. Package live delivers the events.
package announcing
