package proxy

import (
	"net/http"
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Refusal returns the body of an error that the clients of all providers can read: type for
// Anthropic, code for OpenAI, status for Google.
func Refusal(status int, why string) []byte {
	kind, name := "api_error", "UNAVAILABLE"
	switch status {
	case http.StatusTooManyRequests:
		kind, name = "rate_limit_error", "RESOURCE_EXHAUSTED"
	case http.StatusNotFound:
		kind, name = "not_found_error", "NOT_FOUND"
	case http.StatusForbidden:
		kind, name = "permission_error", "PERMISSION_DENIED"
	case http.StatusMisdirectedRequest:
		kind, name = "invalid_request_error", "INVALID_ARGUMENT"
	}
	b := []byte(`{"type":"error","error":{"type":"` + kind + `","code":` + strconv.Itoa(status) + `,"status":"` + name +
		`","message":`)
	return append(jsonx.AppendString(b, "kfw proxy: "+why), "}}\n"...)
}

// refuse answers a request with an error.
func refuse(w http.ResponseWriter, status int, why string) {
	b := Refusal(status, why)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b) // a client that is gone needs no answer
}
