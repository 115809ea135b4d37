import type { Migration } from '../migrate.ts';

/** Runs of all kinds with checkpoints, tool state, workspace changes, branches; timers, workflows, compactions, spending. */
export const migration0003: Migration = {
	version: 3,
	name: 'durable runs',
	sql: `
-- 'work': of a run that is no chat turn. Not in the list of chats, nor in search.
ALTER TABLE sessions ADD COLUMN kind TEXT NOT NULL DEFAULT 'chat' CHECK (kind IN ('chat', 'work'));

-- A reply's parts, a row each, so that a step writes what it adds and not all that was before it. With rowids, because without them SQLite gives
-- each row of more than a quarter of a page a page of its own.
CREATE TABLE message_parts (
  message_id     TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  position       INTEGER NOT NULL,              -- 0, 1, 2 … without gaps
  part           TEXT NOT NULL,                 -- JSON: MessagePart
  PRIMARY KEY (message_id, position)
) STRICT;
-- The files of blobs/ that results name, so that those that nothing names can be collected.
CREATE INDEX message_parts_whole ON message_parts (json_extract(part, '$.result.whole.hash'))
  WHERE json_extract(part, '$.result.whole.hash') IS NOT NULL;
INSERT INTO message_parts (message_id, position, part)
  SELECT m.id, p.key, p.value FROM messages m, json_each(m.parts) p;
ALTER TABLE messages DROP COLUMN parts;

CREATE TABLE runs_new (
  id             TEXT PRIMARY KEY,
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  message_id     TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  kind           TEXT NOT NULL CHECK (kind IN ('chat', 'child', 'workflow')),
  title          TEXT NOT NULL DEFAULT '',
  status         TEXT NOT NULL,                 -- derived from the journal in the same transaction, for scans
  step           INTEGER NOT NULL DEFAULT 0,
  -- Begun once for this key: run:step:call of the parent, or instance:move of a workflow.
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
INSERT INTO runs_new (id, session_id, message_id, kind, status, step, created_at, updated_at)
  SELECT id, session_id, message_id, kind, status, step, created_at, updated_at FROM runs ORDER BY rowid;
DROP TABLE runs;
ALTER TABLE runs_new RENAME TO runs;
-- Not a partial one: SQLite would not see that it fits a search for some of its values.
CREATE INDEX runs_by_status ON runs (status);
CREATE INDEX runs_by_session ON runs (session_id);
CREATE INDEX runs_by_message ON runs (message_id);
CREATE INDEX runs_by_parent ON runs (parent_run_id) WHERE parent_run_id IS NOT NULL;
CREATE INDEX runs_by_instance ON runs (instance_id) WHERE instance_id IS NOT NULL;
CREATE INDEX runs_by_origin ON runs (from_run_id) WHERE from_run_id IS NOT NULL;

-- The journal with rowids, for the same reason.
CREATE TABLE journal_new (
  run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  seq            INTEGER NOT NULL,              -- 1, 2, 3 … without gaps; never the clock (dur-6)
  event          TEXT NOT NULL,                 -- JSON: RunEvent
  at             INTEGER NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT;
INSERT INTO journal_new (run_id, seq, event, at) SELECT run_id, seq, event, at FROM journal ORDER BY run_id, seq;
DROP TABLE journal;
ALTER TABLE journal_new RENAME TO journal;

-- The durable state after a step. The journal up to seq is its delta encoding; what lies beside the journal is named by position.
CREATE TABLE checkpoints (
  run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  step           INTEGER NOT NULL,
  seq            INTEGER NOT NULL,              -- newest journal event that belongs to it
  memory_seq     INTEGER NOT NULL,              -- newest memory_changes.seq then
  workspace_seq  INTEGER NOT NULL,              -- newest workspace_changes.seq then
  prompt         TEXT,                          -- content hash of what the model was given besides the conversation; of model steps
  prompt_version TEXT,
  environment    TEXT NOT NULL DEFAULT '[]',    -- JSON: names of variables, never values (S3)
  at             INTEGER NOT NULL,
  PRIMARY KEY (run_id, step)
) STRICT, WITHOUT ROWID;

-- Cursors, processed ids, partial outputs of tools. A value holds from its seq on, so that any checkpoint can be read.
CREATE TABLE tool_state (
  run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  tool           TEXT NOT NULL,
  key            TEXT NOT NULL,
  seq            INTEGER NOT NULL,              -- journal event it belongs to
  value          TEXT,                          -- JSON; null where it was removed
  PRIMARY KEY (run_id, tool, key, seq)
) STRICT, WITHOUT ROWID;

-- Which run's journal names which file of blobs/. What nothing names is collected.
CREATE TABLE run_blobs (
  run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  hash           TEXT NOT NULL,
  PRIMARY KEY (run_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_blobs_by_hash ON run_blobs (hash);

-- What tools and restores did to files of workspace/, in order; written as intended before the file is touched (R1).
CREATE TABLE workspace_changes (
  seq            INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id         TEXT,                          -- no foreign key: other runs' restores need it; null: the owner's restore
  step           INTEGER,
  restore_id     TEXT,
  step_key       TEXT UNIQUE,                   -- the same key never writes twice (R2); run:step:call:path
  path           TEXT NOT NULL,                 -- below workspace/
  before_hash    TEXT,                          -- content in blobs/; null where there was no file
  after_hash     TEXT,
  bytes          INTEGER NOT NULL,              -- after it
  label          TEXT NOT NULL,                 -- of what was written
  status         TEXT NOT NULL CHECK (status IN ('intended', 'done', 'given_up')),
  at             INTEGER NOT NULL
) STRICT;
CREATE INDEX workspace_changes_by_path ON workspace_changes (path, seq);
-- A content keeps the labels it was ever written under.
CREATE INDEX workspace_changes_by_content ON workspace_changes (after_hash, label);
CREATE INDEX workspace_changes_by_run ON workspace_changes (run_id, step) WHERE run_id IS NOT NULL;
CREATE INDEX workspace_changes_intended ON workspace_changes (status) WHERE status = 'intended';

CREATE TABLE restores (
  id             TEXT PRIMARY KEY,
  run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  step           INTEGER NOT NULL,
  asked          TEXT NOT NULL,                 -- JSON: what was ticked
  request_id     TEXT NOT NULL UNIQUE,
  status         TEXT NOT NULL CHECK (status IN ('intended', 'done', 'undoing', 'undone')),
  plan           TEXT NOT NULL,                 -- JSON: what to put back, so that a restore that was cut off goes on
  new_run_id     TEXT,
  at             INTEGER NOT NULL,
  undone_at      INTEGER
) STRICT;
CREATE INDEX restores_by_run ON restores (run_id);
CREATE INDEX restores_unfinished ON restores (status) WHERE status IN ('intended', 'undoing');

-- Waits that end by time: a slot, claimed once. Nothing runs between them.
CREATE TABLE timers (
  id             TEXT PRIMARY KEY,
  kind           TEXT NOT NULL,                 -- who is told: 'interrupt', 'workflow'
  ref            TEXT NOT NULL,                 -- id of the interrupt or instance
  due_at         INTEGER NOT NULL,
  work           TEXT NOT NULL,                 -- kind of the run at the root: a workflow's work keeps to the active hours and the budget
  claimed_at     INTEGER,
  created_at     INTEGER NOT NULL,
  UNIQUE (kind, ref, due_at)
) STRICT;
CREATE INDEX timers_due ON timers (work, due_at) WHERE claimed_at IS NULL;
CREATE INDEX timers_claimed ON timers (claimed_at) WHERE claimed_at IS NOT NULL;
CREATE INDEX timers_by_ref ON timers (kind, ref);
CREATE TRIGGER timers_of_interrupts AFTER DELETE ON interrupts BEGIN
  DELETE FROM timers WHERE kind = 'interrupt' AND ref = OLD.id;
END;

CREATE TABLE switches (
  name           TEXT PRIMARY KEY,              -- 'paused'
  at             INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE spending (
  day            TEXT NOT NULL,                 -- the owner's local day
  kind           TEXT NOT NULL,                 -- kind of the run at the root of its tree
  input_tokens   INTEGER NOT NULL DEFAULT 0,
  output_tokens  INTEGER NOT NULL DEFAULT 0,
  cost_usd       REAL NOT NULL DEFAULT 0,
  PRIMARY KEY (day, kind)
) STRICT, WITHOUT ROWID;

-- A workflow under way. What holds is the fold of its events; the columns are for scans.
CREATE TABLE workflow_instances (
  id             TEXT PRIMARY KEY,
  workflow       TEXT NOT NULL,
  title          TEXT NOT NULL,
  version        TEXT NOT NULL,
  definition     TEXT NOT NULL,                 -- the YAML it started with and keeps
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  state          TEXT NOT NULL,
  status         TEXT NOT NULL,
  request_id     TEXT NOT NULL UNIQUE,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX workflow_instances_open ON workflow_instances (status) WHERE status NOT IN ('done', 'failed', 'stopped');
CREATE TRIGGER timers_of_workflows AFTER DELETE ON workflow_instances BEGIN
  DELETE FROM timers WHERE kind = 'workflow' AND ref = OLD.id;
END;
CREATE TABLE workflow_events (
  instance_id    TEXT NOT NULL REFERENCES workflow_instances (id) ON DELETE CASCADE,
  seq            INTEGER NOT NULL,              -- 1, 2, 3 … without gaps
  event          TEXT NOT NULL,                 -- JSON
  at             INTEGER NOT NULL,
  PRIMARY KEY (instance_id, seq)
) STRICT, WITHOUT ROWID;

-- A summary that stands for the older part of a conversation in prompts. The originals stay.
CREATE TABLE compactions (
  id             TEXT PRIMARY KEY,
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  up_to          TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE, -- the last message that it stands for
  run_id         TEXT REFERENCES runs (id) ON DELETE CASCADE, -- set: it stands for parts of this run's own reply
  up_to_part     INTEGER,                       -- with run_id: parts before this number
  text           TEXT NOT NULL,
  items          TEXT NOT NULL,                 -- JSON: what was kept word for word, each with its message
  label          TEXT NOT NULL,
  method         TEXT NOT NULL CHECK (method IN ('model', 'extract')),
  model          TEXT,                          -- JSON: ModelRef
  tokens_before  INTEGER NOT NULL,
  tokens_after   INTEGER NOT NULL,
  created_at     INTEGER NOT NULL
) STRICT;
-- Once for each place: one that was cut off is made again.
CREATE UNIQUE INDEX compactions_by_place ON compactions (up_to, ifnull(run_id, ''), ifnull(up_to_part, -1));
CREATE INDEX compactions_by_session ON compactions (session_id);
CREATE INDEX compactions_by_run ON compactions (run_id) WHERE run_id IS NOT NULL;

ALTER TABLE interrupts ADD COLUMN kind TEXT NOT NULL DEFAULT 'question';
UPDATE interrupts SET kind = json_extract(detail, '$.kind');
UPDATE runs SET waits_for = (SELECT kind FROM interrupts WHERE run_id = runs.id AND status = 'open') WHERE status = 'waiting';
-- What an event wait waits for, or the child run.
ALTER TABLE interrupts ADD COLUMN awaited TEXT;
CREATE INDEX interrupts_awaited ON interrupts (kind, awaited) WHERE status = 'open' AND awaited IS NOT NULL;
CREATE INDEX interrupts_of_run ON interrupts (run_id);
`,
};
