package fields

// Naming is how lines name a field: by a key, a pair or a column.
type Naming struct {
	IsKey     bool  // of lines that are a name and its value
	IsPair    bool  // or have such among others
	Column    int32 // of a name that lines begin with: where it begins
	Outermost int   // of the same name: the place in the column where it came first
	IsColumn  bool  // of lines that are rows
	Prose     int   // values of such that are long
}
