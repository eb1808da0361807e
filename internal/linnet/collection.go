package linnet

import (
	"slices"
	"time"
)

// Collection is a list of accounts that its owner recommends to others.
// https://docs.joinmastodon.org/entities/Collection/
type Collection struct {
	ID           ID
	Owner        ID
	Name         string
	Description  string
	Language     string // ISO 639-1, or empty
	Tag          string // without "#"; can be empty
	Sensitive    bool
	Discoverable bool             // others find it on the owner's profile and in Explore
	Items        []CollectionItem // in the order of addition
	Updated      time.Time
	Announced    time.Time // last change that its accounts were notified of; zero for none
	Version      uint64
}

// CollectionItem is an account in a collection.
type CollectionItem struct {
	ID      ID // contains the time of addition
	Account ID
	State   ItemState
}

// ItemState is the state of an account in a collection. The values are Mastodon's. Accounts decide
// by a setting, so no item is pending or rejected.
type ItemState string

const (
	ItemAccepted ItemState = "accepted"
	ItemRevoked  ItemState = "revoked" // the account has left, and can't be added again
)

// Accounts returns the accounts that a collection shows.
func (c *Collection) Accounts() []ID {
	ids := make([]ID, 0, len(c.Items))
	for _, it := range c.Items {
		if it.State == ItemAccepted {
			ids = append(ids, it.Account)
		}
	}
	return ids
}

// Item returns the item of an account, including a revoked one, or nil.
func (c *Collection) Item(account ID) *CollectionItem {
	at := slices.IndexFunc(c.Items, func(it CollectionItem) bool { return it.Account == account })
	if at < 0 {
		return nil
	}
	return &c.Items[at]
}

// Shows reports whether a collection shows an account.
func (c *Collection) Shows(account ID) bool {
	it := c.Item(account)
	return it != nil && it.State == ItemAccepted
}

// CollectionChange changes a collection. Nil fields stay.
type CollectionChange struct {
	Name         *string
	Description  *string
	Language     *string // ISO 639-1, or empty
	Tag          *string // with or without "#", or empty
	Sensitive    *bool
	Discoverable *bool
}

// CollectionView is a collection as a viewer sees it. Items has only the items of visible accounts.
type CollectionView struct {
	Collection
	By     UserView   // the owner
	People []UserView // the accounts of Items, in the same order
}
