import type { Migration } from '../migrate.ts';

/** Scheduled and triggered tasks, and each time that one was to run (R5). */
export const migration0006: Migration = {
	version: 6,
	name: 'tasks',
	sql: `
CREATE TABLE tasks (
  id             TEXT PRIMARY KEY,
  title          TEXT NOT NULL,
  draft          TEXT NOT NULL,                 -- JSON: TaskDraft
  label          TEXT NOT NULL,                 -- of its words: owner, agent, approved
  proposed_in    TEXT,                          -- the chat that it was said in; no foreign key: the task outlives it
  make_key       TEXT UNIQUE,                   -- made once for it: a view's request, a call's key
  status         TEXT NOT NULL CHECK (status IN ('on', 'paused', 'blocked', 'ended')),
  paused_until   INTEGER,
  problem        TEXT,                          -- JSON: ErrorShape, of blocked
  failures       INTEGER NOT NULL DEFAULT 0,    -- in a row
  session_id     TEXT REFERENCES sessions (id) ON DELETE SET NULL, -- the one that goes on from run to run
  chat_id        TEXT REFERENCES sessions (id) ON DELETE SET NULL, -- the chat that its results go to
  -- Slots up to here have their rows: what a start, a wake or a change of zone finds after it is still to be claimed.
  claimed_to     INTEGER NOT NULL,
  -- Rows of slots up to here were collected: whatever the clock is set to, they are not claimed again.
  collected_to   INTEGER NOT NULL DEFAULT 0,
  zone           TEXT,                          -- the owner's zone that its next slot was found in; NULL where its times name one, or need none
  trigger        TEXT,                          -- kind of its trigger; NULL: it has a schedule
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_by_status ON tasks (status);
CREATE INDEX tasks_with_trigger ON tasks (trigger) WHERE trigger IS NOT NULL;

-- A slot is claimed by its row, in the transaction that sets the next one and, where it runs at once, begins its run.
CREATE TABLE task_occurrences (
  id             TEXT PRIMARY KEY,
  task_id        TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  by             TEXT NOT NULL CHECK (by IN ('schedule', 'trigger', 'owner')),
  slot           INTEGER NOT NULL,
  count          INTEGER NOT NULL DEFAULT 1,    -- of missed slots that stand as one row
  last_slot      INTEGER,
  state          TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'missed', 'asks', 'skipped', 'stopped')),
  why            TEXT,
  note           TEXT,
  cause          TEXT,                          -- JSON: name, label, events
  payload        TEXT,                          -- JSON of a trigger, for the run; another's words
  attempt        INTEGER NOT NULL DEFAULT 0,
  next_try_at    INTEGER,
  run_id         TEXT,                          -- no foreign key: runs are collected
  session_id     TEXT,
  instance_id    TEXT,
  reminder_id    TEXT,
  result         TEXT,                          -- JSON: where it lies
  delivered      INTEGER NOT NULL DEFAULT 0,    -- its result is where it belongs
  seen           INTEGER NOT NULL DEFAULT 0,    -- the owner has seen to it: a missed one that is done with
  error          TEXT,                          -- JSON: ErrorShape
  tokens         INTEGER NOT NULL DEFAULT 0,
  cost_usd       REAL NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  started_at     INTEGER,
  ended_at       INTEGER,
  UNIQUE (task_id, by, slot)
) STRICT;
CREATE INDEX task_occurrences_by_task ON task_occurrences (task_id, slot);
CREATE INDEX task_occurrences_open ON task_occurrences (state, task_id) WHERE state IN ('queued', 'running', 'asks');
CREATE INDEX task_occurrences_ended ON task_occurrences (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX task_occurrences_queued ON task_occurrences (created_at) WHERE state = 'queued';
CREATE INDEX task_occurrences_owners ON task_occurrences (created_at) WHERE state = 'queued' AND (by = 'owner' OR seen = 1);
CREATE INDEX task_occurrences_missed ON task_occurrences (task_id) WHERE state IN ('missed', 'asks') AND seen = 0;
CREATE INDEX task_occurrences_undelivered ON task_occurrences (id) WHERE delivered = 0 AND state IN ('done', 'failed', 'stopped');
CREATE INDEX task_occurrences_by_run ON task_occurrences (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX task_occurrences_by_instance ON task_occurrences (instance_id) WHERE instance_id IS NOT NULL;

-- Events that a trigger gathers until it has been quiet.
CREATE TABLE task_events (
  id             TEXT PRIMARY KEY,
  task_id        TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  event_key      TEXT,                          -- the same event is one
  cause          TEXT NOT NULL,                 -- JSON: name, label
  payload        TEXT,                          -- JSON
  at             INTEGER NOT NULL,
  UNIQUE (task_id, event_key)
) STRICT;

-- What a folder held when it was last looked at: what comes while nothing runs is found at the next start.
CREATE TABLE task_files (
  task_id        TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  path_hash      TEXT NOT NULL,                 -- a name may hold what is to be forgotten (M4); '': the row that says which folder it is
  version        TEXT NOT NULL,                 -- size, time of change, inode
  PRIMARY KEY (task_id, path_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_tests (
  id             TEXT PRIMARY KEY,
  draft          TEXT NOT NULL,                 -- JSON: TaskDraft
  run_id         TEXT,
  session_id     TEXT REFERENCES sessions (id) ON DELETE SET NULL,
  created_at     INTEGER NOT NULL
) STRICT;

-- Why work stood still in the past: slots that fell into it say so.
CREATE TABLE work_gaps (
  started_at     INTEGER NOT NULL,
  ended_at       INTEGER NOT NULL,
  why            TEXT NOT NULL CHECK (why IN ('closed', 'asleep', 'paused', 'budget_used', 'clock')),
  PRIMARY KEY (started_at, why)
) STRICT, WITHOUT ROWID;

-- Chats with words of others that were not asked for in them: about a finding, of a task. In no other chat's search.
CREATE TABLE outside_chats (
  session_id     TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  proposal_id    TEXT,                          -- of a chat about a finding; no foreign key: the chat stays when the finding goes
  source_id      TEXT,                          -- whose finding it is
  task_id        TEXT                           -- whose finding, or whose own chat or record it is; no foreign key: it outlives the task
) STRICT, WITHOUT ROWID;
CREATE INDEX outside_chats_by_source ON outside_chats (source_id) WHERE source_id IS NOT NULL;
INSERT INTO outside_chats (session_id, proposal_id, source_id) SELECT session_id, proposal_id, source_id FROM finding_chats;
DROP TABLE finding_chats;

-- How long it worked: its steps, not its waits. For budgets of runs.
ALTER TABLE runs ADD COLUMN worked_ms INTEGER NOT NULL DEFAULT 0;

-- Part of the tokens: of models without a known price, and of calls that nobody counted.
ALTER TABLE spending ADD COLUMN unpriced_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spending ADD COLUMN estimated_tokens INTEGER NOT NULL DEFAULT 0;
`,
};
