// Package texttable finds tables in lines: columns set apart by blanks, tabs, bars or commas, and
// lines of one known format after another. Lines come in; cells go out, each with the column that it is
// in.
//
// A table begins after a trial: the first lines are held, at most MaxHeld of them, until it is certain that
// they are rows. What is held is never lent.
package texttable
