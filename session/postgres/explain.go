package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kfw-dev/kfw/session"
)

// The errors of the functions in schema.sql.
const (
	noFsync    = "KF001"
	noSession  = "KF002"
	isFull     = "KF003"
	notAllowed = "KF004"
)

// code returns the SQLSTATE of an error, empty if the server has not said it.
func code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// isRolledBack reports whether the server has said that nothing was done.
func isRolledBack(err error) bool {
	state := code(err)
	return state != "" && !strings.HasPrefix(state, "08") && !strings.HasPrefix(state, "57P")
}

// isTransient reports whether the next try may end better: the server can't be reached, is about to stop or to start,
// has changed its role, or has rolled back one of two that waited for each other.
func isTransient(err error) bool {
	if isTLS(err) {
		return false
	}
	switch state := code(err); {
	case strings.HasPrefix(state, "08"), strings.HasPrefix(state, "57P"), strings.HasPrefix(state, "53"),
		state == "40001", state == "40P01", state == "25006":
		return true
	case state != "":
		return false
	}
	if _, ok := errors.AsType[*pgconn.ParseConfigError](err); ok {
		return false
	}
	_, isNetwork := errors.AsType[net.Error](err)
	_, isConnect := errors.AsType[*pgconn.ConnectError](err)
	return isNetwork || isConnect || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, context.DeadlineExceeded) || pgconn.SafeToRetry(err) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		errors.Is(err, pgconn.ErrConnClosed)
}

func isTLS(err error) bool {
	_, isVerification := errors.AsType[*tls.CertificateVerificationError](err)
	_, isHost := errors.AsType[x509.HostnameError](err)
	_, isAuthority := errors.AsType[x509.UnknownAuthorityError](err)
	_, isRecord := errors.AsType[tls.RecordHeaderError](err)
	return isVerification || isHost || isAuthority || isRecord || strings.Contains(err.Error(), "server refused TLS")
}

// explain turns an error into what it means for a session. None quotes or wraps what the server or the driver says:
// that may name the user.
func (p *Place) explain(err error, wait time.Duration) error {
	if err == nil {
		return nil
	}
	if _, isOwn := errors.AsType[*session.Unusable](err); isOwn {
		return err
	}
	reason, noTables := "", false
	switch state := code(err); {
	case state == noSession:
		return &fs.PathError{Op: "open", Path: p.String(), Err: fs.ErrNotExist}
	case state == isFull:
		return err
	case state == noFsync:
		reason = "its server has fsync turned off: it may lose what it has acknowledged"
	case state == notAllowed:
		reason = "its server has no such tenant for this user"
	case state == "42883", state == "3F000", state == "42P01":
		reason, noTables = "its database has no tables of kfw, or those of an earlier kfw", true
	case state == "42501":
		reason = "its server does not let this user call the functions of kfw"
	case strings.HasPrefix(state, "28"):
		reason = "its server refuses the user or the password"
	case state == "3D000":
		reason = "its server has no such database"
	case state == "25006":
		reason = "its server only reads: it is no primary"
	case state == "53300":
		reason = "its server takes no more connections"
	case strings.HasPrefix(state, "53"):
		reason = "its server has no room left"
	case state == "55P03":
		reason = "has been locked by other processes for 10s"
	case strings.HasPrefix(state, "57P"), strings.HasPrefix(state, "08"):
		reason = "its server is starting or stopping"
	case state != "":
		reason = "its server reports error " + state
	case isTLS(err):
		reason = "its server has no TLS, or a certificate that can't be verified"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		reason = "its server can't be reached: nothing listens there"
	case errors.Is(err, errUnreadable):
		reason = "its server answers what kfw can't read"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		reason = fmt.Sprintf("its server has not answered for %v", wait)
	default:
		reason = "its server can't be reached"
		if _, isConfig := errors.AsType[*pgconn.ParseConfigError](err); isConfig {
			reason = "its URL, or a PG variable, has what can't be read"
		} else if _, isName := errors.AsType[*net.DNSError](err); isName {
			reason = "its server can't be reached: no such host"
		}
	}
	u := p.refused(reason, nil) // a cause of the system, such as a socket that is not there, would say something of a file
	u.NoTables = noTables
	return u
}
