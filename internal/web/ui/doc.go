// Package ui has the parts that pages are made of: names, times, icons, texts in the language of the
// reader, and sentences with links in them. They know nothing of the request. The language, time
// zone and clock of the reader are in the context, see [WithReader].
package ui
