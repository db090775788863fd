-- One shelf: its items, with their tags, passages, words, wordpieces and vectors. Runs once for each shelf, with
-- {shelf} replaced by its name. All shelves have the same columns, so one reader, one writer and one search serve them.

create table {shelf}_item (
  seq           integer primary key,
  id            text not null unique,
  type          text not null,
  scope         text not null check (scope in ('working', 'project', 'global')),
  status        text not null check (status in (
    'active', 'archived', 'superseded', 'pruned', 'pending', 'ratified', 'rejected')),
  version       integer not null check (version >= 1),
  hash          text not null,
  confidence    real not null check (confidence between 0 and 1),
  priority      integer not null check (priority between 1 and 10),
  pinned        integer not null check (pinned in (0, 1)),
  created_at    integer not null,
  updated_at    integer not null,
  accessed_at   integer not null,
  access_count  integer not null check (access_count >= 0),
  expires_at    integer,
  valid_from    integer,
  valid_until   integer,
  superseded_by text,
  source        text not null,
  host          text not null,
  session       text not null,
  branch        text,
  label         text,
  path          text,
  -- Long columns come last, so that a filter does not read them.
  title         text,
  tags          text not null check (json_valid(tags)),
  context       text not null check (json_valid(context)),
  details       text not null check (json_valid(details)),
  background    text,
  summary       text not null check (length(summary) <= 200),
  content       text not null,
  check (valid_until is null or valid_from is null or valid_from <= valid_until)
) strict;
create index {shelf}_item_created on {shelf}_item (created_at desc, id);
create index {shelf}_item_superseded on {shelf}_item (superseded_by) where superseded_by is not null;
create index {shelf}_item_expiry on {shelf}_item (expires_at) where expires_at is not null;
create index {shelf}_item_working on {shelf}_item (session, accessed_at) where scope = 'working';
create index {shelf}_item_path on {shelf}_item (path) where path is not null;
-- A handle is the end of an id: the last digits are random, while the first ones encode the time.
create index {shelf}_item_handle on {shelf}_item (substr(id, -8));

-- Repeats the item's `tags`, one row each, so that filtering by tag does not parse JSON.
create table {shelf}_tag (
  tag      text not null,
  item_seq integer not null references {shelf}_item (seq) on delete cascade,
  primary key (tag, item_seq)
) strict, without rowid;
create index {shelf}_tag_item on {shelf}_tag (item_seq);

-- A passage's number is also its row among the vectors, so it is never reused.
create table {shelf}_passage (
  seq        integer primary key autoincrement,
  item_seq   integer not null references {shelf}_item (seq) on delete cascade,
  ordinal    integer not null,
  heading    text,
  start_line integer,
  end_line   integer,
  text       text not null,
  tokens     blob,
  embed      integer not null check (embed in (0, 1)),
  -- In a conversation: the speaker's name, role, and the time.
  speaker    text,
  role       text,
  said_at    integer,
  unique (item_seq, ordinal)
) strict;
create index {shelf}_passage_speaker on {shelf}_passage (speaker collate nocase) where speaker is not null;

-- The words of each passage, under the passage's number. The text itself is not stored a second time.
create virtual table {shelf}_fts using fts5 (
  title, text, tags, split, cjk,
  content = '', contentless_delete = 1,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
insert into {shelf}_fts ({shelf}_fts, rank) values ('rank', 'bm25(1.5, 1.0, 1.2, 0.6, 1.0)');
create virtual table {shelf}_vocabulary using fts5vocab ({shelf}_fts, 'row');

-- The number of passages in which each wordpiece occurs; piece -1 counts the passages themselves. Only passages up to
-- the number in the fact `counted_{shelf}` are counted; the few after it are read when the counts are needed.
create table {shelf}_wordpiece (
  piece    integer primary key,
  passages integer not null
) strict;
insert into {shelf}_wordpiece (piece, passages) values (-1, 0);

-- 1,024 vectors per block: passage n is row n % 1024 of block n / 1024. A scale of 0 marks an empty row.
create table {shelf}_vector_block (
  embedder text not null,
  block    integer not null,
  revision integer not null,
  scales   blob not null,
  vectors  blob not null,
  primary key (embedder, block)
) strict;
create index {shelf}_vector_revision on {shelf}_vector_block (embedder, revision);
