package wire

import (
	"html"

	"linnet/internal/linnet"
)

// Collection is the entity Collection.
// https://docs.joinmastodon.org/entities/Collection/
type Collection struct {
	ID           string           `json:"id"`
	AccountID    string           `json:"account_id"`
	URI          string           `json:"uri"`
	URL          string           `json:"url"`
	Name         string           `json:"name"`
	Description  string           `json:"description"` // HTML
	Language     *string          `json:"language"`
	Local        bool             `json:"local"`
	Sensitive    bool             `json:"sensitive"`
	Discoverable bool             `json:"discoverable"`
	Tag          *ShallowTag      `json:"tag"`
	ItemCount    int              `json:"item_count"`
	Items        []CollectionItem `json:"items"`
	CreatedAt    string           `json:"created_at"`
	UpdatedAt    string           `json:"updated_at"`
}

// ShallowTag is the entity ShallowTag.
// https://docs.joinmastodon.org/entities/ShallowTag/
type ShallowTag struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// CollectionItem is the entity CollectionItem.
// https://docs.joinmastodon.org/entities/CollectionItem/
type CollectionItem struct {
	ID        string           `json:"id"`
	AccountID string           `json:"account_id"`
	State     linnet.ItemState `json:"state"`
	CreatedAt string           `json:"created_at"`
}

// WrappedCollection is the entity WrappedCollection.
// https://docs.joinmastodon.org/entities/Collection/#WrappedCollection
type WrappedCollection struct {
	Collection Collection `json:"collection"`
}

// WrappedCollectionItem is the entity WrappedCollectionItem.
// https://docs.joinmastodon.org/entities/CollectionItem/#WrappedCollectionItem
type WrappedCollectionItem struct {
	Item CollectionItem `json:"collection_item"`
}

// CollectionWithAccounts is the entity CollectionWithAccounts.
// https://docs.joinmastodon.org/entities/CollectionWithAccounts/
type CollectionWithAccounts struct {
	Accounts   []Account  `json:"accounts"`
	Collection Collection `json:"collection"`
}

// Collections is a list of collections as a response.
type Collections struct {
	Collections []Collection `json:"collections"`
}

// Collection encodes a collection.
func (e *Encoder) Collection(v *linnet.CollectionView) Collection {
	address := e.base + "/collections/" + v.ID.String()
	out := Collection{ID: v.ID.String(), AccountID: v.Owner.String(), URI: address, URL: address, Name: v.Name, Description: html.EscapeString(v.Description),
		Language: Nullable(v.Language), Local: true, Sensitive: v.Sensitive, Discoverable: v.Discoverable,
		ItemCount: len(v.Items), Items: Each(v.Items, CollectionItemOf), CreatedAt: Timestamp(v.ID.Time()), UpdatedAt: Timestamp(v.Updated)}
	if v.Tag != "" {
		out.Tag = &ShallowTag{Name: v.Tag, URL: e.TagURL(v.Tag)}
	}
	return out
}

// CollectionItemOf encodes an item of a collection.
func CollectionItemOf(it *linnet.CollectionItem) CollectionItem {
	return CollectionItem{ID: it.ID.String(), AccountID: it.Account.String(), State: it.State, CreatedAt: Timestamp(it.ID.Time())}
}

// CollectionWithAccounts encodes a collection with its accounts, the owner first.
func (e *Encoder) CollectionWithAccounts(v *linnet.CollectionView) CollectionWithAccounts {
	out := CollectionWithAccounts{Accounts: []Account{e.Account(&v.By)}, Collection: e.Collection(v)}
	for i := range v.People {
		if v.People[i].ID != v.Owner {
			out.Accounts = append(out.Accounts, e.Account(&v.People[i]))
		}
	}
	return out
}

// tagged encodes the collections that a status links to.
func (e *Encoder) tagged(v *linnet.StatusView) []Collection {
	if v.Extra == nil {
		return []Collection{}
	}
	return Each(v.Extra.Tagged, func(c **linnet.CollectionView) Collection { return e.Collection(*c) })
}

// FeatureApproval is the entity FeatureApproval.
// https://docs.joinmastodon.org/entities/FeatureApproval/
type FeatureApproval struct {
	Automatic   []string `json:"automatic"`
	Manual      []None   `json:"manual"`
	CurrentUser string   `json:"current_user"`
}

// featureApprovalOf encodes whether others can add an account to collections. It is the same for
// all viewers.
func featureApprovalOf(u *linnet.User) FeatureApproval {
	if u.Featurable() {
		return FeatureApproval{Automatic: []string{"public"}, Manual: []None{}, CurrentUser: "automatic"}
	}
	return FeatureApproval{Automatic: []string{}, Manual: []None{}, CurrentUser: "denied"}
}
