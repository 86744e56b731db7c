package traffic

import (
	"bufio"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are what one server counts, under upstream's names.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/metrics/metrics.go Register
type Metrics struct {
	// Known, if set, says which resources there are: others are not named in
	// labels, or a client could make up as many as it likes.
	Known func(group, resource string) bool

	registry    *prometheus.Registry
	requests    *prometheus.CounterVec
	durations   *prometheus.HistogramVec
	sizes       *prometheus.HistogramVec
	current     *prometheus.GaugeVec
	longRunning *prometheus.GaugeVec
	drops       *prometheus.CounterVec
	events      *prometheus.CounterVec
	writes      *prometheus.HistogramVec
	commits     prometheus.Histogram
}

// NewMetrics returns counters of which none has counted. storeFile is the file
// whose size is told.
func NewMetrics(storeFile string) *Metrics {
	of := []string{"verb", "group", "version", "resource", "subresource", "scope"}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "apiserver_request_total",
			Help: "Requests, by what they were about and how they were answered."}, append([]string{"code"}, of...)),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "apiserver_request_duration_seconds",
			Help: "How long answers took, without those that go on for ever.", Buckets: []float64{0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60}}, of),
		sizes: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "apiserver_response_sizes",
			Help: "How many bytes answers had.", Buckets: prometheus.ExponentialBuckets(1000, 10, 7)}, of),
		current: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "apiserver_current_inflight_requests",
			Help: "Requests that are being served, without those that go on for ever."}, []string{"request_kind"}),
		longRunning: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "apiserver_longrunning_requests",
			Help: "Watches and other requests that go on for ever."}, of),
		drops: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "apiserver_dropped_requests_total",
			Help: "Requests that were answered with 429, because there were too many."}, []string{"request_kind"}),
	}
	m.writes = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "etcd_request_duration_seconds",
		Help: "How long writes took until they were durable, whichever engine the store is.", Buckets: []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}}, []string{"operation", "type"})
	m.commits = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "apiserver_storage_writes_per_commit",
		Help: "How many writes became durable together.", Buckets: prometheus.ExponentialBuckets(1, 2, 11)})
	m.events = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "apiserver_watch_events_total", Help: "Events that watches were told."}, []string{"group", "version", "resource"})
	size := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "apiserver_storage_size_bytes", Help: "Size of the store's file."}, func() float64 {
		info, err := os.Stat(storeFile)
		if err != nil {
			return 0
		}
		return float64(info.Size())
	})
	m.registry.MustRegister(m.requests, m.durations, m.sizes, m.current, m.longRunning, m.drops, m.events, m.writes, m.commits, size,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves them as text.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// WithMetrics is the filter that counts.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/metrics/metrics.go Monitor
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/metrics/metrics.go MonitorRequest
func (m *Metrics) WithMetrics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		of := m.labels(req)
		start, counted := time.Now(), &counter{ResponseWriter: w}
		if request.InfoFrom(req.Context()).Verb == "watch" {
			counted.events = m.events.WithLabelValues(of[1:4]...)
		}
		if LongRunning(req) {
			g := m.longRunning.WithLabelValues(of...)
			g.Inc()
			defer g.Dec()
		}
		finished := false
		defer func() {
			code := counted.code
			switch {
			case !finished:
				code = http.StatusInternalServerError // a panic, which is answered further out
			case code == 0:
				code = http.StatusOK
			}
			m.requests.WithLabelValues(append([]string{strconv.Itoa(code)}, of...)...).Inc()
			if !LongRunning(req) {
				m.durations.WithLabelValues(of...).Observe(time.Since(start).Seconds())
				m.sizes.WithLabelValues(of...).Observe(float64(counted.bytes))
			}
		}()
		next.ServeHTTP(counted, req)
		finished = true
	})
}

// labels say what a request is about.
func (m *Metrics) labels(req *http.Request) []string {
	info := request.InfoFrom(req.Context())
	verb := map[string]string{
		"get": "GET", "list": "LIST", "watch": "WATCH", "create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE",
		"deletecollection": "DELETECOLLECTION", "post": "POST", "put": "PUT", "head": "HEAD", "options": "OPTIONS",
	}[info.Verb]
	if verb == "" {
		verb = "other"
	}
	if !info.IsResource || m.Known != nil && !m.Known(info.Group, info.Resource) {
		return []string{verb, "", "", "", "", ""}
	}
	scope := "cluster"
	switch {
	case info.Name != "":
		scope = "resource"
	case info.Namespace != "":
		scope = "namespace"
	}
	return []string{verb, info.Group, info.Version, info.Resource, info.Subresource, scope}
}

// inFlight counts a request until the function that it returns is called.
func (m *Metrics) inFlight(kind string) (done func()) {
	g := m.current.WithLabelValues(kind)
	g.Inc()
	return g.Dec
}

func (m *Metrics) dropped(kind string) { m.drops.WithLabelValues(kind).Inc() }

// counter sees what is written.
type counter struct {
	http.ResponseWriter
	code, bytes int
	written     bool               // something, since the last flush
	events      prometheus.Counter // of a watch: each event is flushed by itself
}

// FlushError is what http.ResponseController looks for.
func (c *counter) FlushError() error {
	if c.written && c.events != nil {
		c.events.Inc()
	}
	c.written = false
	return http.NewResponseController(c.ResponseWriter).Flush()
}

// WriteHeader is part of http.ResponseWriter.
func (c *counter) WriteHeader(code int) {
	if c.code == 0 {
		c.code = code
	}
	c.ResponseWriter.WriteHeader(code)
}

// Write is part of http.ResponseWriter.
func (c *counter) Write(p []byte) (int, error) {
	if c.code == 0 {
		c.code = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(p)
	c.bytes += n
	c.written = true
	return n, err
}

// Hijack is part of http.Hijacker: who takes a connection over answers by himself.
func (c *counter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(c.ResponseWriter).Hijack()
	if err == nil && c.code == 0 {
		c.code = http.StatusSwitchingProtocols
	}
	return conn, buffered, err
}

// Unwrap lets http.ResponseController reach the connection.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }
