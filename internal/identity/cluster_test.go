package identity_test

import (
	"testing"

	"linnet/internal/app/apptest"
)

// TestOnCluster runs a selection of the tests on a Cluster.
func TestOnCluster(t *testing.T) {
	apptest.OnCluster(t, map[string]func(*apptest.World){
		"one login": oneLogin,
	})
}
