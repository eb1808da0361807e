package live_test

import (
	"linnet/internal/app/apptest"
	"testing"
)

// TestOnCluster runs a selection of the tests on a Cluster.
func TestOnClusterLive(t *testing.T) {
	apptest.OnCluster(t, map[string]func(*apptest.World){
		"streams": streams,
	})
}
