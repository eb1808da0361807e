package posting_test

import (
	"linnet/internal/app/apptest"
	"testing"
)

// TestOnCluster runs a selection of the tests on a Cluster.
func TestOnClusterPosting(t *testing.T) {
	apptest.OnCluster(t, map[string]func(*apptest.World){
		"followers of one instant": followersOfOneInstant,
		"post with one key":        postWithOneKey,
		"posts at once":            postAtOnce,
		"deletion":                 deletion,
		"favourite races":          favouriteRaces,
	})
}
