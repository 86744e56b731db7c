package schema

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// The layouts of the two kinds of time.
const (
	timeLayout      = time.RFC3339
	microTimeLayout = "2006-01-02T15:04:05.000000Z07:00"
)

// scalar checks a value that is neither object nor list, and returns its
// canonical form.
func (w *walk) scalar(v any, s *Schema) any {
	if s.Type == Any {
		return v
	}
	switch t := v.(type) {
	case bool:
		if s.Type == Boolean {
			return v
		}
	case json.Number:
		switch s.Type {
		case Integer32, IntOrString:
			return w.integer(t, s, 32)
		case Integer64:
			return w.integer(t, s, 64)
		case Number:
			return w.float(t, s)
		}
	case string:
		switch s.Type {
		case String, IntOrString:
			return v
		case Time:
			return w.text(v, func() (string, error) { return canonicalTime(t, timeLayout) })
		case MicroTime:
			return w.text(v, func() (string, error) { return canonicalTime(t, microTimeLayout) })
		case Bytes:
			return w.bytes(v, t)
		}
	}
	if s.Type == Quantity { // upstream tries to read whatever stands there
		return w.text(v, func() (string, error) { return s.Canonical(fmt.Sprint(v)) })
	}
	return w.wrongType(v, s, "")
}

// text returns the canonical form of v; "" is nothing.
func (w *walk) text(v any, canonical func() (string, error)) any {
	text, err := canonical()
	switch {
	case err != nil:
		return w.fail(err)
	case text == "":
		return nil
	case text == v:
		return v
	}
	return text
}

func (w *walk) bytes(v any, text string) any {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return w.fail(err)
	}
	if canonical := base64.StdEncoding.EncodeToString(data); canonical != text {
		return canonical
	}
	return v
}

func (w *walk) integer(n json.Number, s *Schema, bits int) any {
	i, err := strconv.ParseInt(string(n), 10, bits)
	if err != nil { // 1.0 and 1e3 are no integers
		return w.wrongType(n, s, string(n))
	}
	if i == 0 {
		return json.Number("0") // and not -0
	}
	return n
}

func (w *walk) float(n json.Number, s *Schema) any {
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return w.wrongType(n, s, string(n))
	}
	if f == 0 {
		return json.Number("0")
	}
	data, _ := json.Marshal(f) // cannot fail: the number is finite
	return json.Number(data)
}

// canonicalTime returns "" for the zero time, which is no time.
func canonicalTime(text, layout string) (string, error) {
	t, err := time.Parse(layout, text)
	if err != nil {
		return "", err
	}
	t = t.UTC().Truncate(time.Microsecond)
	if layout == timeLayout {
		t = t.Truncate(time.Second)
	}
	if t.IsZero() {
		return "", nil
	}
	if year := t.Year(); year < 0 || year > 9999 { // the form has four digits
		return "", fmt.Errorf("parsing time %q: year outside of range [0,9999] in UTC", text)
	}
	return t.Format(layout), nil
}
