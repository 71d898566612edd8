package answers

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"strconv"

	"github.com/kfw-dev/kfw/proxy"
)

// whole checks an answer that is not streamed. If a call is refused, the answer becomes an error,
// because no provider has a form for a part of it.
func (r *run) whole(answer *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostHeld+1))
	if err != nil {
		return err
	}
	if err := answer.Body.Close(); err != nil {
		return err
	}
	if len(body) > mostHeld {
		return errHeld
	}
	if err := r.push(body); err == nil { // else it is no turn
		r.finish()
	}
	if r.isChanged {
		body = proxy.Refusal(http.StatusForbidden, "a call was not let through: "+cmp.Or(r.why, "it is not allowed"))
		answer.StatusCode = http.StatusForbidden
		answer.Status = http.StatusText(answer.StatusCode)
		answer.Header.Set("Content-Type", "application/json")
	}
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	answer.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return nil
}
