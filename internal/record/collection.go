package record

import (
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The kinds of key of collections. A collection is in its owner's shard and is the truth. The sets
// of accounts and of Explore are copies that a task updates.
const (
	KindCollection       = "collection"
	KindCollections      = "collections"
	KindInCollections    = "incollections"
	KindFoundCollections = "foundcollections"
)

func collectionKeys() []KeyDoc {
	return []KeyDoc{
		{KindCollection, "value", "collection", "a collection: owner, texts and items, JSON", "25 items, and 200 that have left", "", noSecret()},
		{KindCollections, "set", "user", "the collections of a user, by time", "10", "", noSecret()},
		{KindInCollections, "set", "user", "collections that show the user, by time of addition", "none", "", noSecret()},
		{KindFoundCollections, "set", "", "discoverable collections, by time (shard 0)", "1,000", "", noSecret()},
	}
}

func CollectionKey(id linnet.ID) kv.Key { return IDKey(KindCollection, id) }

func CollectionsKey(user linnet.ID) kv.Key { return IDKey(KindCollections, user) }

func InCollectionsKey(user linnet.ID) kv.Key { return IDKey(KindInCollections, user) }

func FoundCollectionsKey() kv.Key { return kv.Key{Kind: KindFoundCollections} }

// Collection is the record of a linnet.Collection.
type Collection struct {
	Owner       JID              `json:"owner"`
	Name        string           `json:"name"`
	Description string           `json:"description,omitempty"`
	Language    string           `json:"language,omitempty"`
	Tag         string           `json:"tag,omitempty"`
	Sensitive   bool             `json:"sensitive,omitempty"`
	Listed      bool             `json:"listed,omitempty"` // discoverable
	Items       []collectionItem `json:"items,omitempty"`
	Updated     int64            `json:"updated"`             // Unix milliseconds
	Announced   int64            `json:"announced,omitempty"` // Unix milliseconds
}

type collectionItem struct {
	ID      JID  `json:"id"`
	Account JID  `json:"account"`
	Revoked bool `json:"revoked,omitempty"`
}

func EncodeCollection(c *linnet.Collection) []byte {
	r := Collection{Owner: JID(c.Owner), Name: c.Name, Description: c.Description, Language: c.Language, Tag: c.Tag,
		Sensitive: c.Sensitive, Listed: c.Discoverable, Updated: c.Updated.UnixMilli()}
	if !c.Announced.IsZero() {
		r.Announced = c.Announced.UnixMilli()
	}
	for _, it := range c.Items {
		r.Items = append(r.Items, collectionItem{JID(it.ID), JID(it.Account), it.State == linnet.ItemRevoked})
	}
	return Encode(r)
}

// DecodeCollection decodes a collection. It returns nil if there is none.
func DecodeCollection(id linnet.ID, get *kv.Get) (*linnet.Collection, error) {
	if get.Version == 0 {
		return nil, nil
	}
	var r Collection
	if err := Decode(get, &r); err != nil {
		return nil, err
	}
	c := &linnet.Collection{ID: id, Owner: linnet.ID(r.Owner), Name: r.Name, Description: r.Description, Language: r.Language, Tag: r.Tag,
		Sensitive: r.Sensitive, Discoverable: r.Listed, Updated: time.UnixMilli(r.Updated).UTC(), Version: get.Version}
	if r.Announced != 0 {
		c.Announced = time.UnixMilli(r.Announced).UTC()
	}
	for _, it := range r.Items {
		state := linnet.ItemAccepted
		if it.Revoked {
			state = linnet.ItemRevoked
		}
		c.Items = append(c.Items, linnet.CollectionItem{ID: linnet.ID(it.ID), Account: linnet.ID(it.Account), State: state})
	}
	return c, nil
}
