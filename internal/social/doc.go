// Package social is how people stand to each other: follows and requests, blocks, mutes,
// notes, profiles, and the end of an account. A relation is kept at both sides, see
// Relate. An act is committed by one transaction; what follows elsewhere is a task
// written with it. What groups, lists and statuses have to do with relations is
// registered by the storeys above, see register.go; who builds upon what people do is
// told by OnAction.
package social
