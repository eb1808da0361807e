package social_test

import (
	"linnet/internal/app/apptest"
	"testing"
)

// TestOnCluster runs a selection of the tests on a Cluster.
func TestOnClusterSocial(t *testing.T) {
	apptest.OnCluster(t, map[string]func(*apptest.World){
		"lists":   listTimeline,
		"network": network,
	})
}
