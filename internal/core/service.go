package core

import (
	"sync/atomic"

	"linnet/internal/store"
)

// Service performs the acts. It is safe for concurrent use.
type Service struct {
	st  *store.Store
	opt Options

	Hostname string
	meters   *meters
	// whenPrivate is called when the installation has become private; onAction is told
	// what people do; made are the lists that the server makes; noticeOfStaff shows what
	// moderators alone are told, and false to others. Their owners set them.
	whenPrivate func()
	settings    atomic.Pointer[settings]
}
