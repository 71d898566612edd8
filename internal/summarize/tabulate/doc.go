// Package tabulate writes chunks as tables: records that have the same members become rows under one
// header, what all rows share is written once around them, and what does not fit is left out, the
// widest cells first. A Tabulator takes records in; it gives the table that fits.
//
// A table is JSON, or text where the records are lines. No cell says more than its record.
package tabulate
