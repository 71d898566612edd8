package lineclass

// LevelScale is what the numbers of a field say of how severe something is.
type LevelScale uint8

const (
	Unnamed    LevelScale = iota // the name has not been looked at
	NoLevels                     // nothing
	SyslogLike                   // 0 to 7, of which those up to 3 are errors (RFC 5424, 6.2.1)
	BunyanLike                   // tens up to 60, of which those from 50 on are errors (bunyan, pino)
)
