// Package cluster_test tests an instance of several servers. It runs the real command as processes
// over a Redis Cluster of three masters with a replica each. A proxy sends each request to another
// server. The tests show that users need not know the servers, and that acts survive when servers
// of either kind stop and start.
//
// The tests use only the command line and HTTP of the servers, and operate the Redis Cluster like
// an operator.
package cluster_test
