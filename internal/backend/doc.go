// Package backend opens the store, the media storage and the services that the configuration
// names. A server and a command on the store use the same Backend. The package also defines the
// child processes that handle uploaded files within limits.
package backend
