package reading_test

import (
	"linnet/internal/app/apptest"
	"testing"
)

// TestOnCluster runs a selection of the tests on a Cluster.
func TestOnClusterReading(t *testing.T) {
	apptest.OnCluster(t, map[string]func(*apptest.World){
		"visibility":          visibilityMatrix,
		"follow and unfollow": followAndUnfollow,
		"public":              publicTimeline,
	})
}
