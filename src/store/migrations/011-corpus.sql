-- The files of a project as they were last looked at. All of it can be had again from the files themselves.
create table file (
  path        text primary key,
  shelf       text not null check (shelf in ('document', 'code', 'memory')),
  item_id     text,  -- null where the file was skipped
  reason      text,
  bytes       integer not null,
  modified_at real not null,
  hash        text not null,  -- empty where the bytes were not read
  -- By which rules it was taken in, and when the look began that read it. Files that are older get these later.
  rules       text not null default '',
  looked_at   integer not null default 0
) strict, without rowid;
create index file_hash on file (hash) where hash <> '';
create index file_item on file (item_id) where item_id is not null;

-- Whatever takes an item away, its file is to be looked at anew, and nothing here tells of it any more.
create trigger document_file_gone after delete on document_item begin
  delete from file where item_id = old.id and item_id is not null;
end;
create trigger code_file_gone after delete on code_item begin
  delete from file where item_id = old.id and item_id is not null;
end;

-- Names of symbols, each once: many files define the same, and a file that changes mostly keeps them. Only these are
-- found by parts of three characters. Positions are not kept: candidates are counted.
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

-- What a document refers to: a path, or what is written where none could be told.
create table reference (
  item_seq integer not null references document_item (seq) on delete cascade,
  target   text not null,
  primary key (item_seq, target)
) strict, without rowid;
create index reference_target on reference (target);

create table document_rank (
  item_seq integer primary key references document_item (seq) on delete cascade,
  rank     real not null
) strict;

-- Documents that one question found; each pair once, the older row first.
create table document_together (
  first_seq  integer not null references document_item (seq) on delete cascade,
  second_seq integer not null references document_item (seq) on delete cascade,
  times      integer not null check (times >= 1),
  last_at    integer not null,
  primary key (first_seq, second_seq),
  check (first_seq < second_seq)
) strict, without rowid;
create index document_together_second on document_together (second_seq);

-- Long work that one process does at a time. A lease that has run out is free again.
create table lease (
  name  text primary key,
  owner text not null,
  until integer not null
) strict, without rowid;
