// Package ui has the components of pages: names, times, icons, texts in the reader's language, and
// sentences with links. They don't depend on the request. The language, time zone and clock of the
// reader are in the context, see [WithReader].
package ui
