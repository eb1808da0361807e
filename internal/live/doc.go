// Package live hears the events of all servers and hands each to the streams that carry
// it, if their reader may see what it is about. What is lost on the way closes the
// streams, so that clients fetch.
package live
