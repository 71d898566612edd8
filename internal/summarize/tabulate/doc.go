// Package tabulate writes chunks as tables: records that have the same members become rows under one
// header, members that all rows share are written once around them, and cells that do not fit are left out, the
// widest first. A Tabulator takes records in; it gives the table that fits.
//
// A table is JSON, or text where the records are lines. No cell says more than its record.
package tabulate
