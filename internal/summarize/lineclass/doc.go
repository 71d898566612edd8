// Package lineclass says what one line is: its level, whether it reports an error, how a run ended
// by it, which place in code it names, where its time is and whether it is source code. A line of
// UTF-8 comes in; a class goes out.
//
// Only [Levels] keeps state, one counter a level. No function looks at other lines.
package lineclass
