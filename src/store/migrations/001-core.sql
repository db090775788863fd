-- What a space keeps beside its shelves: facts about itself, the journal, the queue of
-- passages to embed, embeddings by text, and who looked at what.
create table fact (
  key   text primary key,
  value text not null
) strict, without rowid;

-- The chain. A payload lies apart with its salt, so that it can be erased while the chain still verifies.
-- A change set is named by the number of its first entry; its entries follow each other. One call of a verb may
-- make change sets in two files; `call` ties them together.
create table journal (
  seq          integer primary key,
  change_set   integer not null,
  at           integer not null,
  verb         text not null,
  host         text not null,
  session      text not null,
  call         text,
  kind         text not null,
  shelf        text not null,
  item_id      text not null,
  payload_hash blob,  -- null where there was nothing before
  hash         blob not null
) strict;
create index journal_item on journal (item_id, seq);

create table journal_payload (
  seq     integer primary key references journal (seq),
  salt    blob not null,
  payload text not null
) strict;

-- Length and last hash, outside the table they vouch for.
create table journal_head (
  one    integer primary key check (one = 1),
  length integer not null check (length >= 0),
  hash   blob not null
) strict;
insert into journal_head (one, length, hash) values (1, 0, zeroblob(32));

-- Embedders whose vectors are kept. Passages are queued for each of them, so that two programs with different
-- models on one file never undo each other's work.
create table embedder (
  identity   text primary key,
  adopted_at integer not null,
  used_at    integer not null
) strict, without rowid;

-- What waits for a vector: lower ranks first, and within a rank the newest (`recency` is minus the passage number).
-- A lease that has run out is free again, so a crash loses nothing.
create table passage_queue (
  embedder    text not null references embedder (identity) on delete cascade,
  rank        integer not null,
  recency     integer not null,
  lease_owner text,
  lease_until integer not null default 0,
  primary key (embedder, rank, recency)
) strict, without rowid;

create table embedding_cache (
  embedder  text not null,
  text_hash text not null,
  at        integer not null,
  scale     real not null,
  vector    blob not null,
  primary key (embedder, text_hash)
) strict, without rowid;
create index embedding_cache_age on embedding_cache (at);

create table access_log (
  seq       integer primary key,
  at        integer not null,
  shelf     text not null,
  item_id   text not null,
  how       text not null check (how in ('read', 'shown')),
  relevance real,
  query     text
) strict;
create index access_log_item on access_log (item_id);
