import type { Migration } from '../migrate.ts';

/** Sessions, messages as a tree, runs with their journal, interrupts, attachments, drafts, full-text search. */
export const migration0001: Migration = {
	version: 1,
	name: 'sessions and runs',
	sql: `
CREATE TABLE sessions (
  id             TEXT PRIMARY KEY,
  title          TEXT NOT NULL,
  title_by       TEXT NOT NULL CHECK (title_by IN ('auto', 'owner')),
  pinned         INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  head_id        TEXT,                          -- the newest message of the chosen branch
  excluded_parts TEXT NOT NULL DEFAULT '[]',    -- JSON: ids of prompt parts the owner took out
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;

CREATE TABLE messages (
  rowid          INTEGER PRIMARY KEY,           -- full-text row; also the order of insertion
  id             TEXT NOT NULL UNIQUE,
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  parent_id      TEXT REFERENCES messages (id) ON DELETE CASCADE,
  depth          INTEGER NOT NULL,              -- 0 for a first message
  role           TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  parts          TEXT NOT NULL,                 -- JSON: MessagePart[], finished parts only
  status         TEXT NOT NULL,
  error          TEXT,                          -- JSON: ErrorShape
  run_id         TEXT,
  model          TEXT,                          -- JSON: ModelRef
  model_name     TEXT,
  usage          TEXT,                          -- JSON: Usage
  label          TEXT NOT NULL,
  text           TEXT NOT NULL DEFAULT '',      -- what full-text search sees
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_parent ON messages (session_id, parent_id);
CREATE INDEX messages_children ON messages (parent_id); -- for the foreign key: a delete looks for children
CREATE INDEX messages_by_status ON messages (status) WHERE status IN ('streaming', 'waiting');

CREATE TABLE runs (
  id             TEXT PRIMARY KEY,
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  message_id     TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  kind           TEXT NOT NULL CHECK (kind IN ('chat')),
  status         TEXT NOT NULL,                 -- derived from the journal in the same transaction, for scans
  step           INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_unfinished ON runs (status) WHERE status IN ('running', 'waiting', 'interrupted');
CREATE INDEX runs_by_session ON runs (session_id);
CREATE INDEX runs_by_message ON runs (message_id);

-- What happened in a run, in order (R1). The state of a run is the fold of its events; nothing else is authoritative.
CREATE TABLE journal (
  run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  seq            INTEGER NOT NULL,              -- 1, 2, 3 … without gaps; never the clock (dur-6)
  event          TEXT NOT NULL,                 -- JSON: RunEvent
  at             INTEGER NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

-- Text of a model step under way, in batches; removed when the step's event holds the whole.
CREATE TABLE stream_chunks (
  run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  step           INTEGER NOT NULL,
  seq            INTEGER NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('text', 'reasoning')),
  text           TEXT NOT NULL,
  PRIMARY KEY (run_id, step, seq)
) STRICT, WITHOUT ROWID;

-- Waiting is a row (R3).
CREATE TABLE interrupts (
  id             TEXT PRIMARY KEY,
  run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  step           INTEGER NOT NULL,
  call_id        TEXT NOT NULL,
  detail         TEXT NOT NULL,                 -- JSON: InterruptDetail
  shown_hash     TEXT NOT NULL,
  status         TEXT NOT NULL CHECK (status IN ('open', 'answered', 'expired')),
  answer         TEXT,                          -- JSON: InterruptAnswer
  created_at     INTEGER NOT NULL,
  answered_at    INTEGER
) STRICT;
CREATE INDEX interrupts_open ON interrupts (session_id) WHERE status = 'open';

CREATE TABLE attachments (
  id             TEXT PRIMARY KEY,
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  name           TEXT NOT NULL,
  mime           TEXT NOT NULL,
  bytes          INTEGER NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('text', 'pdf', 'image')),
  hash           TEXT NOT NULL,                 -- SHA-256; the file attachments/<hash>
  text           TEXT NOT NULL,                 -- what a model can read of it
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX attachments_by_hash ON attachments (hash);
CREATE INDEX attachments_by_session ON attachments (session_id);

CREATE TABLE drafts (
  session_id     TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  text           TEXT NOT NULL,
  attachment_ids TEXT NOT NULL,                 -- JSON: string[]
  updated_at     INTEGER NOT NULL
) STRICT;

-- Results of calls that must not happen twice, by the caller's request id.
CREATE TABLE requests (
  id             TEXT PRIMARY KEY,
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  result         TEXT NOT NULL,                 -- JSON
  created_at     INTEGER NOT NULL
) STRICT;

CREATE VIRTUAL TABLE messages_words USING fts5 (text, content = 'messages', content_rowid = 'rowid', tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE messages_trigrams USING fts5 (text, content = 'messages', content_rowid = 'rowid', tokenize = 'trigram');
-- Without 'secure-delete', which costs 12 ms a message here: after a session was deleted, search-store merges its text out of the index.
CREATE TRIGGER messages_inserted AFTER INSERT ON messages BEGIN
  INSERT INTO messages_words (rowid, text) VALUES (new.rowid, new.text);
  INSERT INTO messages_trigrams (rowid, text) VALUES (new.rowid, new.text);
END;
CREATE TRIGGER messages_deleted AFTER DELETE ON messages BEGIN
  INSERT INTO messages_words (messages_words, rowid, text) VALUES ('delete', old.rowid, old.text);
  INSERT INTO messages_trigrams (messages_trigrams, rowid, text) VALUES ('delete', old.rowid, old.text);
END;
CREATE TRIGGER messages_text_changed AFTER UPDATE OF text ON messages WHEN old.text IS NOT new.text BEGIN
  INSERT INTO messages_words (messages_words, rowid, text) VALUES ('delete', old.rowid, old.text);
  INSERT INTO messages_trigrams (messages_trigrams, rowid, text) VALUES ('delete', old.rowid, old.text);
  INSERT INTO messages_words (rowid, text) VALUES (new.rowid, new.text);
  INSERT INTO messages_trigrams (rowid, text) VALUES (new.rowid, new.text);
END;
`,
};
