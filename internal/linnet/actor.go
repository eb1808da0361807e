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

// Operator returns the actor of commands on the server. It has all permissions of staff, and those
// of commands.
func Operator() Actor { return Actor{operator: true} }

// In is the user in a session of theirs, given by its ID: some acts want the password
// confirmed in it.
func (a Actor) In(session string) Actor {
	a.session = session
	return a
}

// IsOperator reports whether no user acts but the operator.
func (a Actor) IsOperator() bool { return a.operator }

// ID is the user as the audit log names who acted: 0 for the operator.
func (a Actor) ID() ID { return a.id }

// Session is the ID of the session, "" where none was given.
func (a Actor) Session() string { return a.session }
