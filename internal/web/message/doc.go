// Package message has the pages of direct messages and chats.
package message
