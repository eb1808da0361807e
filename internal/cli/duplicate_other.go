//go:build !unix

package cli

import (
	"errors"
	"os"
)

// duplicate is not supported: paths cannot name open files on this system.
func duplicate(int, string) (*os.File, error) { return nil, errors.ErrUnsupported }
