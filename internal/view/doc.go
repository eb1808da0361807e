// Package view decides what a viewer sees. It loads statuses and users in few round trips, omits
// invisible ones, and adds the viewer's state, filters and permissions. An invisible object is
// NotFound everywhere. The package writes nothing.
package view
