package identity_test

import (
	"linnet/internal/app/apptest"
	"testing"
)

// TestOnCluster runs a selection of the tests on a Cluster.
func TestOnClusterIdentity(t *testing.T) {
	apptest.OnCluster(t, map[string]func(*apptest.World){
		"one login": oneLogin,
	})
}
