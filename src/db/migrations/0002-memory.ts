import type { Migration } from '../migrate.ts';

/** Memory's ledger (M2), its changes and write intents (M3, M4), conflicts, and proposals that wait for the owner (B2). */
export const migration0002: Migration = {
	version: 2,
	name: 'memory',
	sql: `
-- A file as Hearth last saw or wrote it: the base of merges.
CREATE TABLE memory_files (
  path           TEXT PRIMARY KEY,              -- MEMORY.md, memory/2026-11-29.md
  rank           TEXT NOT NULL,                 -- sorts as files are shown: MEMORY.md, newest day first, other notes
  content        TEXT NOT NULL,
  hash           TEXT NOT NULL,                 -- SHA-256 of the bytes
  bytes          INTEGER NOT NULL,
  modified_ms    REAL NOT NULL,                 -- with bytes: a quick look whether it changed
  problem        TEXT,                          -- JSON: ErrorShape; why it is not read
  seen_at        INTEGER NOT NULL
) STRICT;

-- One row a lineage. Live rows are keyed by (file, hash, ordinal), the entry's identity; gone ones keep their history.
CREATE TABLE memory_entries (
  rowid          INTEGER PRIMARY KEY,           -- id of its row in index.db
  id             TEXT NOT NULL UNIQUE,
  file           TEXT NOT NULL,
  rank           TEXT NOT NULL,                 -- of its file
  hash           TEXT NOT NULL,                 -- SHA-256 of the normalised text
  ordinal        INTEGER NOT NULL,              -- n-th of this hash in the file, from 0
  position       INTEGER NOT NULL,              -- n-th entry of the file, from 0
  kind           TEXT NOT NULL,
  heading_path   TEXT NOT NULL,                 -- JSON: string[]
  text           TEXT NOT NULL,
  line_start     INTEGER NOT NULL,
  line_end       INTEGER NOT NULL,
  live           INTEGER NOT NULL CHECK (live IN (0, 1)),
  quarantined    INTEGER NOT NULL DEFAULT 0 CHECK (quarantined IN (0, 1)),
  provenance     TEXT NOT NULL,                 -- JSON: Provenance
  author         TEXT NOT NULL,                 -- copies of what filters look at
  label          TEXT NOT NULL,
  origin         TEXT NOT NULL,
  source         TEXT NOT NULL,                 -- kind of its first source, or none
  valid_from     INTEGER,
  valid_until    INTEGER,
  supersedes     TEXT,
  superseded_by  TEXT,
  use_count      INTEGER NOT NULL DEFAULT 0,
  last_used_at   INTEGER,
  versions       INTEGER NOT NULL DEFAULT 1,
  dated          INTEGER NOT NULL,              -- noon of a daily file's day, else when it was written
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX memory_entries_identity ON memory_entries (file, hash, ordinal) WHERE live = 1;
CREATE INDEX memory_entries_in_order ON memory_entries (rank, position) WHERE live = 1;
CREATE INDEX memory_entries_by_hash ON memory_entries (hash, live);

-- What changed a file, in order. Written as intended before the file is touched, done in the transaction that updates the ledger (R1, M3).
CREATE TABLE memory_changes (
  seq            INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT NOT NULL UNIQUE,
  file           TEXT NOT NULL,
  kind           TEXT NOT NULL,
  status         TEXT NOT NULL CHECK (status IN ('intended', 'done', 'given_up')),
  step_key       TEXT UNIQUE,                   -- the same key never writes twice (mem-5)
  before_hash    TEXT NOT NULL,                 -- of the file's bytes
  after_hash     TEXT NOT NULL,
  hunks          TEXT NOT NULL,                 -- JSON: Hunk[]; before with them applied is after
  plan           TEXT NOT NULL,                 -- JSON: what to do with the ledger once the file is written
  provenance     TEXT NOT NULL,                 -- JSON: Provenance
  undoes         TEXT,
  undone_by      TEXT,
  at             INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_changes_intended ON memory_changes (status) WHERE status = 'intended';
CREATE INDEX memory_changes_of_file ON memory_changes (file, seq);

-- The texts an entry has had.
CREATE TABLE memory_versions (
  change_id      TEXT NOT NULL,
  entry_id       TEXT NOT NULL,
  file           TEXT NOT NULL,
  before         TEXT,
  after          TEXT,
  forgotten      INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1)),
  provenance     TEXT NOT NULL,                 -- JSON: Provenance of after
  PRIMARY KEY (change_id, entry_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_versions_of_entry ON memory_versions (entry_id);

CREATE TABLE memory_conflicts (
  id             TEXT PRIMARY KEY,
  file           TEXT NOT NULL,
  change_id      TEXT NOT NULL,
  ours           TEXT,
  theirs         TEXT,
  at             INTEGER NOT NULL,
  resolved_at    INTEGER
) STRICT;

-- Programs under way that can reach the folder: what changes on disk meanwhile is theirs until the owner says otherwise (bg-2).
CREATE TABLE memory_programs (
  run_id         TEXT NOT NULL,
  tool           TEXT NOT NULL,
  started_at     INTEGER NOT NULL,
  PRIMARY KEY (run_id, tool, started_at)
) STRICT, WITHOUT ROWID;

-- Never expire, never approve themselves.
CREATE TABLE proposals (
  id             TEXT PRIMARY KEY,
  operation      TEXT NOT NULL,                 -- JSON: ProposalOperation
  provenance     TEXT NOT NULL,                 -- JSON: Provenance
  label          TEXT NOT NULL,
  rule           TEXT NOT NULL,
  reason         TEXT NOT NULL,
  session_id     TEXT,                          -- no foreign key: a proposal outlives its conversation
  run_id         TEXT,
  step_key       TEXT UNIQUE,
  shown_hash     TEXT NOT NULL,
  text_hash      TEXT,                          -- of the normalised text, to find duplicates; null where it adds no text
  target_hash    TEXT,                          -- what the target's hash must still be; null where it has none
  folded         INTEGER NOT NULL DEFAULT 0,    -- how often the same was proposed again meanwhile
  status         TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
  attempt        INTEGER NOT NULL DEFAULT 0,    -- decisions so far; with the id the key of what each writes
  todo           TEXT CHECK (todo IN ('apply', 'undo')), -- what of the decision is not yet done to memory
  decision       TEXT,                          -- JSON: shown hash, edited text, reason, receipt
  created_at     INTEGER NOT NULL,
  decided_at     INTEGER
) STRICT;
CREATE INDEX proposals_pending ON proposals (created_at) WHERE status = 'pending';
CREATE INDEX proposals_todo ON proposals (attempt) WHERE todo IS NOT NULL;
CREATE INDEX proposals_by_text ON proposals (text_hash) WHERE text_hash IS NOT NULL;
`,
};
