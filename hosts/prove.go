package hosts

// probeSession is the ID of the session that a probe runs in.
const probeSession = "kfw-doctor"
