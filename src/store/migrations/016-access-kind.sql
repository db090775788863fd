-- An access was by id (get) or through a question (search); both were called read. Only a search knows a relevance.
create table access (
  seq       integer primary key,
  at        integer not null,
  shelf     text not null,
  item_id   text not null,
  how       text not null check (how in ('get', 'search', 'shown')),
  relevance real,
  query     text
) strict;
insert into access (seq, at, shelf, item_id, how, relevance, query)
  select seq, at, shelf, item_id,
    case when how = 'shown' then 'shown' when relevance is null and query is null then 'get' else 'search' end,
    relevance, query
  from access_log;
drop table access_log;
alter table access rename to access_log;
create index access_log_item on access_log (item_id);
