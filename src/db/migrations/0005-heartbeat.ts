import type { Migration } from '../migrate.ts';

/** Sources, quarantine, looks, findings (B1–B4). */
export const migration0005: Migration = {
	version: 5,
	name: 'heartbeat',
	sql: `
-- Kinds of runs are checked where rows are read: a new kind needs no new table any more.
CREATE TABLE runs_new (
  id             TEXT PRIMARY KEY,
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  message_id     TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  kind           TEXT NOT NULL,
  title          TEXT NOT NULL DEFAULT '',
  status         TEXT NOT NULL,                 -- derived from the journal in the same transaction, for scans
  step           INTEGER NOT NULL DEFAULT 0,
  -- Begun once for this key: run:step:call of the parent, instance:move of a workflow, tick:source:number of a look.
  begin_key      TEXT UNIQUE,
  parent_run_id  TEXT REFERENCES runs_new (id) ON DELETE CASCADE,
  instance_id    TEXT REFERENCES workflow_instances (id) ON DELETE CASCADE,
  from_run_id    TEXT,                          -- no foreign key: a branch outlives what it came from
  from_step      INTEGER,
  from_how       TEXT CHECK (from_how IN ('fork', 'restore')),
  waits_for      TEXT,                          -- kind of its open interrupt
  waits_until    INTEGER,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
INSERT INTO runs_new (id, session_id, message_id, kind, title, status, step, begin_key, parent_run_id, instance_id, from_run_id, from_step,
    from_how, waits_for, waits_until, created_at, updated_at)
  SELECT id, session_id, message_id, kind, title, status, step, begin_key, parent_run_id, instance_id, from_run_id, from_step,
    from_how, waits_for, waits_until, created_at, updated_at FROM runs ORDER BY rowid;
DROP TABLE runs;
ALTER TABLE runs_new RENAME TO runs;
CREATE INDEX runs_by_status ON runs (status);
CREATE INDEX runs_by_session ON runs (session_id);
CREATE INDEX runs_by_message ON runs (message_id);
CREATE INDEX runs_by_parent ON runs (parent_run_id) WHERE parent_run_id IS NOT NULL;
CREATE INDEX runs_by_instance ON runs (instance_id) WHERE instance_id IS NOT NULL;
CREATE INDEX runs_by_origin ON runs (from_run_id) WHERE from_run_id IS NOT NULL;

CREATE TABLE watched_sources (
  id             TEXT PRIMARY KEY,
  title          TEXT NOT NULL,
  place          TEXT NOT NULL,                 -- JSON: WatchedPlace; no secrets
  budget         TEXT NOT NULL,                 -- JSON: WatchedBudget
  paused         INTEGER NOT NULL DEFAULT 0,
  health         TEXT NOT NULL DEFAULT '{"kind":"new"}', -- JSON: WatchedHealth
  has_secret     INTEGER NOT NULL DEFAULT 0,    -- one lies in the secret store for it: others need not be looked for there
  cursor         TEXT,                          -- JSON, the reader's own: ETag, UIDVALIDITY and UID, since …
  trust          REAL NOT NULL,
  last_read_at   INTEGER,
  next_read_at   INTEGER NOT NULL,              -- the minimum between readings, and the back-off
  created_at     INTEGER NOT NULL,
  from_now       INTEGER NOT NULL DEFAULT 0,    -- what the first reading finds counts as read
  withdrawn_at   INTEGER,                       -- gone for the owner; what was approved of it is being forgotten or stays
  forgetting     TEXT                           -- JSON: what is still to be forgotten with it
) STRICT;
CREATE INDEX watched_sources_due ON watched_sources (next_read_at) WHERE paused = 0 AND withdrawn_at IS NULL;

-- Quarantine (B1): nothing but a look and the inbox reads it. Not in index.db, not in any search.
CREATE TABLE watched_items (
  id             TEXT PRIMARY KEY,
  source_id      TEXT NOT NULL REFERENCES watched_sources (id) ON DELETE CASCADE,
  title          TEXT NOT NULL,
  url            TEXT,
  author         TEXT,
  published_at   INTEGER,
  text           TEXT NOT NULL,
  cut            INTEGER NOT NULL DEFAULT 0,
  fetched_at     INTEGER NOT NULL,
  fetched_hash   TEXT NOT NULL,
  state          TEXT NOT NULL CHECK (state IN ('unread', 'looking', 'read')),
  run_id         TEXT,                          -- that considers or considered it; no foreign key: runs of looks are collected
  looked_at      INTEGER                        -- when a look took it up, for the source's budget of the day
) STRICT;
-- Items come in the order of their rows.
CREATE INDEX watched_items_unread ON watched_items (source_id) WHERE state = 'unread';
CREATE INDEX watched_items_looked ON watched_items (source_id, looked_at) WHERE looked_at IS NOT NULL;
-- All that is counted is counted in these: rows are long.
CREATE INDEX watched_items_by_source ON watched_items (source_id, fetched_at, state);
CREATE INDEX watched_items_by_time ON watched_items (fetched_at, state, source_id);
CREATE INDEX watched_items_by_run ON watched_items (run_id) WHERE run_id IS NOT NULL;

-- What was taken in once is never taken in again, also after its text is collected. Keys are hashes.
CREATE TABLE watched_seen (
  source_id      TEXT NOT NULL REFERENCES watched_sources (id) ON DELETE CASCADE,
  key            BLOB NOT NULL,                 -- first 16 bytes of SHA-256 of what identifies an item: its id, its link, its content
  sketch         BLOB,                          -- of the text that was taken in under it, to tell a correction from another text
  corrected_at   INTEGER,                       -- of the content of a corrected item: such a key is kept for some weeks only
  PRIMARY KEY (source_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_seen_corrected ON watched_seen (source_id, corrected_at) WHERE corrected_at IS NOT NULL;

-- A look: one a slot, whatever crashes.
CREATE TABLE heartbeat_ticks (
  id             TEXT PRIMARY KEY,
  slot           INTEGER NOT NULL,
  by             TEXT NOT NULL CHECK (by IN ('schedule', 'owner')),
  outcome        TEXT NOT NULL,
  why            TEXT,
  started_at     INTEGER NOT NULL,
  ended_at       INTEGER,
  sources        INTEGER NOT NULL DEFAULT 0,
  failed_sources INTEGER NOT NULL DEFAULT 0,
  items          INTEGER NOT NULL DEFAULT 0,
  findings       INTEGER NOT NULL DEFAULT 0,
  known          INTEGER NOT NULL DEFAULT 0,
  over_cap       INTEGER NOT NULL DEFAULT 0,
  dropped        INTEGER NOT NULL DEFAULT 0,    -- findings that rest on words that stand nowhere
  note           TEXT,                          -- what could not be considered, in one sentence
  source_id      TEXT,                          -- the only one that the owner wanted looked at; no foreign key: looks outlive sources
  told           INTEGER NOT NULL DEFAULT 0,    -- the owner was told of what it found
  UNIQUE (by, slot)
) STRICT;
CREATE INDEX heartbeat_ticks_by_time ON heartbeat_ticks (started_at);
CREATE INDEX heartbeat_ticks_open ON heartbeat_ticks (outcome) WHERE ended_at IS NULL;

-- The runs of a look. outcome: absent until its findings are written and its items read, or unread again.
CREATE TABLE heartbeat_runs (
  run_id         TEXT PRIMARY KEY,              -- no foreign key: runs of looks are collected
  tick_id        TEXT NOT NULL REFERENCES heartbeat_ticks (id) ON DELETE CASCADE,
  source_id      TEXT NOT NULL,
  attempt        INTEGER NOT NULL DEFAULT 1,    -- 2: the first answer to the same could not be read
  outcome        TEXT CHECK (outcome IN ('taken', 'unreadable', 'failed', 'unanswered', 'aside', 'stopped')),
  items          INTEGER NOT NULL,
  error          TEXT                           -- JSON: ErrorShape, of a run that came to no answer
) STRICT;
CREATE INDEX heartbeat_runs_by_tick ON heartbeat_runs (tick_id);
CREATE INDEX heartbeat_runs_by_source ON heartbeat_runs (source_id);
CREATE INDEX heartbeat_runs_open ON heartbeat_runs (run_id) WHERE outcome IS NULL;

-- Why looks stopped until the owner says go on; no row where they did not.
CREATE TABLE heartbeat_problem (
  id             INTEGER PRIMARY KEY CHECK (id = 1),
  message        TEXT NOT NULL,
  action         TEXT,
  at             INTEGER NOT NULL
) STRICT;

-- The owner's yes to text of others going to a model elsewhere.
CREATE TABLE heartbeat_consents (
  provider_id    TEXT NOT NULL,
  host           TEXT NOT NULL,                 -- another host is another question
  allowed        INTEGER NOT NULL,
  shown_hash     TEXT NOT NULL,
  at             INTEGER NOT NULL,
  PRIMARY KEY (provider_id, host)
) STRICT, WITHOUT ROWID;

ALTER TABLE proposals ADD COLUMN finding TEXT;          -- JSON: FindingInfo
ALTER TABLE proposals ADD COLUMN source_id TEXT;        -- of a finding; no foreign key: what was approved outlives its source
ALTER TABLE proposals ADD COLUMN snoozed_until INTEGER;
ALTER TABLE proposals ADD COLUMN opened_hash TEXT;      -- what exactly the owner had open
ALTER TABLE proposals ADD COLUMN folded_into TEXT;      -- another proposal
CREATE INDEX proposals_by_source ON proposals (source_id) WHERE source_id IS NOT NULL;
CREATE INDEX proposals_snoozed ON proposals (snoozed_until) WHERE snoozed_until IS NOT NULL;

-- What findings say, as vectors, so that the same is not proposed twice in other words. Never searched by chats.
CREATE TABLE finding_vectors (
  proposal_id    TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  model          TEXT NOT NULL,                 -- identity of the embedding model
  vector         BLOB NOT NULL,                 -- float32, unit length
  PRIMARY KEY (proposal_id, model)
) STRICT, WITHOUT ROWID;

-- Chats that the owner began about a finding: external from their first message, and in no other chat's search.
CREATE TABLE finding_chats (
  session_id     TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  proposal_id    TEXT NOT NULL,                 -- no foreign key: the chat stays when the finding goes
  source_id      TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX finding_chats_by_source ON finding_chats (source_id);
`,
};
