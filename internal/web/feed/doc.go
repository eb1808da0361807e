// Package feed serves the public posts of a person or with a hashtag as RSS, Atom and JSON Feed.
package feed
