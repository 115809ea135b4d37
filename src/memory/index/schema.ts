/** Raised with every change below: an index of another version is built anew, never migrated. */
export const INDEX_VERSION = 1;

/**
 * index.db holds nothing of its own: `units` are the entries that search finds, numbered as in the ledger, all else derives from them.
 * The two full-text tables keep no copy of the text; the triggers hand them what is to be taken out, so that it is really removed (M4).
 */
export const INDEX_SCHEMA = `
CREATE TABLE units (
  id         INTEGER PRIMARY KEY,               -- memory_entries.rowid
  hash       TEXT NOT NULL,                     -- memory_entries.hash
  body       TEXT NOT NULL,
  heading    TEXT NOT NULL,                     -- the headings above it, outermost first
  dated      INTEGER NOT NULL,
  speaker    TEXT,                              -- who says it, of "Name: text"
  first_person INTEGER NOT NULL,                -- speaks of itself: tells a name from a label such as "Price:"
  model      INTEGER                            -- models.id whose vectors it has; null: waits for them
) STRICT;
CREATE INDEX units_dated ON units (dated);
CREATE INDEX units_hash ON units (hash);
CREATE INDEX units_speaker ON units (speaker, first_person) WHERE speaker IS NOT NULL;
CREATE INDEX units_waiting ON units (id) WHERE model IS NULL;

CREATE VIRTUAL TABLE words USING fts5(body, heading, content = 'units', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE trigrams USING fts5(body, heading, content = 'units', content_rowid = 'id', detail = none, tokenize = 'trigram remove_diacritics 1');
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
INSERT INTO trigrams (trigrams, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER units_in AFTER INSERT ON units BEGIN
  INSERT INTO words (rowid, body, heading) VALUES (new.id, new.body, new.heading);
  INSERT INTO trigrams (rowid, body, heading) VALUES (new.id, new.body, new.heading);
END;
CREATE TRIGGER units_out AFTER DELETE ON units BEGIN
  INSERT INTO words (words, rowid, body, heading) VALUES ('delete', old.id, old.body, old.heading);
  INSERT INTO trigrams (trigrams, rowid, body, heading) VALUES ('delete', old.id, old.body, old.heading);
  DELETE FROM windows WHERE unit = old.id;
END;
CREATE TRIGGER units_changed AFTER UPDATE OF body, heading ON units WHEN old.body <> new.body OR old.heading <> new.heading BEGIN
  INSERT INTO words (words, rowid, body, heading) VALUES ('delete', old.id, old.body, old.heading);
  INSERT INTO trigrams (trigrams, rowid, body, heading) VALUES ('delete', old.id, old.body, old.heading);
  INSERT INTO words (rowid, body, heading) VALUES (new.id, new.body, new.heading);
  INSERT INTO trigrams (rowid, body, heading) VALUES (new.id, new.body, new.heading);
END;

CREATE TABLE models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dims INTEGER NOT NULL, in_use INTEGER NOT NULL) STRICT;

-- Also the cache of embeddings: a vector outlives its unit until it is swept or purged.
CREATE TABLE vectors (
  slot       INTEGER PRIMARY KEY,               -- its row in the table of signs
  model      INTEGER NOT NULL,
  text_hash  TEXT NOT NULL,                     -- of what was embedded
  bytes      BLOB NOT NULL                      -- one signed byte a number
) STRICT;
CREATE UNIQUE INDEX vectors_text ON vectors (model, text_hash);

-- A long entry has several windows; equal texts share a vector.
CREATE TABLE windows (
  unit       INTEGER NOT NULL,
  number     INTEGER NOT NULL,
  slot       INTEGER NOT NULL,
  PRIMARY KEY (unit, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX windows_slot ON windows (slot);

-- What is scanned in memory, stored in blocks so that opening reads it in one go: signs of a block's slots, and whose they are.
CREATE TABLE sign_blocks (block INTEGER PRIMARY KEY, signs BLOB NOT NULL, units BLOB NOT NULL) STRICT;
`;
