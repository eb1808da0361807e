// Package live receives the events of all servers and passes each to the streams that carry it, if
// the listener may see its subject. If events are missed, it closes the streams so that clients
// fetch again.
package live
