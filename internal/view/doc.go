// Package view decides who sees what: it loads statuses and people for a viewer in few
// round trips, leaves out what the viewer may not see, and shows the rest with the
// viewer's state, filters and permissions. What a viewer may not see does not exist for
// them: NotFound, on every way. It writes nothing.
package view
