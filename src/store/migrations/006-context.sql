-- What sessions are handed of memory: the surface as it was last made for each branch, the last times it was asked
-- for, and what each session has been given.

create table surface (
  branch      text primary key,  -- empty where there is none
  text        text not null,
  tokens      integer not null check (tokens >= 0),
  items       text not null check (json_valid(items)),
  made_at     integer not null,
  fresh_until integer not null,
  made_from   text not null  -- the state of both stores, and the settings
) strict, without rowid;

create table surface_run (
  seq       integer primary key,
  at        integer not null,
  branch    text not null,
  tokens    integer not null check (tokens >= 0),
  items     text not null check (json_valid(items)),  -- how many of each category
  ms        integer not null check (ms >= 0),
  is_cached integer not null check (is_cached in (0, 1))
) strict;

-- A key is the id of an item, or the hash of a text.
create table injection (
  session text not null,
  key     text not null,
  at      integer not null,
  primary key (session, key)
) strict, without rowid;
create index injection_at on injection (at);
create index injection_key on injection (key);

-- The best memories of a type are read without looking at all of them. What they were worth when they were written
-- is only part of their rank, so a few dozen of each type are read, and the most linked and most used ones too.
create index memory_item_worth on memory_item (type, (confidence * 0.5 + priority * 0.02) desc, updated_at desc)
where status = 'active' and scope <> 'working';
create index memory_item_accesses on memory_item (access_count) where access_count > 0 and status = 'active';
