// Package torture breaks a running server while clients act, and then holds
// what is there against what was acknowledged. It starts processes of its own,
// the server and perhaps a Redis, is a client of the Mastodon API like any
// other, and knows nothing of how the server is built.
//
// Each client keeps a ledger of its acts: those that were acknowledged must be
// there afterwards, exactly once; those that were refused must not; those whose
// answer was lost or was an error of the server may be there or not, but wholly,
// and if they are repeated with the same Idempotency-Key, exactly once. The
// store must also stand up to linnet check.
//
// All chance comes from one seed. Where the blow falls between the instructions
// of two processes does not, so that a seed repeats the plan of a run and not
// its every interleaving.
package torture
