package core

// TaskLogged enters an act into the log that was written with something else.
const TaskLogged = "log-act"
