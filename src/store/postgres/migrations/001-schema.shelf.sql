-- One shelf: its items, with their tags, passages, words, wordpieces and vectors. Runs once for each shelf, with
-- {shelf} replaced by its name. Tables of their own, so that a role can be granted one shelf and not another.
--
-- Texts are compared byte by byte (collate "C"), whatever the database's own order is. Flags are 0 or 1, as in SQLite, so
-- that rows mean the same in both. What a condition needs of a JSON column is a column of its own: a cast would fail for
-- everybody on one row that holds "\u0000". Paths, sessions and other texts that may be longer than an index entry are
-- indexed by their hash.

create table {shelf}_item (
  seq           bigint generated always as identity primary key,
  id            text collate "C" not null unique,
  type          text collate "C" not null,
  scope         text collate "C" not null check (scope in ('working', 'project', 'global')),
  status        text collate "C" not null check (status in (
    'active', 'archived', 'superseded', 'pruned', 'pending', 'ratified', 'rejected')),
  version       bigint not null check (version >= 1),
  hash          text collate "C" not null,
  confidence    double precision not null check (confidence between 0 and 1),
  priority      integer not null check (priority between 1 and 10),
  pinned        integer not null check (pinned in (0, 1)),
  created_at    bigint not null,
  updated_at    bigint not null,
  accessed_at   bigint not null,
  access_count  bigint not null check (access_count >= 0),
  expires_at    bigint,
  valid_from    bigint,
  valid_until   bigint,
  superseded_by text collate "C",
  source        text collate "C" not null,
  host          text collate "C" not null,
  session       text collate "C" not null,
  branch        text collate "C",
  label         text collate "C",
  path          text collate "C",
  language      text collate "C",  -- context.language
  routed_by     text collate "C",  -- details.routedBy
  routed_space  text collate "C",  -- details.space
  title         text collate "C",
  tags          text collate "C" not null,
  context       text collate "C" not null,
  details       text collate "C" not null,
  background    text collate "C",
  summary       text collate "C" not null check (length(summary) <= 200),
  content       text collate "C" not null,
  check (valid_until is null or valid_from is null or valid_from <= valid_until)
);
create index {shelf}_item_created on {shelf}_item (created_at desc, id);
create index {shelf}_item_superseded on {shelf}_item (superseded_by) where superseded_by is not null;
create index {shelf}_item_expiry on {shelf}_item (expires_at) where expires_at is not null;
create index {shelf}_item_working on {shelf}_item (md5(session), accessed_at) where scope = 'working';
create index {shelf}_item_path on {shelf}_item (md5(path)) where path is not null;
-- A handle is the end of an id: the last digits are random, while the first ones encode the time.
create index {shelf}_item_handle on {shelf}_item (right(id, 8));

create table {shelf}_tag (
  tag      text collate "C" not null,
  item_seq bigint not null references {shelf}_item (seq) on delete cascade,
  primary key (tag, item_seq)
);
create index {shelf}_tag_item on {shelf}_tag (item_seq);

-- A passage's number is also its row among the vectors, so it is never reused. `words` is how many the keyword index
-- counts, over all its columns.
create table {shelf}_passage (
  seq        bigint generated always as identity primary key,
  item_seq   bigint not null references {shelf}_item (seq) on delete cascade,
  ordinal    integer not null,
  heading    text collate "C",
  start_line integer,
  end_line   integer,
  text       text collate "C" not null,
  tokens     bytea,
  embed      integer not null check (embed in (0, 1)),
  speaker    text collate "C",
  role       text collate "C",
  said_at    bigint,
  words      integer not null,
  unique (item_seq, ordinal) deferrable initially immediate
);
create index {shelf}_passage_speaker on {shelf}_passage (lower(left(speaker, 200))) where speaker is not null;

-- The keyword index: in which passages a stemmed word occurs, how much it counts there, by the weights of the columns it
-- is in, and how many words the passage has. The index holds all of it, so that ranking reads nothing else. Whoever writes
-- a passage writes these, and no foreign key looks each of them up again. A term that is too long for an index entry is
-- kept by its beginning and its hash.
create table {shelf}_posting (
  term    text collate "C" not null,
  passage bigint not null,
  weight  double precision not null,
  words   integer not null,
  primary key (term, passage) include (weight, words)
);
create index {shelf}_posting_passage on {shelf}_posting (passage);
-- In how many passages each word occurs. Changed in place, which needs room on the page.
create table {shelf}_term (
  term     text collate "C" primary key,
  passages bigint not null
) with (fillfactor = 60);
-- How many passages there are, and how many words they have.
create table {shelf}_total (
  one      integer primary key check (one = 1),
  passages bigint not null,
  words    bigint not null
) with (fillfactor = 10);
insert into {shelf}_total (one, passages, words) values (1, 0, 0);

-- The number of passages in which each wordpiece occurs. Only passages up to the number in the fact `counted_{shelf}`
-- are counted; the few after it are read when the counts are needed.
create table {shelf}_wordpiece (
  piece    integer primary key,
  passages bigint not null
) with (fillfactor = 60);

-- 1,024 vectors per block: passage n is row n % 1024 of block n / 1024. A scale of 0 marks an empty row. Compressing
-- quantised vectors gains nothing.
create table {shelf}_vector_block (
  embedder text collate "C" not null,
  block    bigint not null,
  revision bigint not null,
  scales   bytea not null,
  vectors  bytea not null,
  primary key (embedder, block)
);
alter table {shelf}_vector_block alter column vectors set storage external, alter column scales set storage external;
create index {shelf}_vector_revision on {shelf}_vector_block (embedder, revision);
