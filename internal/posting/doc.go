// Package posting writes and deletes statuses. It implements posts, boosts, favourites, bookmarks,
// pins, direct messages, conversations, group posts and commands to groups. A post is one
// transaction. A task delivers it, and its first batch runs before the response.
package posting
