// Package discovery implements promotions, trends, suggestions, the directory, search, the catch-up
// and custom feeds. It is notified of actions by social.OnAction and writes none of their records.
package discovery
