package record_test

import (
	"reflect"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestCollectionRecords checks that collections are decoded as they were encoded.
func TestCollectionRecords(t *testing.T) {
	at := time.UnixMilli(1_790_000_000_123).UTC()
	for _, c := range []linnet.Collection{
		{ID: 7, Owner: 3, Name: "birds", Updated: at, Version: 1},
		{ID: 8, Owner: 3, Name: "birds", Description: "small ones", Language: "en", Tag: "birds", Sensitive: true, Discoverable: true,
			Items:   []linnet.CollectionItem{{ID: 9, Account: 4, State: linnet.ItemAccepted}, {ID: 10, Account: 5, State: linnet.ItemRevoked}},
			Updated: at, Announced: at.Add(time.Second), Version: 1},
	} {
		got, err := record.DecodeCollection(c.ID, &kv.Get{Data: record.EncodeCollection(&c), Version: 1})
		if err != nil || !reflect.DeepEqual(*got, c) {
			t.Errorf("%+v is %+v: %v", c, got, err)
		}
	}
	if got, err := record.DecodeCollection(7, &kv.Get{}); got != nil || err != nil {
		t.Errorf("without a record: %+v, %v", got, err)
	}
}
