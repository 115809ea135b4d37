import type { Migration } from '../migrate.ts';

/** Audit log, permissions, trust of files and skills, tool servers, reminders (S1–S3). */
export const migration0004: Migration = {
	version: 4,
	name: 'firewall',
	sql: `
-- Append-only and hash-chained. What is hashed is a record without its detail: details hold names and may be forgotten, the chain stays whole.
CREATE TABLE audit (
  seq            INTEGER PRIMARY KEY,           -- 1, 2, 3 … without gaps
  at             INTEGER NOT NULL,
  sink           TEXT NOT NULL,
  decision       TEXT NOT NULL,
  rule           TEXT NOT NULL,
  label          TEXT NOT NULL,
  run_id         TEXT,                          -- no foreign key: outlives the run
  record         TEXT NOT NULL,                 -- canonical JSON: the rest of AuditRecord that is hashed
  detail         TEXT,                          -- canonical JSON: AuditDetail; NULL where it was forgotten
  detail_salt    BLOB,                          -- goes with the detail
  previous_hash  TEXT NOT NULL,
  hash           TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_run ON audit (run_id) WHERE run_id IS NOT NULL;
-- Whatever is filtered by, in the order in which records are listed: one narrow index is read instead of the log.
CREATE INDEX audit_by_kind ON audit (seq, at, sink, decision, label);
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE seq = new.seq)
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_no_update BEFORE UPDATE OF seq, at, sink, decision, rule, label, run_id, record, previous_hash, hash ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_detail_only_goes BEFORE UPDATE OF detail, detail_salt ON audit WHEN new.detail IS NOT NULL OR new.detail_salt IS NOT NULL
  BEGIN SELECT RAISE(ABORT, 'a detail of the audit log can only be forgotten'); END;

CREATE TABLE permissions (
  id             TEXT PRIMARY KEY,
  terms          TEXT NOT NULL,                 -- JSON: PermissionTerms
  job_kind       TEXT NOT NULL,
  job_ref        TEXT,                          -- run, session, workflow
  origin         TEXT NOT NULL CHECK (origin IN ('default', 'owner', 'approval')),
  interrupt_id   TEXT,                          -- the answer that gave it
  created_at     INTEGER NOT NULL,
  until          INTEGER,
  uses           INTEGER NOT NULL DEFAULT 0,
  last_used_at   INTEGER,
  revoked_at     INTEGER
) STRICT;
CREATE INDEX permissions_in_force ON permissions (job_kind, job_ref) WHERE revoked_at IS NULL;
-- One answer grants once, however often it is carried out.
CREATE UNIQUE INDEX permissions_by_interrupt ON permissions (interrupt_id) WHERE interrupt_id IS NOT NULL;

-- The trust of exact bytes: files that a command made, skills, texts the owner approved. A content is never trusted more than whoever first wrote it.
ALTER TABLE workspace_changes ADD COLUMN root TEXT;                          -- the granted folder; NULL: workspace/
ALTER TABLE workspace_changes ADD COLUMN sources TEXT NOT NULL DEFAULT '[]'; -- JSON: ContextSource[]
CREATE TABLE content_labels (
  hash           TEXT NOT NULL,                 -- SHA-256 of the bytes
  place          TEXT NOT NULL,                 -- 'workspace', 'skill', or the root of a granted folder
  label          TEXT NOT NULL,
  sources        TEXT NOT NULL DEFAULT '[]',    -- JSON: ContextSource[]
  run_id         TEXT,
  at             INTEGER NOT NULL,
  PRIMARY KEY (hash, place)
) STRICT;

-- What lies in skills/, and which bytes of it the owner approved.
CREATE TABLE skills (
  name           TEXT PRIMARY KEY,
  seen_hash      TEXT,                          -- of SKILL.md as it was seen last; NULL: there is none
  approved       TEXT                           -- JSON: hash, label, provenance, at; NULL: never approved
) STRICT;
-- Each change, before it is made (R1) and so that it can be undone (M4).
CREATE TABLE skill_changes (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  step_key       TEXT UNIQUE,
  name           TEXT NOT NULL,
  kind           TEXT NOT NULL,
  before_text    TEXT,                          -- NULL: no file
  after_text     TEXT,
  before_approved TEXT,                         -- JSON, as in skills.approved
  after_approved TEXT,
  status         TEXT NOT NULL CHECK (status IN ('intended', 'done', 'given_up')),
  at             INTEGER NOT NULL
) STRICT;
CREATE INDEX skill_changes_open ON skill_changes (seq) WHERE status = 'intended';

-- What a tool server offered when the owner looked at it. Anything else is held (pinning).
CREATE TABLE server_tools (
  server         TEXT NOT NULL,
  tool           TEXT NOT NULL,
  approved       TEXT,                          -- JSON: name, description, schema, annotations as approved; NULL: never
  approved_hash  TEXT,
  offered        TEXT,                          -- JSON: as offered last; NULL: no longer offered
  offered_hash   TEXT,
  read_only      INTEGER NOT NULL DEFAULT 0,    -- the owner's word, not the server's
  changed_at     INTEGER NOT NULL,
  PRIMARY KEY (server, tool)
) STRICT;
-- What was known of the connection last; checked at a start, never assumed.
CREATE TABLE server_state (
  server         TEXT PRIMARY KEY,
  state          TEXT NOT NULL,
  detail         TEXT NOT NULL DEFAULT '{}',    -- JSON: session id, protocol version, last error; no secrets
  at             INTEGER NOT NULL
) STRICT;

CREATE TABLE reminders (
  id             TEXT PRIMARY KEY,
  text           TEXT NOT NULL,
  label          TEXT NOT NULL,
  session_id     TEXT,
  run_id         TEXT,
  step_key       TEXT UNIQUE,
  due_at         INTEGER NOT NULL,
  created_at     INTEGER NOT NULL,
  told_at        INTEGER,
  dismissed_at   INTEGER
) STRICT;
CREATE INDEX reminders_due ON reminders (due_at) WHERE told_at IS NULL AND dismissed_at IS NULL;

-- What a message or a summary was made from, by name; NULL in those from before.
ALTER TABLE messages ADD COLUMN sources TEXT;   -- JSON: ContextSource[]
ALTER TABLE compactions ADD COLUMN sources TEXT;

-- Makes the masks of removed secrets: of this profile alone, so that no mask tells what it stands for.
CREATE TABLE redaction (
  salt           BLOB NOT NULL
) STRICT;
INSERT INTO redaction (salt) VALUES (randomblob(32));
`,
};
