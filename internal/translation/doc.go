// Package translation translates statuses with a LibreTranslate server that the operator
// configures.
//
// It decides which statuses may be translated for a viewer, sends one request for all viewers, and
// caches the result for a while. A translation is untrusted plain text. It is rendered like a
// status, so it can contain nothing that a status could not. The package must not know routes or
// pages.
//
// Invariants:
//
//   - Only public and unlisted statuses leave this server, see linnet.Status.Translatable.
//   - A viewer who may not see a status gets no translation of it, not even a cached one.
//   - At most translatingAtOnce requests are in progress, each for at most askTime.
package translation
