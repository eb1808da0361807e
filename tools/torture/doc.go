// Package torture breaks a running server while clients act, and then compares the stored data with
// the acknowledged acts. It starts a server, and a Redis if needed, and only uses the Mastodon API
// and the command line.
//
// Each client keeps a ledger of its acts. Acknowledged acts must exist exactly once, and refused
// ones must not exist. Acts without a response, or with a server error, may exist completely or not
// at all. Repeated with the same Idempotency-Key, they must exist exactly once. linnet check must
// find no errors.
//
// All random numbers come from one seed. A seed repeats the plan of a run, but not the exact moment
// at which a fault hits a process.
package torture
