// Package core contains what every service needs: instance settings, staff and their permissions,
// the audit log, rate limits, events between servers, an outbox for jobs that wait for remote
// servers, text messages, and errors of the store for users. It does not know statuses or relations.
//
// # Values in contexts
//
// Everything that a call needs is an argument. These are the only values in contexts, because they
// concern all calls below one that most layers in between do not know:
//
//   - kv.Durable: reads decide a response, so they must return durable data. db.RetryDurable and
//     RetryDurable set it for a second attempt.
//   - kv.Relaxed: writes are repeated if they are lost. The task queue sets it for batches.
//   - AsyncEvents: Emit does not wait for the bus. Actions with a fan-out in the request set it.
//   - task.After: a batch in a request leaves its last part to a worker.
//   - identity.WithVisitor: the origin of a request, for the security log. No permission depends on
//     it.
//   - server: the log of slow requests counts calls of the store.
//   - web: templates write times in the time zone and language of the reader.
//
// Rules in internal/rules allow no other package to set one.
package core
