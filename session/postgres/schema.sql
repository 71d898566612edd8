-- Version 1. A migration is a file of its own, which brings a database from the version before to the next one.
--
-- Amounts are tokens, lengths of time milliseconds; moments are those of the server's clock. Functions that runs call
-- are executed as the owner of this schema. Each begins with kfw.enter, which refuses a tenant that is not the
-- caller's, or asks for a token that only the right caller has. The lock of a session's row comes first, then those
-- of its invocations, then those of handles. No transaction that has it waits for the disk: whoever calls waits for
-- kfw.flushed.

CREATE TABLE kfw.session (
  -- A ledger. What is left is total_tokens - used_tokens - held_tokens.
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant          text   NOT NULL, -- the role whose it is
  name            text   NOT NULL,
  total_tokens    bigint NOT NULL CHECK (total_tokens >= 0), -- what all invocations together may write
  used_tokens     bigint NOT NULL DEFAULT 0 CHECK (used_tokens >= 0), -- what those wrote that are folded
  held_tokens     bigint NOT NULL DEFAULT 0 CHECK (held_tokens >= 0), -- what those were granted that are not folded
  saved_tokens    bigint NOT NULL DEFAULT 0, -- by those that are folded
  entries         bigint NOT NULL DEFAULT 0, -- the number of the last invocation
  handles_named   bigint NOT NULL DEFAULT 0, -- the number of the last handle: h1, h2, ...
  handle_ttl_ms   bigint NOT NULL,           -- a handle lives this long from its last use
  store_max_bytes bigint NOT NULL,           -- the most that all blocks together may take
  counting        text   NOT NULL DEFAULT '',-- what its tokens are counted by; empty until there are any
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (tenant, name)
) WITH (fillfactor = 50);

CREATE TABLE kfw.invocation (
  -- Who wrote, who is writing, and what is held. It is folded when its tokens are in the account of its session.
  session         bigint NOT NULL REFERENCES kfw.session ON DELETE CASCADE,
  number          bigint NOT NULL,
  token           uuid   NOT NULL, -- of the call that made it: one that is repeated makes no second
  kind            text   NOT NULL CHECK (kind IN ('run', 'held', 'spent', 'recorded')),
  command         text   NOT NULL, -- redacted
  host            text   NOT NULL,
  started_at      timestamptz NOT NULL,
  lease_until     timestamptz NOT NULL, -- what it holds is free from then on, unless that is renewed
  ended_at        timestamptz,          -- null while it runs or is held
  folded          boolean NOT NULL DEFAULT false,
  settled_by      uuid,                 -- of a held grant: the call that settled or released it
  left_tokens     bigint NOT NULL DEFAULT 0, -- what the session had left when it was granted, itself included
  granted_tokens  bigint NOT NULL,
  drawn_tokens    bigint NOT NULL,      -- while it runs never less, in the end exactly what it wrote
  response_tokens bigint NOT NULL DEFAULT 0, -- what the response itself would have cost
  saved_tokens    bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (session, number),
  CHECK (drawn_tokens >= 0 AND (kind <> 'run' OR drawn_tokens <= granted_tokens))
) WITH (fillfactor = 70);

CREATE INDEX invocation_open ON kfw.invocation (session) WHERE NOT folded;
CREATE UNIQUE INDEX invocation_token ON kfw.invocation (session, token);

CREATE TABLE kfw.handle (
  -- A stored response, or the memory of one that is gone.
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session       bigint NOT NULL REFERENCES kfw.session ON DELETE CASCADE,
  token         uuid   NOT NULL,            -- of its writer
  number        bigint,                     -- 1 is h1; null until it is named
  origin        text   NOT NULL,            -- where the response came from, redacted
  redacted      text   NOT NULL,            -- what was taken out of it
  format        text   NOT NULL,            -- in which it was shown
  host          text   NOT NULL,
  state         text   NOT NULL CHECK (state IN
                ('writing', 'complete', 'incomplete', -- its blocks can be read; incomplete: its writer died
                 'discarded', 'expired', 'evicted', 'removed')), -- its blocks are removed, or about to be
  created_at    timestamptz NOT NULL,
  lease_until   timestamptz NOT NULL,       -- its writer is taken to be dead from then on
  ttl           interval NOT NULL,
  expires_at    timestamptz NOT NULL,       -- ttl after its last use
  gone_at       timestamptz,                -- null while its blocks can be read
  result        bytea,                      -- of a response that was shown since the last reset: a hash of it
  call          bytea,                      -- the same: a hash of what it is the response to
  entry         bigint,                     -- the same: the last entry on the ledger when it was shown
  asked         bytea,                      -- the same, shown in part: a hash of the question
  lines_of      bytea,                      -- once the reader has it: what its lines are recognized by
  lines         bytea,                      -- the same: a hash of each line, 8 bytes
  chunks        bigint NOT NULL DEFAULT 0,
  bytes         bigint NOT NULL DEFAULT 0,  -- of the response
  stored_bytes  bigint NOT NULL DEFAULT 0,  -- of its blocks
  UNIQUE (session, number),
  UNIQUE (session, token)
);

CREATE INDEX handle_live ON kfw.handle (session, expires_at) WHERE gone_at IS NULL AND state <> 'writing';
CREATE INDEX handle_writing ON kfw.handle (session, lease_until) WHERE state = 'writing';
CREATE INDEX handle_stored ON kfw.handle (session, id) INCLUDE (stored_bytes) WHERE stored_bytes > 0;
CREATE INDEX handle_to_sweep ON kfw.handle (session, id)
  WHERE gone_at IS NOT NULL AND (stored_bytes > 0 OR state = 'discarded');
CREATE INDEX handle_result ON kfw.handle (session, result) WHERE result IS NOT NULL;
CREATE INDEX handle_call ON kfw.handle (session, call) WHERE call IS NOT NULL;
CREATE INDEX handle_lines ON kfw.handle (session, lines_of) WHERE lines_of IS NOT NULL;

CREATE TABLE kfw.block (
  -- A piece of a response and the index of its chunks; reading it needs no other block.
  handle      bigint NOT NULL REFERENCES kfw.handle ON DELETE CASCADE,
  tenant      text   NOT NULL, -- of its session
  number      bigint NOT NULL, -- 0, 1, 2, ... within its handle
  first_chunk bigint NOT NULL, -- the number of its first chunk, counted from 1
  last_chunk  bigint NOT NULL, -- first_chunk - 1 when no chunk ends in it
  bytes       bigint NOT NULL, -- of the response that are in it
  content     bytea  NOT NULL, -- packed (session/block.go): those bytes, then the index
  PRIMARY KEY (handle, last_chunk, number)
);
ALTER TABLE kfw.block ALTER content SET STORAGE EXTERNAL;

-- may reports whether the role that is logged in is the tenant, or a member of it.
CREATE FUNCTION kfw.may(p_tenant text) RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = p_tenant AND pg_catalog.pg_has_role(session_user, oid, 'MEMBER'))
$$;

ALTER TABLE kfw.session ENABLE ROW LEVEL SECURITY;
ALTER TABLE kfw.invocation ENABLE ROW LEVEL SECURITY;
ALTER TABLE kfw.handle ENABLE ROW LEVEL SECURITY;
ALTER TABLE kfw.block ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON kfw.session USING (kfw.may(tenant));
CREATE POLICY tenant ON kfw.invocation USING (EXISTS (SELECT FROM kfw.session s WHERE s.id = session));
CREATE POLICY tenant ON kfw.handle USING (EXISTS (SELECT FROM kfw.session s WHERE s.id = session));
CREATE POLICY tenant ON kfw.block USING (kfw.may(tenant));

-- strictly lets a commit wait for the disk, whatever the default of the server is.
CREATE FUNCTION kfw.strictly() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
END $$;

-- enter returns the tenant; the default is the role that is logged in. It refuses the tenant of others, and a server
-- that may lose what it has acknowledged: fsync can't be turned on from here, synchronous_commit can.
CREATE FUNCTION kfw.enter(p_tenant text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := coalesce(nullif(p_tenant, ''), session_user);
BEGIN
  IF v_tenant <> session_user AND NOT kfw.may(v_tenant) THEN
    RAISE EXCEPTION 'no such tenant' USING ERRCODE = 'KF004';
  END IF;
  IF current_setting('fsync') = 'off' THEN
    RAISE EXCEPTION 'fsync is off' USING ERRCODE = 'KF001';
  END IF;
  PERFORM kfw.strictly();
  RETURN v_tenant;
END $$;

-- lazily lets what this transaction writes reach the disk with the next one that waits for it.
CREATE FUNCTION kfw.lazily() RETURNS void LANGUAGE sql AS $$
  SELECT set_config('synchronous_commit', 'off', true)
$$;

-- flushed is a transaction that waits for the disk, and so for all that were committed before it: the log has one
-- order.
CREATE FUNCTION kfw.flushed() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM kfw.strictly();
  PERFORM pg_logical_emit_message(true, 'kfw', '');
END $$;

CREATE FUNCTION kfw.ms(p_ms bigint) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT make_interval(secs => p_ms / 1000.0::double precision)
$$;

-- found returns a session that is there, without a lock.
CREATE FUNCTION kfw.found(p_tenant text, p_name text) RETURNS kfw.session LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := kfw.enter(p_tenant);
  s kfw.session;
BEGIN
  SELECT * INTO s FROM kfw.session WHERE tenant = v_tenant AND name = p_name;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no such session' USING ERRCODE = 'KF002';
  END IF;
  RETURN s;
END $$;

-- made returns a session, which is made if it is not there.
CREATE FUNCTION kfw.made(p_tenant text, p_name text, p_total bigint, p_ttl_ms bigint, p_store_max bigint)
  RETURNS kfw.session LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := kfw.enter(p_tenant);
  s kfw.session;
BEGIN
  SELECT * INTO s FROM kfw.session WHERE tenant = v_tenant AND name = p_name;
  IF NOT FOUND THEN
    INSERT INTO kfw.session (tenant, name, total_tokens, handle_ttl_ms, store_max_bytes)
      VALUES (v_tenant, p_name, p_total, p_ttl_ms, p_store_max) ON CONFLICT DO NOTHING;
    SELECT * INTO s FROM kfw.session WHERE tenant = v_tenant AND name = p_name;
  END IF;
  RETURN s;
END $$;

-- locked returns a session whose row no other transaction changes until this one ends. What invocations held that
-- have ended, or whose lease is over, is given back; kfw.stored puts that into the row. A draw that comes at the same
-- time waits for the row of its invocation, or this waits for it: then the condition is looked at again, and the
-- lease is new.
CREATE FUNCTION kfw.locked(p_session bigint) RETURNS kfw.session LANGUAGE plpgsql AS $$
DECLARE
  s kfw.session;
  v_now timestamptz;
  v_drawn numeric;
  v_granted numeric;
  v_saved numeric;
BEGIN
  PERFORM kfw.lazily();
  PERFORM set_config('lock_timeout', '10s', true);
  SELECT * INTO s FROM kfw.session WHERE id = p_session FOR NO KEY UPDATE;
  v_now := clock_timestamp();
  WITH ended AS (
    UPDATE kfw.invocation SET folded = true,
        ended_at = coalesce(ended_at, CASE WHEN kind = 'held' THEN lease_until ELSE v_now END)
      WHERE session = s.id AND NOT folded AND (ended_at IS NOT NULL OR lease_until < v_now)
      RETURNING drawn_tokens, granted_tokens, saved_tokens
  ) SELECT coalesce(sum(drawn_tokens), 0), coalesce(sum(granted_tokens), 0), coalesce(sum(saved_tokens), 0)
    INTO v_drawn, v_granted, v_saved FROM ended;
  s.used_tokens := least(s.used_tokens + v_drawn, 1::bigint << 60);
  s.held_tokens := s.held_tokens - v_granted;
  s.saved_tokens := s.saved_tokens + v_saved;
  RETURN s;
END $$;

CREATE FUNCTION kfw.stored(s kfw.session) RETURNS void LANGUAGE sql AS $$
  UPDATE kfw.session SET total_tokens = s.total_tokens, used_tokens = s.used_tokens, held_tokens = s.held_tokens,
    saved_tokens = s.saved_tokens, entries = s.entries, handles_named = s.handles_named, counting = s.counting
    WHERE id = s.id
$$;

-- entered adds an entry to the ledger of a locked session. Of the oldest it removes some now and then.
CREATE FUNCTION kfw.entered(INOUT s kfw.session, p_token text, p_kind text, p_command text, p_host text, p_until timestamptz,
  p_left bigint, p_granted bigint, p_drawn bigint, p_response bigint) LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_open boolean := p_kind IN ('run', 'held');
BEGIN
  s.entries := s.entries + 1;
  INSERT INTO kfw.invocation (session, number, token, kind, command, host, started_at, lease_until, ended_at, folded,
      left_tokens, granted_tokens, drawn_tokens, response_tokens)
    VALUES (s.id, s.entries, p_token::uuid, p_kind, p_command, p_host, v_now, coalesce(p_until, v_now),
      CASE WHEN NOT v_open THEN v_now END, NOT v_open, p_left, p_granted, p_drawn, p_response);
  IF s.entries % 64 = 0 THEN
    DELETE FROM kfw.invocation WHERE session = s.id AND number <= s.entries - 1000 AND folded;
  END IF;
END $$;

-- spent adds what was used without a grant, once for each token.
CREATE FUNCTION kfw.spent(INOUT s kfw.session, p_token text, p_tokens bigint, p_command text, p_host text)
  LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM kfw.invocation WHERE session = s.id AND token = p_token::uuid) THEN
    RETURN;
  END IF;
  s := kfw.entered(s, p_token, 'spent', p_command, p_host, NULL, 0, 0, p_tokens, 0);
  s.used_tokens := least(s.used_tokens::numeric + p_tokens, 1::bigint << 60);
END $$;

-- account returns what is used and reserved, those included that are not folded.
CREATE FUNCTION kfw.account(s kfw.session, OUT o_total bigint, OUT o_used bigint, OUT o_reserved bigint)
  LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
BEGIN
  o_total := s.total_tokens;
  SELECT least(s.used_tokens + coalesce(sum(drawn_tokens), 0), 1::bigint << 60),
      coalesce(sum(granted_tokens - drawn_tokens) FILTER (WHERE ended_at IS NULL AND lease_until >= v_now), 0)
    INTO o_used, o_reserved FROM kfw.invocation WHERE session = s.id AND NOT folded;
END $$;

CREATE FUNCTION kfw.settings(p_tenant text, p_name text,
  OUT o_total bigint, OUT o_ttl_ms bigint, OUT o_store_max bigint, OUT o_counting text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  o_total := s.total_tokens;
  o_ttl_ms := s.handle_ttl_ms;
  o_store_max := s.store_max_bytes;
  o_counting := s.counting;
END $$;

-- allocate grants tokens to a run. What is drawn at once is p_least and a slice.
CREATE FUNCTION kfw.allocate(p_tenant text, p_name text, p_total bigint, p_ttl_ms bigint, p_store_max bigint, p_token text,
  p_asked bigint, p_least bigint, p_slices bigint, p_lease_ms bigint, p_counting text, p_command text, p_host text,
  OUT o_state text, OUT o_number bigint, OUT o_granted bigint, OUT o_drawn bigint, OUT o_left bigint, OUT o_total bigint,
  OUT o_counting text, OUT o_reserved bigint, OUT o_running bigint, OUT o_held bigint, OUT o_session bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.made(p_tenant, p_name, p_total, p_ttl_ms, p_store_max);
BEGIN
  s := kfw.locked(s.id);
  o_session := s.id;
  o_total := s.total_tokens;
  o_counting := s.counting;
  o_left := greatest(0, s.total_tokens::numeric - s.used_tokens - s.held_tokens);
  IF EXISTS (SELECT FROM kfw.invocation WHERE session = s.id AND token = p_token::uuid) THEN
    o_state := 'granted'; -- and the answer to an earlier try was lost
    SELECT number, granted_tokens, drawn_tokens, left_tokens INTO o_number, o_granted, o_drawn, o_left FROM kfw.invocation
      WHERE session = s.id AND token = p_token::uuid;
  ELSIF s.counting <> '' AND p_counting <> '' AND s.counting <> p_counting THEN
    o_state := 'counting';
  ELSIF o_left < p_least THEN
    o_state := 'exhausted';
    SELECT coalesce(sum(granted_tokens - drawn_tokens), 0), count(*) FILTER (WHERE kind = 'run'),
        count(*) FILTER (WHERE kind = 'held')
      INTO o_reserved, o_running, o_held FROM kfw.invocation
      WHERE session = s.id AND NOT folded AND granted_tokens > drawn_tokens;
  ELSE
    o_state := 'granted';
    o_granted := least(p_asked, o_left);
    o_drawn := least(o_granted, p_least + (o_granted + p_slices - 1) / p_slices);
    s := kfw.entered(s, p_token, 'run', p_command, p_host, clock_timestamp() + kfw.ms(p_lease_ms), o_left, o_granted,
      o_drawn, 0);
    o_number := s.entries;
    s.held_tokens := s.held_tokens + o_granted;
    IF s.counting = '' THEN
      s.counting := p_counting;
    END IF;
  END IF;
  PERFORM kfw.stored(s);
END $$;

-- draw reports whether so many tokens, in all, may be written now: false if the grant was taken back. Who has the
-- token of a grant is whom it was granted to, so this looks at no tenant.
CREATE FUNCTION kfw.draw(p_session bigint, p_number bigint, p_token text, p_drawn bigint, p_lease_ms bigint)
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM kfw.strictly();
  UPDATE kfw.invocation SET drawn_tokens = p_drawn, lease_until = clock_timestamp() + kfw.ms(p_lease_ms)
    WHERE session = p_session AND number = p_number AND token = p_token::uuid AND ended_at IS NULL AND NOT folded
      AND drawn_tokens <= p_drawn;
  RETURN FOUND;
END $$;

-- renew is draw without tokens. It need not reach the disk: a lease that is forgotten only ends sooner.
CREATE FUNCTION kfw.renew(p_session bigint, p_number bigint, p_token text, p_lease_ms bigint)
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM kfw.lazily();
  UPDATE kfw.invocation SET lease_until = clock_timestamp() + kfw.ms(p_lease_ms)
    WHERE session = p_session AND number = p_number AND token = p_token::uuid AND ended_at IS NULL AND NOT folded;
  RETURN FOUND;
END $$;

-- ended ends a run. One that was taken back stays charged with what it drew.
CREATE FUNCTION kfw.ended(p_session bigint, p_number bigint, p_token text, p_spent bigint, p_response bigint)
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM kfw.strictly();
  UPDATE kfw.invocation SET drawn_tokens = p_spent, ended_at = clock_timestamp(), response_tokens = p_response,
      saved_tokens = p_response - p_spent
    WHERE session = p_session AND number = p_number AND token = p_token::uuid AND ended_at IS NULL AND NOT folded
      AND drawn_tokens >= p_spent;
  RETURN FOUND;
END $$;

-- hold grants tokens to no run. Columns that are not the account are those of allocate.
CREATE FUNCTION kfw.hold(p_tenant text, p_name text, p_total bigint, p_ttl_ms bigint, p_store_max bigint, p_token text,
  p_asked bigint, p_hold_ms bigint, p_command text, p_host text,
  OUT o_number bigint, OUT o_granted bigint, OUT o_until timestamptz, OUT o_total bigint, OUT o_used bigint,
  OUT o_reserved bigint, OUT o_running bigint, OUT o_held bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.made(p_tenant, p_name, p_total, p_ttl_ms, p_store_max);
  v_left bigint;
BEGIN
  s := kfw.locked(s.id);
  SELECT number, granted_tokens, lease_until INTO o_number, o_granted, o_until FROM kfw.invocation
    WHERE session = s.id AND token = p_token::uuid;
  IF NOT FOUND THEN
    v_left := greatest(0, s.total_tokens::numeric - s.used_tokens - s.held_tokens);
    IF v_left >= 1 THEN
      o_granted := least(p_asked, v_left);
      o_until := clock_timestamp() + kfw.ms(p_hold_ms);
      s := kfw.entered(s, p_token, 'held', p_command, p_host, o_until, v_left, o_granted, 0, 0);
      o_number := s.entries;
      s.held_tokens := s.held_tokens + o_granted;
    END IF;
  END IF;
  SELECT * INTO o_total, o_used, o_reserved FROM kfw.account(s);
  SELECT count(*) FILTER (WHERE kind = 'run'), count(*) FILTER (WHERE kind = 'held') INTO o_running, o_held
    FROM kfw.invocation WHERE session = s.id AND NOT folded AND granted_tokens > drawn_tokens;
  PERFORM kfw.stored(s);
END $$;

CREATE FUNCTION kfw.spend(p_tenant text, p_name text, p_total bigint, p_ttl_ms bigint, p_store_max bigint, p_token text,
  p_tokens bigint, p_command text, p_host text, OUT o_total bigint, OUT o_used bigint, OUT o_reserved bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.made(p_tenant, p_name, p_total, p_ttl_ms, p_store_max);
BEGIN
  s := kfw.spent(kfw.locked(s.id), p_token, p_tokens, p_command, p_host);
  PERFORM kfw.stored(s);
  SELECT * INTO o_total, o_used, o_reserved FROM kfw.account(s);
END $$;

-- settle ends a held grant: with the tokens that it was used for, or, without a command, unused.
CREATE FUNCTION kfw.settle(p_tenant text, p_name text, p_token text, p_number bigint, p_tokens bigint, p_command text,
  OUT o_state text, OUT o_granted bigint, OUT o_total bigint, OUT o_used bigint, OUT o_reserved bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
  i kfw.invocation;
BEGIN
  s := kfw.locked(s.id);
  SELECT * INTO i FROM kfw.invocation WHERE session = s.id AND number = p_number;
  o_granted := i.granted_tokens;
  o_state := CASE
    WHEN NOT FOUND OR i.kind <> 'held' AND i.ended_at IS NOT NULL THEN 'unknown'
    WHEN i.kind <> 'held' THEN 'running'
    WHEN i.settled_by = p_token::uuid THEN CASE WHEN i.ended_at > i.lease_until THEN 'late' ELSE 'ended' END
    WHEN i.settled_by IS NOT NULL THEN 'settled'
    WHEN i.ended_at IS NULL THEN 'ended'
    WHEN p_command IS NULL THEN 'expired'
    ELSE 'late' END;
  IF o_state IN ('ended', 'late') AND i.settled_by IS NULL THEN
    UPDATE kfw.invocation SET settled_by = p_token::uuid, ended_at = clock_timestamp(), folded = true,
        drawn_tokens = p_tokens, command = coalesce(p_command, command)
      WHERE session = s.id AND number = p_number;
    s.used_tokens := least(s.used_tokens::numeric + p_tokens, 1::bigint << 60);
    IF o_state = 'ended' THEN
      s.held_tokens := s.held_tokens - i.granted_tokens;
    END IF;
  END IF;
  PERFORM kfw.stored(s);
  SELECT * INTO o_total, o_used, o_reserved FROM kfw.account(s);
END $$;

CREATE FUNCTION kfw.record(p_tenant text, p_name text, p_total bigint, p_ttl_ms bigint, p_store_max bigint, p_token text,
  p_command text, p_host text, p_in bigint, p_out bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.made(p_tenant, p_name, p_total, p_ttl_ms, p_store_max);
BEGIN
  s := kfw.locked(s.id);
  IF NOT EXISTS (SELECT FROM kfw.invocation WHERE session = s.id AND token = p_token::uuid) THEN
    s := kfw.entered(s, p_token, 'recorded', p_command, p_host, NULL, 0, 0, p_out, p_in);
  END IF;
  PERFORM kfw.stored(s);
END $$;

-- status returns the account, and the last entries and all held grants, the newest first: one row at least. The
-- account is of one moment, so it is one statement: between two, tokens could move from an invocation to its session.
CREATE FUNCTION kfw.status(p_tenant text, p_name text, p_recent bigint) RETURNS TABLE (o_total bigint, o_used bigint,
  o_reserved bigint, o_all_saved bigint, o_counting text, o_number bigint, o_command text, o_response bigint, o_drawn bigint,
  o_saved bigint, o_started timestamptz, o_granted bigint, o_until timestamptz)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
  v_now timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY
    WITH open AS (SELECT * FROM kfw.invocation WHERE session = s.id AND NOT folded),
    sums AS (SELECT coalesce(sum(drawn_tokens), 0) AS drawn, coalesce(sum(saved_tokens), 0) AS saved,
        coalesce(sum(granted_tokens - drawn_tokens) FILTER (WHERE ended_at IS NULL AND lease_until >= v_now), 0) AS reserved
      FROM open),
    held AS (SELECT number FROM open WHERE kind = 'held' AND ended_at IS NULL AND lease_until >= v_now),
    last AS (SELECT number FROM kfw.invocation WHERE session = s.id ORDER BY number DESC LIMIT p_recent)
    SELECT now.total_tokens, least(now.used_tokens + sums.drawn, 1::bigint << 60)::bigint, sums.reserved::bigint,
      (now.saved_tokens + sums.saved)::bigint, now.counting, i.number, i.command, i.response_tokens, i.drawn_tokens,
      i.saved_tokens, i.started_at, i.granted_tokens, CASE WHEN held.number IS NOT NULL THEN i.lease_until END
    FROM kfw.session now CROSS JOIN sums LEFT JOIN kfw.invocation i ON i.session = now.id AND (i.number IN (SELECT number FROM last)
      OR i.number IN (SELECT number FROM held))
    LEFT JOIN held ON held.number = i.number
    WHERE now.id = s.id ORDER BY i.number DESC;
END $$;

CREATE FUNCTION kfw.history(p_tenant text, p_name text, p_most bigint) RETURNS TABLE (o_command text, o_response bigint,
  o_drawn bigint, o_saved bigint, o_started timestamptz)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  RETURN QUERY SELECT command, response_tokens, drawn_tokens, saved_tokens, started_at FROM (
    SELECT * FROM kfw.invocation WHERE session = s.id AND number > s.entries - p_most ORDER BY number
    ) i WHERE kind = 'run' AND granted_tokens > 0 AND (ended_at IS NOT NULL OR lease_until < clock_timestamp());
END $$;

CREATE FUNCTION kfw.set_total(p_tenant text, p_name text, p_total bigint, p_ttl_ms bigint, p_store_max bigint)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.made(p_tenant, p_name, p_total, p_ttl_ms, p_store_max);
BEGIN
  s := kfw.locked(s.id);
  s.total_tokens := p_total;
  PERFORM kfw.stored(s);
END $$;

CREATE FUNCTION kfw.reset(p_tenant text, p_name text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  PERFORM kfw.stored(kfw.locked(s.id));
  -- Without these locks a run that ends now would be seen to end before this, and be counted after it.
  PERFORM FROM kfw.invocation WHERE session = s.id AND NOT folded FOR UPDATE;
  s := kfw.locked(s.id);
  s.used_tokens := 0;
  s.saved_tokens := 0;
  PERFORM kfw.stored(s);
  UPDATE kfw.handle SET result = NULL, call = NULL, entry = NULL, asked = NULL, lines_of = NULL, lines = NULL
    WHERE session = s.id AND result IS NOT NULL;
END $$;

-- retire marks handles that can no longer be used, at most 64 of each kind: what a dead writer was writing stays
-- readable if it has a name, and a handle that was not used for too long has expired.
CREATE FUNCTION kfw.retire(p_session bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
BEGIN
  UPDATE kfw.handle SET state = CASE WHEN number IS NULL THEN 'discarded' ELSE 'incomplete' END,
      gone_at = CASE WHEN number IS NULL THEN v_now END, expires_at = v_now + ttl
    WHERE id IN (SELECT id FROM kfw.handle WHERE session = p_session AND state = 'writing' AND lease_until < v_now
      ORDER BY lease_until LIMIT 64 FOR UPDATE SKIP LOCKED);
  UPDATE kfw.handle SET state = 'expired', gone_at = expires_at
    WHERE id IN (SELECT id FROM kfw.handle WHERE session = p_session AND gone_at IS NULL AND state <> 'writing'
      AND expires_at <= v_now ORDER BY expires_at LIMIT 64 FOR UPDATE SKIP LOCKED);
END $$;

-- sweep removes at most 64 blocks of one handle that is gone, and reports whether there were any, or a row that is no
-- longer needed.
CREATE FUNCTION kfw.sweep(p_session bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  h kfw.handle;
  v_count bigint;
  v_bytes bigint;
BEGIN
  SELECT * INTO h FROM kfw.handle WHERE session = p_session AND gone_at IS NOT NULL
    AND (stored_bytes > 0 OR state = 'discarded') ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  WITH removed AS (
    DELETE FROM kfw.block WHERE handle = h.id AND (last_chunk, number) IN (
      SELECT last_chunk, number FROM kfw.block WHERE handle = h.id ORDER BY last_chunk, number LIMIT 64)
      RETURNING length(content) AS size
  ) SELECT count(*), coalesce(sum(size), 0) INTO v_count, v_bytes FROM removed;
  IF v_count < 64 AND h.state = 'discarded' THEN
    DELETE FROM kfw.handle WHERE id = h.id;
  ELSE
    UPDATE kfw.handle SET stored_bytes = CASE WHEN v_count < 64 THEN 0 ELSE stored_bytes - v_bytes END,
      asked = NULL, lines_of = NULL, lines = NULL WHERE id = h.id;
  END IF;
  RETURN true;
END $$;

-- keep writes a part of a handle: the first call makes it. A call that is repeated changes nothing more.
-- KF003 means that the session is full; then kfw.make_room.
CREATE FUNCTION kfw.keep(p_tenant text, p_name text, p_total bigint, p_ttl_ms bigint, p_store_max bigint,
  p_own_ttl_ms bigint, p_own_store_max bigint, p_token text, p_lease_ms bigint, p_host text, p_is_first boolean,
  p_origin text, p_redacted text, p_format text,
  p_block bigint, p_first_chunk bigint, p_last_chunk bigint, p_offset bigint, p_bytes bigint, p_content bytea,
  p_is_named boolean, p_number bigint, p_is_complete boolean,
  p_is_shown boolean, p_result bytea, p_call bytea, p_in_part boolean, p_tokens bigint, p_command text,
  OUT o_state text, OUT o_handle bigint, OUT o_number bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.made(p_tenant, p_name, p_total, p_ttl_ms, p_store_max);
  h kfw.handle;
  v_now timestamptz := clock_timestamp();
  v_old bigint;
BEGIN
  o_state := 'kept';
  PERFORM kfw.lazily();
  IF p_is_named OR p_is_shown THEN
    s := kfw.locked(s.id);
  END IF;
  SELECT * INTO h FROM kfw.handle WHERE session = s.id AND token = p_token::uuid FOR UPDATE;
  IF NOT FOUND AND p_is_first THEN
    PERFORM kfw.retire(s.id);
    PERFORM kfw.sweep(s.id);
    INSERT INTO kfw.handle (session, token, origin, redacted, format, host, state, created_at, lease_until, ttl, expires_at)
      VALUES (s.id, p_token::uuid, p_origin, p_redacted, p_format, p_host, 'writing', v_now, v_now + kfw.ms(p_lease_ms),
        kfw.ms(coalesce(nullif(p_own_ttl_ms, 0), s.handle_ttl_ms)),
        v_now + kfw.ms(coalesce(nullif(p_own_ttl_ms, 0), s.handle_ttl_ms)))
      RETURNING * INTO h;
  ELSIF h.state = 'complete' AND p_is_complete THEN -- the answer to an earlier try was lost
    o_handle := h.id;
    o_number := h.number;
    IF h.number IS NULL THEN
      o_state := 'again';
      o_number := p_number;
    END IF;
    RETURN;
  ELSIF h.id IS NULL OR h.state <> 'writing' THEN
    o_state := 'removed';
    RETURN;
  END IF;
  o_handle := h.id;
  IF p_block IS NOT NULL THEN
    SELECT length(content) INTO v_old FROM kfw.block WHERE handle = h.id AND last_chunk >= p_first_chunk - 1
      AND number = p_block;
    IF FOUND THEN
      UPDATE kfw.block SET last_chunk = p_last_chunk, bytes = p_bytes, content = p_content
        WHERE handle = h.id AND last_chunk >= p_first_chunk - 1 AND number = p_block;
    ELSE
      INSERT INTO kfw.block (handle, tenant, number, first_chunk, last_chunk, bytes, content)
        VALUES (h.id, s.tenant, p_block, p_first_chunk, p_last_chunk, p_bytes, p_content);
    END IF;
    h.chunks := p_last_chunk;
    h.bytes := p_offset + p_bytes;
    h.stored_bytes := h.stored_bytes - coalesce(v_old, 0) + length(p_content);
  END IF;
  IF p_is_named AND h.number IS NULL THEN
    IF p_number = 0 THEN
      s.handles_named := s.handles_named + 1;
      h.number := s.handles_named;
    ELSE
      UPDATE kfw.handle SET expires_at = v_now + ttl
        WHERE session = s.id AND number = p_number AND gone_at IS NULL AND (state = 'writing' OR expires_at > v_now);
      IF FOUND THEN
        o_state := 'again';
        o_number := p_number;
      ELSE
        UPDATE kfw.handle SET number = NULL, gone_at = coalesce(gone_at, v_now),
            state = CASE WHEN gone_at IS NULL THEN 'expired' ELSE state END
          WHERE session = s.id AND number = p_number;
        h.number := p_number;
      END IF;
    END IF;
  END IF;
  o_number := coalesce(o_number, h.number);
  IF p_is_complete THEN
    h.state := 'complete';
  END IF;
  IF p_is_shown THEN
    IF p_tokens > 0 THEN
      s := kfw.spent(s, p_token, p_tokens, p_command, p_host);
    END IF;
    h.result := p_result;
    h.call := p_call;
    h.entry := s.entries;
    h.asked := CASE WHEN p_in_part THEN ''::bytea END;
  END IF;
  UPDATE kfw.handle SET number = h.number, state = h.state, result = h.result, call = h.call, entry = h.entry,
      asked = h.asked, chunks = h.chunks, bytes = h.bytes, stored_bytes = h.stored_bytes,
      lease_until = v_now + kfw.ms(p_lease_ms), expires_at = CASE WHEN p_is_complete THEN v_now + ttl ELSE expires_at END
    WHERE id = h.id;
  IF p_block IS NOT NULL AND (SELECT sum(stored_bytes) FROM kfw.handle WHERE session = s.id AND stored_bytes > 0) >
      coalesce(nullif(p_own_store_max, 0), s.store_max_bytes) THEN
    RAISE EXCEPTION 'the session is full' USING ERRCODE = 'KF003';
  END IF;
  IF p_is_named OR p_is_shown THEN
    PERFORM kfw.stored(s);
  END IF;
END $$;

CREATE FUNCTION kfw.renew_handle(p_tenant text, p_name text, p_token text, p_lease_ms bigint) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  PERFORM kfw.lazily();
  UPDATE kfw.handle SET lease_until = clock_timestamp() + kfw.ms(p_lease_ms)
    WHERE session = s.id AND token = p_token::uuid AND state = 'writing';
  RETURN FOUND;
END $$;

CREATE FUNCTION kfw.discard(p_tenant text, p_name text, p_token text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  PERFORM kfw.lazily();
  UPDATE kfw.handle SET state = 'discarded', gone_at = clock_timestamp()
    WHERE session = s.id AND token = p_token::uuid AND (state = 'writing' OR state = 'complete' AND number IS NULL);
  PERFORM kfw.sweep(s.id);
END $$;

-- make_room removes what is expired, or else the handle that was used longest ago, and reports whether there was one.
-- Those that are being written stay; where they alone leave no room for a block, nothing is evicted.
CREATE FUNCTION kfw.make_room(p_tenant text, p_name text, p_own_store_max bigint, p_token text, p_block bigint,
  p_first_chunk bigint, p_needed bigint) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
  v_writing bigint;
BEGIN
  PERFORM kfw.lazily();
  PERFORM kfw.retire(s.id);
  IF kfw.sweep(s.id) THEN
    RETURN true;
  END IF;
  SELECT coalesce(sum(stored_bytes), 0) - coalesce((SELECT sum(length(content)) FROM kfw.block b JOIN kfw.handle o
      ON b.handle = o.id WHERE o.session = s.id AND o.token = p_token::uuid AND b.number = p_block
      AND b.last_chunk >= p_first_chunk - 1), 0)
    INTO v_writing FROM kfw.handle WHERE session = s.id AND gone_at IS NULL AND state = 'writing';
  IF p_needed + v_writing > coalesce(nullif(p_own_store_max, 0), s.store_max_bytes) THEN
    RETURN false;
  END IF;
  UPDATE kfw.handle SET state = 'evicted', gone_at = clock_timestamp() WHERE id = (
    SELECT id FROM kfw.handle WHERE session = s.id AND gone_at IS NULL AND state <> 'writing'
      ORDER BY expires_at - ttl, id LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM kfw.sweep(s.id);
  RETURN true;
END $$;

-- judged returns a handle with its current state, which the row may not have yet.
CREATE FUNCTION kfw.judged(h kfw.handle) RETURNS kfw.handle LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
BEGIN
  IF h.state = 'writing' AND h.lease_until < v_now THEN
    h.state := 'incomplete';
    h.expires_at := v_now + h.ttl;
  END IF;
  IF h.gone_at IS NULL AND h.state <> 'writing' AND h.expires_at <= v_now THEN
    h.state := 'expired';
    h.gone_at := h.expires_at;
  END IF;
  RETURN h;
END $$;

-- handle returns the handle with this number, and counts as a use of it.
CREATE FUNCTION kfw.handle(p_tenant text, p_name text, p_number bigint, OUT o_state text, OUT o_gone timestamptz,
  OUT o_id bigint, OUT o_number bigint, OUT o_origin text, OUT o_created timestamptz, OUT o_expires timestamptz,
  OUT o_chunks bigint, OUT o_bytes bigint, OUT o_redacted text, OUT o_format text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
  h kfw.handle;
BEGIN
  PERFORM kfw.lazily();
  PERFORM kfw.retire(s.id);
  PERFORM kfw.sweep(s.id);
  SELECT * INTO h FROM kfw.handle WHERE session = s.id AND number = p_number FOR UPDATE;
  h := kfw.judged(h);
  o_state := coalesce(h.state, 'discarded');
  o_gone := h.gone_at;
  IF h.id IS NULL OR h.gone_at IS NOT NULL THEN
    RETURN;
  END IF;
  UPDATE kfw.handle SET expires_at = clock_timestamp() + ttl, state = h.state WHERE id = h.id RETURNING expires_at INTO h.expires_at;
  o_id := h.id;
  o_number := h.number;
  o_origin := h.origin;
  o_created := h.created_at;
  o_expires := h.expires_at;
  o_chunks := h.chunks;
  o_bytes := h.bytes;
  o_redacted := h.redacted;
  o_format := h.format;
END $$;

-- handles returns those that can be read, the oldest name first.
CREATE FUNCTION kfw.handles(p_tenant text, p_name text) RETURNS TABLE (o_state text, o_id bigint, o_number bigint,
  o_origin text, o_created timestamptz, o_expires timestamptz, o_chunks bigint, o_bytes bigint, o_redacted text,
  o_format text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  RETURN QUERY SELECT j.state, j.id, j.number, j.origin, j.created_at, j.expires_at, j.chunks, j.bytes, j.redacted, j.format
    FROM kfw.handle h, LATERAL kfw.judged(h) j
    WHERE h.session = s.id AND h.gone_at IS NULL AND h.number IS NOT NULL AND j.gone_at IS NULL ORDER BY h.number;
END $$;

-- remove removes handles, or none: then it returns the place of the first one that is not there, from 1, and why.
CREATE FUNCTION kfw.remove(p_tenant text, p_name text, p_numbers bigint[], OUT o_at bigint, OUT o_state text,
  OUT o_gone timestamptz)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
  h kfw.handle;
  v_ids bigint[] := '{}';
BEGIN
  FOR i IN 1 .. cardinality(p_numbers) LOOP
    SELECT * INTO h FROM kfw.handle WHERE session = s.id AND number = p_numbers[i] FOR UPDATE;
    h := kfw.judged(h);
    IF h.id IS NULL OR h.gone_at IS NOT NULL OR h.id = ANY (v_ids) THEN
      o_at := i;
      o_state := CASE WHEN h.id = ANY (v_ids) THEN 'removed' ELSE coalesce(h.state, 'discarded') END;
      o_gone := h.gone_at;
      RETURN;
    END IF;
    v_ids := v_ids || h.id;
  END LOOP;
  UPDATE kfw.handle SET state = 'removed', gone_at = clock_timestamp() WHERE id = ANY (v_ids);
  PERFORM kfw.sweep(s.id);
END $$;

-- swept is kfw.sweep for runs.
CREATE FUNCTION kfw.swept(p_tenant text, p_name text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  PERFORM kfw.lazily();
  RETURN kfw.sweep(s.id);
END $$;

-- earlier returns the last equal response that was shown since the last reset, or else the last one of the same call;
-- no row if there is none.
CREATE FUNCTION kfw.earlier(p_tenant text, p_name text, p_result bytea, p_call bytea) RETURNS TABLE (o_is_equal boolean,
  o_ago bigint, o_asked bytea, o_state text, o_id bigint, o_number bigint, o_origin text, o_created timestamptz,
  o_expires timestamptz, o_chunks bigint, o_bytes bigint, o_redacted text, o_format text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  RETURN QUERY SELECT coalesce(result = p_result, false), s.entries - entry + 1, asked, state, id, number, origin, created_at,
      expires_at, chunks, bytes, redacted, format FROM kfw.handle
    WHERE session = s.id AND (result = p_result OR call = p_call) AND state = 'complete' AND expires_at > clock_timestamp()
    ORDER BY coalesce(result = p_result, false) DESC, number DESC LIMIT 1;
END $$;

-- refer spends tokens for a line that refers to an equal response, which counts as used, unless another has come
-- since: then it returns false.
CREATE FUNCTION kfw.refer(p_tenant text, p_name text, p_token text, p_result bytea, p_id bigint, p_ago bigint, p_tokens bigint,
  p_command text, p_host text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
  v_best bigint;
  v_entry bigint;
BEGIN
  s := kfw.locked(s.id);
  IF NOT EXISTS (SELECT FROM kfw.invocation WHERE session = s.id AND token = p_token::uuid) THEN
    SELECT id, entry INTO v_best, v_entry FROM kfw.handle WHERE session = s.id AND result = p_result AND state = 'complete'
      AND expires_at > clock_timestamp() ORDER BY number DESC LIMIT 1;
    IF v_best IS DISTINCT FROM p_id OR s.entries - v_entry + 1 <> p_ago THEN
      PERFORM kfw.stored(s);
      RETURN false;
    END IF;
  END IF;
  s := kfw.spent(s, p_token, p_tokens, p_command, p_host);
  PERFORM kfw.stored(s);
  UPDATE kfw.handle SET expires_at = clock_timestamp() + ttl WHERE id = p_id AND session = s.id;
  RETURN true;
END $$;

CREATE FUNCTION kfw.give(p_tenant text, p_name text, p_number bigint, p_asked bytea, p_of bytea, p_lines bytea,
  p_as bigint[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  UPDATE kfw.handle SET asked = CASE WHEN asked IS NOT NULL THEN p_asked END, lines_of = p_of, lines = p_lines
    WHERE session = s.id AND number = p_number AND result IS NOT NULL AND state = 'complete';
  UPDATE kfw.handle SET expires_at = clock_timestamp() + ttl
    WHERE session = s.id AND number = ANY (p_as) AND gone_at IS NULL;
END $$;

CREATE FUNCTION kfw.lines(p_tenant text, p_name text, p_of bytea) RETURNS TABLE (o_number bigint, o_lines bytea)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s kfw.session := kfw.found(p_tenant, p_name);
BEGIN
  RETURN QUERY SELECT number, lines FROM kfw.handle WHERE session = s.id AND lines_of = p_of AND lines IS NOT NULL
    AND state = 'complete' AND expires_at > clock_timestamp() ORDER BY number DESC LIMIT 4096;
END $$;

-- about says what the server is.
CREATE FUNCTION kfw.about(p_tenant text, OUT o_version bigint, OUT o_server text, OUT o_tenant text, OUT o_sessions bigint,
  OUT o_open bigint, OUT o_bytes bigint, OUT o_synchronous_commit text, OUT o_standbys text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  o_synchronous_commit := current_setting('synchronous_commit');
  o_standbys := current_setting('synchronous_standby_names');
  o_tenant := kfw.enter(p_tenant);
  o_server := current_setting('server_version');
  SELECT version INTO o_version FROM kfw.version;
  SELECT count(*) INTO o_sessions FROM kfw.session WHERE tenant = o_tenant;
  SELECT count(*) INTO o_open FROM kfw.invocation i JOIN kfw.session s ON s.id = i.session
    WHERE s.tenant = o_tenant AND NOT i.folded AND i.ended_at IS NULL AND i.lease_until >= clock_timestamp();
  SELECT coalesce(sum(stored_bytes), 0) INTO o_bytes FROM kfw.handle h JOIN kfw.session s ON s.id = h.session
    WHERE s.tenant = o_tenant;
END $$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA kfw FROM PUBLIC;
