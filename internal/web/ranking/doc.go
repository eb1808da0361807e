// Package ranking has the pages in order of importance: the catch-up and custom feeds.
package ranking
