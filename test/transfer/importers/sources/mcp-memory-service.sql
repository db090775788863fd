-- From the published schema of mcp-memory-service 10 (storage/sqlite_vec.py and its migrations 008, 009 and 011).
-- The table of vectors is a virtual one whose module is absent here, as it is for anybody else who opens the file.
CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE memories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  content_hash TEXT UNIQUE NOT NULL,
  content TEXT NOT NULL,
  tags TEXT,
  memory_type TEXT,
  metadata TEXT,
  created_at REAL,
  updated_at REAL,
  created_at_iso TEXT,
  updated_at_iso TEXT,
  deleted_at REAL DEFAULT NULL
);
ALTER TABLE memories ADD COLUMN parent_id TEXT;
ALTER TABLE memories ADD COLUMN version INTEGER DEFAULT 1;
ALTER TABLE memories ADD COLUMN confidence REAL DEFAULT 1.0;
ALTER TABLE memories ADD COLUMN last_accessed INTEGER;
ALTER TABLE memories ADD COLUMN superseded_by TEXT;
CREATE TABLE memory_graph (
  source_hash TEXT NOT NULL,
  target_hash TEXT NOT NULL,
  similarity REAL NOT NULL,
  connection_types TEXT NOT NULL,
  metadata TEXT,
  created_at REAL NOT NULL,
  PRIMARY KEY (source_hash, target_hash)
);
ALTER TABLE memory_graph ADD COLUMN relationship_type TEXT DEFAULT 'related';
INSERT INTO metadata VALUES ('distance_metric', 'cosine');
INSERT INTO memories (content_hash, content, tags, memory_type, metadata, created_at, created_at_iso) VALUES
  ('aa01', 'The nightly import locks the table orders for about a minute.', 'database,nightly', 'observation', '{"file_path": "jobs/import.py"}', 1791190800.25, '2026-10-05T09:00:00Z'),
  ('aa02', 'Use a separate connection for reports while the import runs.', 'database', 'learning', '{}', 1791190900.0, '2026-10-05T09:01:40Z'),
  ('aa03', 'We decided to move reports to a read replica.', 'database,reports', 'decision', NULL, 1791277200.0, '2026-10-06T09:00:00Z'),
  ('aa04', 'Reports may run at any time.', '', 'note', NULL, 1791277300.0, '2026-10-06T09:01:40Z');
INSERT INTO memories (content_hash, content, tags, memory_type, created_at, deleted_at) VALUES
  ('aa05', 'The import runs at noon.', '', 'note', 1791190000.0, 1791190001.0);
INSERT INTO memories (content_hash, content, tags, memory_type, created_at, superseded_by) VALUES
  ('aa06', 'The import locks orders for an hour.', '', 'note', 1791100000.0, 'aa01');
UPDATE memories SET confidence = 0.8 WHERE content_hash = 'aa02';
INSERT INTO memory_graph (source_hash, target_hash, similarity, connection_types, created_at, relationship_type) VALUES
  ('aa01', 'aa02', 0.62, '["semantic"]', 1791191000.0, 'related'),
  ('aa02', 'aa01', 0.62, '["semantic"]', 1791191000.0, 'related'),
  ('aa04', 'aa01', 0.9, '["causal"]', 1791278000.0, 'contradicts'),
  ('aa03', 'aa01', 0.7, '["semantic"]', 1791278000.0, 'related');
