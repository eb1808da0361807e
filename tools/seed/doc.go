// Package seed fills a store with users, follows and posts for measurements and tests. The data is
// random or comes from files. It writes directly into the store, in large transactions, and leaves
// the same records as the services.
//
// An interrupted run continues when it is repeated with the same options, and has the same result
// as one without interruption.
package seed
