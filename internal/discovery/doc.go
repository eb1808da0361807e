// Package discovery is what people find beyond whom they follow: promotions, trends,
// suggestions, the directory, search, catching up and own feeds. It hears of what
// people do by social.OnAction and writes none of it.
package discovery
