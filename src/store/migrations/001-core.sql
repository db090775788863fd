-- What a space keeps beside its shelves: facts about itself, the journal, the queue of
-- passages to embed, embeddings by text, and who looked at what.
create table fact (
  key   text primary key,
  value text not null
) strict, without rowid;

-- The chain. A payload lies apart with its salt, so that it can be erased while the chain still verifies.
-- A change set is named by the number of its first entry; its entries follow each other.
create table journal (
  seq          integer primary key,
  change_set   integer not null,
  at           integer not null,
  verb         text not null,
  host         text not null,
  session      text not null,
  kind         text not null,
  shelf        text not null,
  item_id      text not null,
  payload_hash blob not null,
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

-- Lower ranks are embedded first. A lease that has run out is free again, so a crash loses nothing.
create table passage_queue (
  rank        integer not null,
  shelf       text not null,
  passage     integer not null,
  lease_owner text,
  lease_until integer not null default 0,
  primary key (rank, shelf, passage)
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
