package kubelet

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"example.com/kube-apiserver/stage1-main/process/drain"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
)

// read gets the target and passes on what comes, as it comes. The kubelet of a
// container that is silent answers nothing until it prints: whoever follows a
// log may wait for ever. A connection that breaks off breaks the answer off
// too, so that nobody takes half of it for the whole.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/rest/streamer.go InputStream
func read(to subresources.Target, through *http.Transport) connect.Connection {
	within := patience
	if to.URL.Query().Get("follow") == "true" {
		within = 0
	}
	client := &http.Client{Transport: patient{through, within}, CheckRedirect: noRedirects}
	return func(w http.ResponseWriter, req *http.Request) error {
		ctx, done := drain.UntilEnding(req.Context())
		defer done()
		out, err := http.NewRequestWithContext(ctx, http.MethodGet, to.URL.String(), nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(out) // of the client's headers a kubelet gets none
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode < http.StatusOK || resp.StatusCode > http.StatusPartialContent {
			return refused(resp, request.InfoFrom(req.Context()).Name)
		}
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusOK)
		if _, err := io.Copy(flusher{w, http.NewResponseController(w)}, resp.Body); err != nil {
			panic(http.ErrAbortHandler) // the only way to tell
		}
		return nil
	}
}

func noRedirects(*http.Request, []*http.Request) error { return errors.New("redirects forbidden") }

// flusher sends each piece at once: somebody is looking.
type flusher struct {
	io.Writer
	controller *http.ResponseController
}

// Write is part of io.Writer.
func (f flusher) Write(p []byte) (int, error) {
	n, err := f.Writer.Write(p)
	if err == nil {
		err = f.controller.Flush()
	}
	return n, err
}

// refused makes a Status of a kubelet's answer.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/rest/response_checker.go Check
func refused(resp *http.Response, pod string) error {
	text, err := io.ReadAll(io.LimitReader(resp.Body, 50_000))
	if err != nil {
		return status.Internal(err)
	}
	switch resp.StatusCode {
	case http.StatusInternalServerError:
		return status.Internal(errors.New(string(text)))
	case http.StatusBadRequest:
		return status.BadRequest("%s", text)
	}
	reason, message := inOurWords(resp.StatusCode, strings.TrimSpace(string(text)))
	return status.New(resp.StatusCode, reason, fmt.Sprintf("%s ( pods/log %s)", message, pod), &status.Details{Name: pod, Kind: "pods/log"})
}

// inOurWords is what clients are told about an answer with an error.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go NewGenericServerResponse
func inOurWords(code int, text string) (reason, message string) {
	switch {
	case code == http.StatusUnauthorized:
		return "Unauthorized", "the server has asked for the client to provide credentials"
	case code == http.StatusForbidden:
		return "Forbidden", text
	case code == http.StatusNotFound:
		return "NotFound", "the server could not find the requested resource"
	case code == http.StatusUnprocessableEntity:
		return "Invalid", "the server rejected our request due to an error in our request"
	case code == http.StatusTooManyRequests:
		return "TooManyRequests", "the server has received too many requests and has asked us to try again later"
	case code == http.StatusServiceUnavailable:
		return "ServiceUnavailable", "the server is currently unable to handle the request"
	case code == http.StatusGatewayTimeout:
		return "Timeout", "the server was unable to return a response in the time allotted, but may still be processing the request"
	case code > http.StatusInternalServerError:
		return "InternalError", fmt.Sprintf("an error on the server (%q) has prevented the request from succeeding", text)
	}
	return "", fmt.Sprintf("the server responded with the status code %d but did not return more information", code)
}
