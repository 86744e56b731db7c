package kinds

import (
	"cmp"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func podColumns() []printers.Column {
	none := "<none>"
	return []printers.Column{
		printers.Name,
		{Name: "Ready", Type: "string", Text: "The aggregate readiness state of this pod for accepting traffic.", Cell: func(o *object.Object) any { return summarise(o).ready() }},
		{Name: "Status", Type: "string", Text: "The aggregate status of the containers in this pod.", Cell: func(o *object.Object) any { return summarise(o).word }},
		{Name: "Restarts", Type: "string", Text: "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.", Cell: func(o *object.Object) any { return summarise(o).restarted() }},
		printers.Age,
		{Name: "IP", Type: "string", Priority: 1, Of: "status.podIP", Cell: func(o *object.Object) any { return or(podIP(o), none) }},
		{Name: "Node", Type: "string", Priority: 1, Of: "spec.nodeName", Cell: textAt(none, "spec", "nodeName")},
		{Name: "Nominated Node", Type: "string", Priority: 1, Of: "status.nominatedNodeName", Cell: textAt(none, "status", "nominatedNodeName")},
		{Name: "Readiness Gates", Type: "string", Priority: 1, Of: "spec.readinessGates", Cell: func(o *object.Object) any { return readinessGates(o) }},
	}
}

// ended marks the lines of pods that need nobody's attention any more.
//
// Upstream: pkg/printers/internalversion/printers.go podSuccessConditions
func ended(o *object.Object) []printers.Condition {
	c := printers.Condition{Type: "Completed", Status: "True", Reason: rules.Text(o.Fields, "status", "phase")}
	switch c.Reason {
	case "Succeeded":
		c.Message = "The pod has completed successfully."
	case "Failed":
		c.Message = "The pod failed."
	default:
		return nil
	}
	return []printers.Condition{c}
}

// summary is what a table says of a pod's containers.
type summary struct {
	containers, running int
	restarts            int64
	last                string // time of the last restart
	word                string // the phase, or what is in the way
}

func (s summary) ready() string { return fmt.Sprintf("%d/%d", s.running, s.containers) }

func (s summary) restarted() string {
	if s.restarts > 0 && s.last != "" {
		return fmt.Sprintf("%d (%s ago)", s.restarts, printers.AgeOf(s.last))
	}
	return fmt.Sprint(s.restarts)
}

// summarise walks through the containers in the order in which they start.
//
// Upstream: pkg/printers/internalversion/printers.go printPod
func summarise(o *object.Object) summary {
	now := status(o)
	phase := rules.Text(now, "phase")
	s := summary{containers: len(rules.List(o.Fields, "spec", "containers")), word: cmp.Or(rules.Text(now, "reason"), phase)}
	if condition(o, "PodScheduled", "reason") == "SchedulingGated" {
		s.word = "SchedulingGated"
	}
	if !s.initialise(o) || condition(o, "Initialized", "status") == "True" {
		s.run(o)
	}
	if o.Meta.DeletionTimestamp != "" {
		if rules.Text(now, "reason") == "NodeLost" {
			s.word = "Unknown"
		} else if phase != "Failed" && phase != "Succeeded" {
			s.word = "Terminating"
		}
	}
	return s
}

// initialise counts the containers that come first; true while one of them is
// still in the way of the others.
func (s *summary) initialise(o *object.Object) bool {
	sidecars := map[string]bool{} // those that stay beside the others
	for _, c := range rules.Items(o.Fields, "spec", "initContainers") {
		if c["restartPolicy"] == "Always" {
			sidecars[rules.Text(c, "name")] = true
			s.containers++
		}
	}
	var past summary // what init containers did is forgotten when they are through
	for i, c := range rules.Items(o.Fields, "status", "initContainerStatuses") {
		past.count(c)
		if sidecars[rules.Text(c, "name")] {
			s.count(c)
		}
		ended := rules.Map(c, "state", "terminated")
		switch {
		case ended != nil && rules.Int(ended, "exitCode") == 0:
			continue
		case sidecars[rules.Text(c, "name")] && rules.Bool(c, "started"):
			if rules.Bool(c, "ready") {
				s.running++
			}
			continue
		case ended != nil:
			s.word = "Init:" + ending(ended)
		case waiting(c) != "" && waiting(c) != "PodInitializing":
			s.word = "Init:" + waiting(c)
		default:
			s.word = fmt.Sprintf("Init:%d/%d", i, len(rules.List(o.Fields, "spec", "initContainers")))
		}
		s.restarts, s.last = past.restarts, past.last
		return true
	}
	return false
}

// run counts the containers proper. The first one in the list has the last word.
func (s *summary) run(o *object.Object) {
	list := rules.List(o.Fields, "status", "containerStatuses")
	running, failed := false, ""
	for i := len(list) - 1; i >= 0; i-- {
		c, _ := list[i].(tree)
		s.count(c)
		ended := rules.Map(c, "state", "terminated")
		switch {
		case waiting(c) != "":
			s.word = waiting(c)
		case ended != nil:
			s.word = ending(ended)
			if rules.Int(ended, "exitCode") != 0 {
				failed = s.word
			}
		case rules.Bool(c, "ready") && rules.Get(c, "state", "running") != nil:
			running = true
			s.running++
		}
	}
	switch {
	case s.word != "Completed":
	case running && condition(o, "Ready", "status") == "True":
		s.word = "Running"
	case failed != "":
		s.word = failed
	case running:
		s.word = "NotReady"
	}
}

func (s *summary) count(c tree) {
	s.restarts += rules.Int(c, "restartCount")
	s.last = max(s.last, rules.Text(c, "lastState", "terminated", "finishedAt")) // RFC 3339 in UTC sorts by time
}

func waiting(c tree) string { return rules.Text(c, "state", "waiting", "reason") }

func ending(terminated tree) string {
	if reason := rules.Text(terminated, "reason"); reason != "" {
		return reason
	}
	if signal := rules.Int(terminated, "signal"); signal != 0 {
		return fmt.Sprintf("Signal:%d", signal)
	}
	return fmt.Sprintf("ExitCode:%d", rules.Int(terminated, "exitCode"))
}

// condition is one field of the condition of a type, or "".
func condition(o *object.Object, kind, name string) string {
	for _, c := range rules.Items(o.Fields, "status", "conditions") {
		if c["type"] == kind {
			return rules.Text(c, name)
		}
	}
	return ""
}

func readinessGates(o *object.Object) string {
	gates, met := 0, 0
	for _, g := range rules.Items(o.Fields, "spec", "readinessGates") {
		gates++
		if condition(o, rules.Text(g, "conditionType"), "status") == "True" {
			met++
		}
	}
	if gates == 0 {
		return "<none>"
	}
	return fmt.Sprintf("%d/%d", met, gates)
}
