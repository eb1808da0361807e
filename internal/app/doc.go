// Package app connects the services of the server in one App over a store, and starts their
// background work. It makes no decisions. Its tests check costs, faults at each write, and several
// servers. The tests of an action are in the package of its service.
package app
