package core

const TaskLogged = "log-act"
