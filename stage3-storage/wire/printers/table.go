package printers

import (
	"encoding/json"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// Column is one column of a kind's table.
type Column struct {
	Name     string
	Type     string // string, integer, boolean, date
	Format   string // "name" marks the column that names the object
	Priority int    // above 0: only shown in wide output
	Of       string // path of the field that it shows, whose description it takes
	Text     string // its description, where it shows no field
	Cell     func(o *object.Object) any
}

// Name and Age are the columns that nearly every kind has.
var (
	Name = Column{Name: "Name", Type: "string", Format: "name", Of: "metadata.name", Cell: func(o *object.Object) any { return o.Meta.Name }}
	Age  = Column{Name: "Age", Type: "string", Of: "metadata.creationTimestamp", Cell: func(o *object.Object) any { return AgeOf(o.Meta.CreationTimestamp) }}
)

// generic are the columns of kinds without columns of their own.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/rest/table.go NewDefaultTableConvertor
var generic = []Column{
	Name,
	{Name: "Created At", Type: "date", Of: "metadata.creationTimestamp", Cell: func(o *object.Object) any { return o.Meta.CreationTimestamp }},
}

// Row is what a table is made from.
type Row struct {
	Resource catalog.Resource
	Columns  []Column       // nil: name and time of creation
	Schema   *schema.Schema // describes the columns; may be nil
	// Conditions tell clients what a line is about without their reading the cells; may be nil.
	Conditions func(o *object.Object) []Condition
}

// Condition is something to know about a line.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1alpha1/types.go TableRowCondition
// Now: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go TableRowCondition
type Condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

type columnDefinition struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Format      string `json:"format"`
	Description string `json:"description"`
	Priority    int    `json:"priority"`
}

type tableRow struct {
	Cells      []any           `json:"cells"`
	Conditions []Condition     `json:"conditions,omitempty"`
	Object     json.RawMessage `json:"object"`
}

// table shows objects as lines of cells.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1alpha1/types.go Table
// Now: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go Table
func table(r negotiation.ViewRequest, row Row) ([]byte, error) {
	if err := checkInclude(r.IncludeObject); err != nil {
		return nil, err
	}
	columns := row.Columns
	if columns == nil {
		columns = generic
	}
	t := struct {
		Kind       string               `json:"kind"`
		APIVersion string               `json:"apiVersion"`
		Metadata   negotiation.ListMeta `json:"metadata"`
		Columns    []columnDefinition   `json:"columnDefinitions"` // null in all events of a watch but the first
		Rows       []tableRow           `json:"rows"`
	}{Kind: "Table", APIVersion: "meta.k8s.io/" + r.Version, Metadata: listMeta(r), Rows: []tableRow{}}
	if !r.OmitDefinition {
		t.Columns = define(columns, row.Schema)
	}
	for _, item := range r.Items {
		line, err := lineOf(item, columns, row.Conditions, r)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, line)
	}
	return json.Marshal(t)
}

func checkInclude(object string) error {
	switch object {
	case "", "Metadata", "Object", "None":
		return nil
	}
	return status.BadRequest("Unable to convert to Table as requested: includeObject: Invalid value: %q: must be 'Metadata', 'Object', 'None', or empty", object)
}

// listMeta: a table of one object has the version of the object.
func listMeta(r negotiation.ViewRequest) negotiation.ListMeta {
	switch {
	case r.List != nil:
		return *r.List
	case len(r.Items) == 1 && r.Items[0].Revision() > 0:
		return negotiation.ListMeta{ResourceVersion: strconv.FormatInt(r.Items[0].Revision(), 10)}
	}
	return negotiation.ListMeta{}
}

func lineOf(item *object.Encoded, columns []Column, conditions func(*object.Object) []Condition, r negotiation.ViewRequest) (tableRow, error) {
	obj, err := item.Object()
	if err != nil {
		return tableRow{}, err
	}
	line := tableRow{Cells: make([]any, len(columns))}
	for i, c := range columns {
		line.Cells[i] = c.Cell(obj)
	}
	if conditions != nil {
		line.Conditions = conditions(obj)
	}
	switch r.IncludeObject {
	case "None":
		line.Object = json.RawMessage("null")
	case "Object":
		line.Object = item.JSON()
	default:
		line.Object, err = partial(item, r.Version)
	}
	return line, err
}

func define(columns []Column, s *schema.Schema) []columnDefinition {
	list := make([]columnDefinition, len(columns))
	for i, c := range columns {
		text := c.Text
		if c.Of != "" {
			text = describe(s, c.Of)
		}
		list[i] = columnDefinition{c.Name, c.Type, c.Format, text, c.Priority}
	}
	return list
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
