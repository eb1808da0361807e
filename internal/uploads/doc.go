// Package uploads is the storey of pictures: it takes in what people send, makes of it
// what is kept, and removes what nobody attaches. Pictures are attached to statuses in
// package posting and to profiles in package social; here is what both need.
//
// It knows files, what is made of them and whose they are, and nothing of statuses.
package uploads
