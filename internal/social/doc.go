// Package social implements the relations of users: follows and requests, blocks, mutes, notes,
// profiles, and the end of an account. A relation is stored on both sides, see Relate. One
// transaction commits an action, and a task in it makes all further changes. Groups, lists and
// statuses register their effects on relations in register.go. OnAction notifies other packages.
package social
