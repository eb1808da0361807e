// Package cluster_test runs an installation of several servers: the real command
// as processes of their own, over a Redis Cluster of three masters with a replica
// each, behind a proxy that sends each request to another server. It shows that
// people need not know which server they talk to, and what becomes of their acts
// when servers of either kind come and go.
//
// It knows the servers only by their command line and by HTTP, and the Redis
// Cluster only as its operator does.
package cluster_test
