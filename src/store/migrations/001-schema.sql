-- Everything a store has besides its shelves, and additions to single shelves. Runs after the shelves are created.

-- Counters and markers of the store itself.
create table fact (
  key   text primary key,
  value text not null
) strict, without rowid;

-- Long work is done by one process at a time. An expired lease is free again, so a crash blocks nobody.
create table lease (
  name  text primary key,
  owner text not null,
  until integer not null
) strict, without rowid;


-- The journal -----------------------------------------------------------------------------------------------------

-- A hash chain. The payload is stored separately, with its salt, so that it can be erased while the chain still
-- verifies. A call may write to a project's store and to the person's own: `call` links the halves, and `space` is the
-- project that made the call, the only one that can see both. Either is empty if unknown.
create table journal (
  seq             integer primary key,
  transaction_seq integer not null,  -- the first entry of the same transaction
  at              integer not null,
  verb            text not null,
  host            text not null,
  session         text not null,
  call            text not null,
  space           text not null,
  kind            text not null,
  shelf           text not null,
  item_id         text not null,
  payload_hash    blob,  -- null if there was nothing before
  hash            blob not null
) strict;
create index journal_item on journal (item_id, seq);
-- Call ids sort by time, so this index grows at its end and adds almost no cost to a write. A handle is found by
-- scanning it, which is faster than scanning the journal.
create index journal_call on journal (call);
-- An erasure looks up what the journal holds of an item's edges.
create index journal_edge on journal (seq) where kind = 'remove_edge';

create table journal_payload (
  seq     integer primary key references journal (seq),
  salt    blob not null,
  payload text not null
) strict;

-- Length and last hash of the chain, outside the table they verify.
create table journal_head (
  one    integer primary key check (one = 1),
  length integer not null check (length >= 0),
  hash   blob not null
) strict;
insert into journal_head (one, length, hash) values (1, 0, zeroblob(32));

-- Which items were read, how, and for which query. Only a search has a relevance.
create table access_log (
  seq       integer primary key,
  at        integer not null,
  shelf     text not null,
  item_id   text not null,
  how       text not null check (how in ('get', 'search', 'shown')),
  relevance real,
  query     text
) strict;
create index access_log_item on access_log (item_id);


-- Vectors ---------------------------------------------------------------------------------------------------------

-- Embedders whose vectors are stored. Passages are queued for each of them, so that two programs with different models
-- never undo each other's work.
create table embedder (
  identity   text primary key,
  adopted_at integer not null,
  used_at    integer not null
) strict, without rowid;

-- Passages pending embedding: lower ranks first, and within a rank the newest (`recency` is the negated passage
-- number). An expired lease is free again, so a crash loses nothing.
create table passage_queue (
  embedder    text not null references embedder (identity) on delete cascade,
  rank        integer not null,
  recency     integer not null,
  lease_owner text,
  lease_until integer not null default 0,
  primary key (embedder, rank, recency)
) strict, without rowid;

-- Vectors by text, so that a repeated text is not embedded again.
create table embedding_cache (
  embedder  text not null,
  text_hash text not null,
  at        integer not null,
  scale     real not null,
  vector    blob not null,
  primary key (embedder, text_hash)
) strict, without rowid;
create index embedding_cache_age on embedding_cache (at);


-- Equal content ---------------------------------------------------------------------------------------------------

-- Memories, proposals and evidence with equal content exist once per scope. Two decisions on different subjects may
-- have the same text. Files may have equal content, but there is only one item per path.
create unique index memory_item_once on memory_item (scope, hash) where status = 'active';
create unique index proposal_item_once on proposal_item (scope, hash) where status = 'pending';
create unique index evidence_item_once on evidence_item (scope, hash) where status = 'active';
create unique index document_item_once on document_item (path) where status = 'active';
create unique index code_item_once on code_item (path) where status = 'active';

-- A unique index above already finds equal content of one status, so the second index covers only the other status that
-- is looked up: two full indexes over random hashes would dominate the cost of a write.
create index memory_item_content on memory_item (scope, hash) where status = 'pending';
create index proposal_item_content on proposal_item (scope, hash) where status = 'active';
create index evidence_item_content on evidence_item (scope, hash) where status = 'archived';
create index decision_item_content on decision_item (scope, hash);
create index document_item_content on document_item (scope, hash);
create index code_item_content on code_item (scope, hash);


-- Relations -------------------------------------------------------------------------------------------------------

-- Both ends are items of the same shelf of this store. Each relation between two items exists once.
create table edge (
  id            text primary key,
  shelf         text not null check (shelf in ('memory', 'decision')),
  source        text not null,
  target        text not null,
  relation      text not null check (relation in (
    'relates_to', 'derived_from', 'contradicts', 'exemplifies', 'refines', 'supersedes', 'source_of')),
  strength      real not null check (strength between 0 and 1),
  bidirectional integer not null check (bidirectional in (0, 1)),
  status        text not null check (status in ('active', 'suggested')),
  created_at    integer not null,
  check (source <> target)
) strict;
create unique index edge_once on edge (source, target, relation, shelf);
-- Ordered by strength, so that only the strongest edges of an item with thousands are read.
create index edge_source on edge (source, shelf, strength desc, id);
create index edge_target on edge (target, shelf, strength desc, id);


-- Decisions and evidence ------------------------------------------------------------------------------------------

-- Answers whether and when each decision holds without reading its text.
create index decision_item_outline on decision_item (
  id, title, status, created_at, valid_from, valid_until, superseded_by, expires_at);
-- Few decisions list related ones. A search for those that list a given decision reads only these.
create index decision_item_relating on decision_item (id) where json_array_length(details, '$.relates') > 0;

-- The evidence that decisions rest on, by subject, so that `why` finds it without reading a decision. It duplicates
-- data of the decisions; the triggers keep it in sync.
create table evidence_link (
  decision_id text not null,
  evidence_id text not null,
  subject     text not null,
  primary key (decision_id, evidence_id)
) strict, without rowid;
create index evidence_link_subject on evidence_link (subject, evidence_id);
create index evidence_link_evidence on evidence_link (evidence_id);

create trigger evidence_link_made after insert on decision_item begin
  insert or ignore into evidence_link (decision_id, evidence_id, subject)
  select new.id, value, new.title from json_each(new.details, '$.evidence')
  where type = 'text' and json_type(new.details, '$.evidence') = 'array' and new.title is not null;
end;
create trigger evidence_link_changed after update of title, details on decision_item begin
  delete from evidence_link where decision_id = old.id;
  insert or ignore into evidence_link (decision_id, evidence_id, subject)
  select new.id, value, new.title from json_each(new.details, '$.evidence')
  where type = 'text' and json_type(new.details, '$.evidence') = 'array' and new.title is not null;
end;
create trigger evidence_link_gone after delete on decision_item begin
  delete from evidence_link where decision_id = old.id;
end;

-- Archived evidence: its text and passages, compressed and not indexed. The digest of the compressed bytes reveals
-- damage, so that damaged text is never presented as evidence.
create table evidence_archive (
  seq    integer primary key references evidence_item (seq) on delete cascade,
  digest blob not null,
  packed blob not null
) strict;
create index evidence_item_kept on evidence_item (updated_at, id) where status = 'active';
create index evidence_item_archived on evidence_item (id) where status = 'archived';


-- The project's files ---------------------------------------------------------------------------------------------

-- The files as they were when last checked. All of this can be rebuilt from the files themselves.
create table file (
  path        text primary key,
  shelf       text not null check (shelf in ('document', 'code', 'memory')),
  item_id     text,  -- null if the file was skipped
  reason      text,
  bytes       integer not null,
  modified_at real not null,
  hash        text not null,  -- empty if the bytes were not read
  rules       text not null,  -- the rules it was read by
  looked_at   integer not null  -- when the run began that read it
) strict, without rowid;
create index file_item on file (item_id) where item_id is not null;

-- However an item is deleted, its file must be read again.
create trigger document_file_gone after delete on document_item begin
  delete from file where item_id = old.id and item_id is not null;
end;
create trigger code_file_gone after delete on code_item begin
  delete from file where item_id = old.id and item_id is not null;
end;

-- Each symbol name once: many files define the same names, and a changed file keeps most of its names. Similar names
-- are found by the trigrams they share; only their number matters, so no positions are stored.
create table symbol_name (
  seq  integer primary key,
  name text not null collate nocase
) strict;
create unique index symbol_name_once on symbol_name (name, name collate binary);
create virtual table symbol_fts using fts5 (
  name,
  content = 'symbol_name', content_rowid = 'seq', columnsize = 0, detail = none,
  tokenize = 'trigram'
);
create trigger symbol_name_new after insert on symbol_name begin
  insert into symbol_fts (rowid, name) values (new.seq, new.name);
end;
create trigger symbol_name_gone after delete on symbol_name begin
  insert into symbol_fts (symbol_fts, rowid, name) values ('delete', old.seq, old.name);
end;

create table symbol (
  seq        integer primary key,
  item_seq   integer not null references code_item (seq) on delete cascade,
  name_seq   integer not null references symbol_name (seq),
  kind       text not null,
  container  text,
  start_line integer not null,
  end_line   integer not null,
  signature  text not null,
  doc        text
) strict;
create index symbol_item on symbol (item_seq);
create index symbol_named on symbol (name_seq);
create trigger symbol_gone after delete on symbol
when not exists (select 1 from symbol where name_seq = old.name_seq) begin
  delete from symbol_name where seq = old.name_seq;
end;

-- What a document refers to, as written, and the path of the document that this currently resolves to: it may change
-- with every document that is added, removed or renamed.
create table reference (
  item_seq integer not null references document_item (seq) on delete cascade,
  written  text not null,
  target   text,  -- null if it resolves to nothing
  primary key (item_seq, written)
) strict, without rowid;
create index reference_target on reference (target) where target is not null;

create table document_rank (
  item_seq integer primary key references document_item (seq) on delete cascade,
  rank     real not null
) strict;
-- Counts changes of documents; the ranks record up to which count they were computed.
create trigger document_unranked after delete on document_item begin
  insert into fact (key, value) values ('document_changes', '1')
  on conflict (key) do update set value = cast(cast(value as integer) + 1 as text);
end;

-- Documents found by the same question; each pair once, the older row first.
create table document_together (
  first_seq  integer not null references document_item (seq) on delete cascade,
  second_seq integer not null references document_item (seq) on delete cascade,
  times      integer not null check (times >= 1),
  last_at    integer not null,
  primary key (first_seq, second_seq),
  check (first_seq < second_seq)
) strict, without rowid;
create index document_together_second on document_together (second_seq);
