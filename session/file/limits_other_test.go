//go:build !linux && !darwin

package file

import (
	"errors"
	"os/exec"
	"testing"
)

func limitFileSize(uint64) error { return errors.ErrUnsupported }

func asNobody(*testing.T, *exec.Cmd, string) error { return errors.ErrUnsupported }
