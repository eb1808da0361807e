// Package posting writes statuses and takes them back: posts, reposts, favourites,
// bookmarks, pins, direct messages and conversations, posts in groups and the orders
// that groups take by message. A post is one transaction; carrying it to others is a
// task whose first batch is done before the answer.
package posting
