package linnet

// Actor is who does or reads what is for staff alone: a user, or the operator, who runs
// commands on the server. It says who acts and not what they may do, which core.Service
// decides for each call. The zero Actor is nobody, who may do nothing.
type Actor struct {
	id       ID
	session  string
	operator bool
}

// By is a user as an actor; for 0 it is nobody.
func By(id ID) Actor { return Actor{id: id} }

// Operator is whoever runs commands on the server. It may do everything that staff may,
// and what only commands do.
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
