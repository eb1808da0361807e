//go:build !linux

package main

// limitProcess leaves the limits to the memory limit that media.Serve sets.
func limitProcess() error { return nil }
