package core

// TaskLogged is the kind of task that adds an entry to the audit log.
const TaskLogged = "log-act"
