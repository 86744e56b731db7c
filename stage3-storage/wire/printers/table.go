package printers

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// Column is one column of a kind's table.
type Column struct {
	Name     string
	Type     string // string, integer, boolean
	Format   string // "name" marks the column that names the object
	Priority int    // above 0: only shown in wide output
	Of       string // path of the field that it shows, whose description it takes
	Text     string // its description, where it shows no field
	Cell     func(o *object.Object) any
}

// Name and Age are the columns that every kind has.
var (
	Name = Column{Name: "Name", Type: "string", Format: "name", Of: "metadata.name", Cell: func(o *object.Object) any { return o.Meta.Name }}
	Age  = Column{Name: "Age", Type: "string", Of: "metadata.creationTimestamp", Cell: func(o *object.Object) any { return AgeOf(o.Meta.CreationTimestamp) }}
)

// created stands in for Age in tables of kinds without columns of their own.
var created = Column{Name: "Created At", Type: "date", Of: "metadata.creationTimestamp", Cell: func(o *object.Object) any { return o.Meta.CreationTimestamp }}

// Row is what a table is made from.
type Row struct {
	Resource catalog.Resource
	Columns  []Column
	Schema   *schema.Schema // describes the columns; may be nil
}

// Views are the rows of the table of views. rows finds the columns of a resource.
func Views(rows func(catalog.Resource, string) Row) []endpoints.View {
	return []endpoints.View{
		{As: "Table", Lists: true, Single: true, Render: func(r endpoints.ViewRequest) ([]byte, error) {
			return table(r, rows(r.Resource, r.Subresource))
		}},
		{As: "PartialObjectMetadata", Single: true, Render: func(r endpoints.ViewRequest) ([]byte, error) {
			return partial(r.Items[0], r.Version)
		}},
		{As: "PartialObjectMetadataList", Lists: true, Render: partialList},
	}
}

type columnDefinition struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Format      string `json:"format"`
	Description string `json:"description"`
	Priority    int    `json:"priority"`
}

type tableRow struct {
	Cells  []any           `json:"cells"`
	Object json.RawMessage `json:"object,omitempty"`
}

func table(r endpoints.ViewRequest, row Row) ([]byte, error) {
	columns := row.Columns
	if columns == nil {
		columns = []Column{Name, created}
	}
	t := struct {
		Kind       string             `json:"kind"`
		APIVersion string             `json:"apiVersion"`
		Metadata   endpoints.ListMeta `json:"metadata"`
		Columns    []columnDefinition `json:"columnDefinitions"`
		Rows       []tableRow         `json:"rows"`
	}{Kind: "Table", APIVersion: "meta.k8s.io/" + r.Version, Rows: []tableRow{}}
	if r.List != nil {
		t.Metadata = *r.List
	} else if len(r.Items) == 1 {
		t.Metadata.ResourceVersion = strconv.FormatInt(r.Items[0].Revision(), 10)
	}
	if !r.OmitDefinition {
		t.Columns = define(columns, row.Schema)
	}
	for _, item := range r.Items {
		obj, err := item.Object()
		if err != nil {
			return nil, err
		}
		line := tableRow{}
		for _, c := range columns {
			line.Cells = append(line.Cells, c.Cell(obj))
		}
		if line.Object, err = rowObject(item, r); err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, line)
	}
	return json.Marshal(t)
}

func define(columns []Column, s *schema.Schema) []columnDefinition {
	var list []columnDefinition
	for _, c := range columns {
		text := c.Text
		if c.Of != "" {
			text = describe(s, c.Of)
		}
		list = append(list, columnDefinition{c.Name, c.Type, c.Format, text, c.Priority})
	}
	return list
}

func rowObject(item *object.Encoded, r endpoints.ViewRequest) ([]byte, error) {
	switch r.IncludeObject {
	case "None":
		return []byte("null"), nil
	case "Object":
		return item.JSON(), nil
	}
	return partial(item, r.Version)
}

// partial is an object's metadata as an object of its own.
func partial(item *object.Encoded, version string) ([]byte, error) {
	obj, err := item.Object()
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Kind       string      `json:"kind"`
		APIVersion string      `json:"apiVersion"`
		Metadata   object.Meta `json:"metadata"`
	}{"PartialObjectMetadata", "meta.k8s.io/" + version, obj.Meta})
}

func partialList(r endpoints.ViewRequest) ([]byte, error) {
	list := struct {
		Kind       string             `json:"kind"`
		APIVersion string             `json:"apiVersion"`
		Metadata   endpoints.ListMeta `json:"metadata"`
		Items      []json.RawMessage  `json:"items"`
	}{"PartialObjectMetadataList", "meta.k8s.io/" + r.Version, *r.List, []json.RawMessage{}}
	for _, item := range r.Items {
		body, err := partial(item, r.Version)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, body)
	}
	return json.Marshal(list)
}

// AgeOf says how long ago a time was, as roughly as people want to know.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/duration/duration.go HumanDuration
func AgeOf(timestamp string) string {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return "<unknown>"
	}
	return Duration(time.Since(t))
}

// Duration writes a duration in one or two units.
func Duration(d time.Duration) string {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	two := func(big, small time.Duration, b, s string) string {
		if rest := d % big / small; rest > 0 {
			return fmt.Sprintf("%d%s%d%s", d/big, b, rest, s)
		}
		return fmt.Sprintf("%d%s", d/big, b)
	}
	switch {
	case d < -time.Second:
		return "<invalid>"
	case d < 0:
		return "0s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < 10*time.Minute:
		return two(time.Minute, time.Second, "m", "s")
	case d < 3*time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 8*time.Hour:
		return two(time.Hour, time.Minute, "h", "m")
	case d < 2*day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 8*day:
		return two(day, time.Hour, "d", "h")
	case d < 2*year:
		return fmt.Sprintf("%dd", d/day)
	case d < 8*year:
		return two(year, day, "y", "d")
	}
	return fmt.Sprintf("%dy", d/year)
}

// describe is what the schema says of a field.
func describe(s *schema.Schema, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		s = s.Field(name)
	}
	if s == nil {
		return ""
	}
	return s.Description
}
