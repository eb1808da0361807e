// Package oauth handles apps, tokens and the documents of OAuth. Package web serves the pages on
// which users authorise apps.
package oauth
