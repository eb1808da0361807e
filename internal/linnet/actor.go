package linnet

// Actor is the user or operator who performs a staff action or read. The operator runs commands on
// the server. An Actor has no permissions: core.Service decides them for each call. The zero Actor
// has no permission at all.
type Actor struct {
	id       ID
	session  string
	operator bool
}

// By returns a user as an actor. By(0) is the zero Actor.
func By(id ID) Actor { return Actor{id: id} }

// Operator returns the actor of commands on the server. It has all permissions of staff and of
// commands.
func Operator() Actor { return Actor{operator: true} }

// In returns the user as the actor in a session with this ID. Some actions need a recent
// confirmation of the password in it.
func (a Actor) In(session string) Actor {
	a.session = session
	return a
}

// IsOperator reports whether the actor is the operator, not a user.
func (a Actor) IsOperator() bool { return a.operator }

// ID returns the user's id, as in the audit log: 0 for the operator.
func (a Actor) ID() ID { return a.id }

// Session returns the ID of the session, or "" if none was given.
func (a Actor) Session() string { return a.session }
