-- Edges that are derived from the texts, and edges that somebody dismissed. A constraint cannot be altered, so the table
-- is made again. A made and a stated edge may connect the same two items: what is stated dismisses what was made, and
-- when it is taken back, the made one is as it was.

create table edge_with_made (
  id            text primary key,
  shelf         text not null check (shelf in ('memory', 'decision')),
  source        text not null,
  target        text not null,
  relation      text not null check (relation in (
    'relates_to', 'derived_from', 'contradicts', 'exemplifies', 'refines', 'supersedes', 'source_of')),
  strength      real not null check (strength between 0 and 1),
  bidirectional integer not null check (bidirectional in (0, 1)),
  status        text not null check (status in ('active', 'suggested', 'dismissed')),
  created_at    integer not null,
  made          integer not null default 0 check (made in (0, 1)),
  check (source <> target)
) strict;
insert into edge_with_made (id, shelf, source, target, relation, strength, bidirectional, status, created_at)
select id, shelf, source, target, relation, strength, bidirectional, status, created_at from edge;
drop table edge;
alter table edge_with_made rename to edge;

create unique index edge_once on edge (source, target, relation, shelf, made);
-- Ordered by strength, so that only the strongest edges of an item with thousands are read.
create index edge_source on edge (source, shelf, strength desc, id);
create index edge_target on edge (target, shelf, strength desc, id);
create index edge_stated on edge (shelf, id) where made = 0;

-- How many active edges lead to each item. Counted as edges come and go, so that a search never counts them.
create table in_degree (
  shelf   text not null,
  item_id text not null,
  edges   integer not null,
  primary key (shelf, item_id)
) strict, without rowid;
create index in_degree_most on in_degree (shelf, edges);
insert into in_degree (shelf, item_id, edges)
select shelf, target, count(*) from edge where status = 'active' group by shelf, target;

create trigger in_degree_up after insert on edge when new.status = 'active' begin
  insert into in_degree (shelf, item_id, edges) values (new.shelf, new.target, 1)
  on conflict do update set edges = edges + 1;
end;
create trigger in_degree_down after delete on edge when old.status = 'active' begin
  update in_degree set edges = edges - 1 where shelf = old.shelf and item_id = old.target;
  delete from in_degree where shelf = old.shelf and item_id = old.target and edges <= 0;
end;
create trigger in_degree_changed after update of status on edge when (old.status = 'active') <> (new.status = 'active') begin
  insert into in_degree (shelf, item_id, edges) values (new.shelf, new.target, iif(new.status = 'active', 1, -1))
  on conflict do update set edges = edges + excluded.edges;
  delete from in_degree where shelf = new.shelf and item_id = new.target and edges <= 0;
end;
