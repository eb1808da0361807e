// Package translation gives statuses in other languages, by a server of LibreTranslate
// that the operator names.
//
// It knows which status may be translated for whom and into what, asks for it once for
// all who want it, and keeps the answer for a while. What comes back is plain text from
// another program: it is rendered as a status is, so that it can hold nothing that a
// status could not. It must not know routes or pages.
//
// Invariants:
//
//   - Only what everybody may read leaves this server, see linnet.Status.Translatable.
//   - Who may not see a status gets no translation of it, also of what is kept.
//   - At most translatingAtOnce requests are on their way, each for at most askTime.
package translation
