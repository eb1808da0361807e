package posting_test

import (
	"testing"

	"linnet/internal/app/apptest"
)

// TestOnCluster runs a selection of the tests on a Cluster.
func TestOnCluster(t *testing.T) {
	apptest.OnCluster(t, map[string]func(*apptest.World){
		"followers of one instant": followersOfOneInstant,
		"post with one key":        postWithOneKey,
		"posts at once":            postAtOnce,
		"deletion":                 deletion,
		"favourite races":          favouriteRaces,
	})
}
