// Package tsv reads the tables of docs/data: a line of column names, then one
// row a line, cells between tabs. Lines that begin with # and empty lines are
// left out. A cell holds no tab; where it is shown, "\n" in it is a line break.
package tsv

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Row is one row by column names, with where it stands.
type Row struct {
	File string
	Line int
	cell map[string]string
}

// Get is a cell. A cell in two languages is found with the language: columns
// says.en and says.zh.
func (r Row) Get(column string) string { return strings.ReplaceAll(r.cell[column], `\n`, "\n") }

// At is where the row stands.
func (r Row) At() string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

// Read reads file; columns are those that must be there. A file that does not
// exist has no rows.
func Read(file string, columns ...string) ([]Row, error) {
	src, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	var rows []Row
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if names == nil {
			names = cells
			continue
		}
		if len(cells) != len(names) {
			return nil, fmt.Errorf("%s:%d: %d cells, but there are %d columns (%s)", file, n, len(cells), len(names), strings.Join(names, ", "))
		}
		row := Row{filepath.Base(file), n, map[string]string{}}
		for i, name := range names {
			row.cell[name] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, row)
	}
	for _, c := range columns {
		if len(rows) > 0 {
			if _, ok := rows[0].cell[c]; !ok {
				return nil, fmt.Errorf("%s: there is no column %q", file, c)
			}
		}
	}
	return rows, nil
}
