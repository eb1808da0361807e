package web

import (
	"linnet/internal/archives"
	"linnet/internal/identity"
	"linnet/internal/social"
)

// accountPages are the pages of this area.
type accountPages struct {
	archives  *archives.Service
	authPages *authPages
	emails    *identity.Emails
	identity  *identity.Service
	security  *identity.Security
	social    *social.Service
}
