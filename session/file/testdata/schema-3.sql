CREATE TABLE session (
  -- One row: the account, and the settings that belong to the file.
  -- Times in this file are milliseconds since 1970 (UTC), amounts are tokens.
  id              INTEGER PRIMARY KEY CHECK (id = 1),
  total_tokens    INTEGER NOT NULL CHECK (total_tokens >= 0), -- what all invocations together may write
  used_tokens     INTEGER NOT NULL CHECK (used_tokens >= 0),  -- what they wrote; of those running, what they drew
  handles_named   INTEGER NOT NULL,                           -- the number of the last handle: h1, h2, ...
  handle_ttl_ms   INTEGER NOT NULL,                           -- a handle lives this long from its last use
  store_max_bytes INTEGER NOT NULL,                           -- the most that all blocks together may take
  stored_bytes    INTEGER NOT NULL,                           -- what they take; kept by the triggers on block
  saved_tokens    INTEGER NOT NULL,                           -- of all invocations that ended, expansions subtracted
  created_at      INTEGER NOT NULL,
  counting        TEXT    NOT NULL DEFAULT ''                 -- what its tokens are counted by; empty until there are any
) STRICT;

CREATE TABLE invocation (
  -- Who wrote, who is writing, and what is held: the last thousand, and all with no ended_at.
  -- Reserved is the sum of granted_tokens - drawn_tokens over those with no ended_at.
  id              INTEGER PRIMARY KEY,
  command         TEXT    NOT NULL,           -- redacted
  pid             INTEGER NOT NULL,           -- with the next two: one process, even when its pid is used again
  process_start   TEXT    NOT NULL,
  machine         TEXT    NOT NULL,           -- boot id and pid namespace
  started_at      INTEGER NOT NULL,
  ended_at        INTEGER,                    -- null while it runs or is held; held_until if it expired
  granted_tokens  INTEGER NOT NULL,
  drawn_tokens    INTEGER NOT NULL DEFAULT 0, -- while it runs never less, in the end exactly what it wrote
  response_tokens INTEGER NOT NULL DEFAULT 0, -- what the response itself would have cost
  saved_tokens    INTEGER NOT NULL DEFAULT 0, -- response_tokens less drawn_tokens: of an expansion below zero
  counting        TEXT    NOT NULL DEFAULT '', -- what these amounts are counted by; not known of one that is older than the column
  held_until      INTEGER                     -- of a grant that no process owns, when it expires; null for a run
) STRICT;

CREATE INDEX invocation_running ON invocation (id) WHERE ended_at IS NULL;

CREATE TABLE handle (
  -- A stored response, or the memory of one that is gone.
  id            INTEGER PRIMARY KEY,
  number        INTEGER UNIQUE,             -- 1 is h1; null until it is named; never given twice
  origin        TEXT    NOT NULL,           -- where the response came from, redacted
  redacted      TEXT    NOT NULL,           -- what was taken out of it: pii,pci,secrets or none
  state         TEXT    NOT NULL CHECK (state IN
                ('writing', 'complete', 'incomplete', -- its blocks can be read; incomplete: its writer died
                 'discarded', 'expired', 'evicted', 'removed')), -- its blocks are removed, or about to be
  pid           INTEGER NOT NULL,           -- of its writer, as in invocation
  process_start TEXT    NOT NULL,
  machine       TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  last_used_at  INTEGER NOT NULL,
  ttl_ms        INTEGER NOT NULL,
  gone_at       INTEGER,                    -- null while its blocks can be read
  chunks        INTEGER NOT NULL DEFAULT 0, -- this and the next two are kept by the triggers on block
  bytes         INTEGER NOT NULL DEFAULT 0, -- of the response
  stored_bytes  INTEGER NOT NULL DEFAULT 0  -- of the blocks that are in the file, compressed
) STRICT;

CREATE INDEX handle_live ON handle (last_used_at) WHERE gone_at IS NULL;
CREATE INDEX handle_writing ON handle (id) WHERE state = 'writing';
CREATE INDEX handle_to_sweep ON handle (id) WHERE gone_at IS NOT NULL AND (stored_bytes > 0 OR state = 'discarded');

CREATE TABLE block (
  -- A piece of a response and the index of its chunks; reading it needs no other block.
  id          INTEGER PRIMARY KEY,
  handle      INTEGER NOT NULL REFERENCES handle (id),
  number      INTEGER NOT NULL, -- 0, 1, 2, ... within its handle
  first_chunk INTEGER NOT NULL, -- the number of its first chunk, counted from 1
  last_chunk  INTEGER NOT NULL, -- first_chunk - 1 when no chunk ends in it
  byte_offset INTEGER NOT NULL, -- of its first byte in the response
  bytes       INTEGER NOT NULL, -- of the response that are in it
  content     BLOB    NOT NULL  -- zstd: those bytes, then the index
) STRICT;

CREATE UNIQUE INDEX block_by_chunk ON block (handle, last_chunk, number);

CREATE TRIGGER block_added AFTER INSERT ON block BEGIN
  UPDATE handle SET chunks = NEW.last_chunk, bytes = NEW.byte_offset + NEW.bytes,
    stored_bytes = stored_bytes + length(NEW.content) WHERE id = NEW.handle;
  UPDATE session SET stored_bytes = stored_bytes + length(NEW.content);
END;

CREATE TRIGGER block_grown AFTER UPDATE ON block BEGIN
  UPDATE handle SET chunks = NEW.last_chunk, bytes = NEW.byte_offset + NEW.bytes,
    stored_bytes = stored_bytes - length(OLD.content) + length(NEW.content) WHERE id = NEW.handle;
  UPDATE session SET stored_bytes = stored_bytes - length(OLD.content) + length(NEW.content);
END;

CREATE TRIGGER block_removed AFTER DELETE ON block BEGIN
  UPDATE handle SET stored_bytes = stored_bytes - length(OLD.content) WHERE id = OLD.handle;
  UPDATE session SET stored_bytes = stored_bytes - length(OLD.content);
END;
