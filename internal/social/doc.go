// Package social is how people stand to each other: follows and requests, blocks, mutes,
// notes, lists, groups and their members, profiles, and the end of an account. A
// relation is kept at both sides, see Relate. An act is committed by one transaction;
// what follows elsewhere is a task written with it. Who builds upon what people do is
// told by OnAction; statuses are written above, see Posts.
package social
