-- How many memories lead to a memory: by active edges, from memories that are active and last, each counted once. Counted as
-- edges come and go and as their sources change, so that a search never counts them.
--
-- Made edges now lead from the newer memory to the older one. Those there are may lead the other way; they follow from the
-- texts, so all are made again. Only stated ones are copied, because deleting hundreds of thousands of rows from four
-- indexes takes many seconds, in which nobody can open the store.

drop trigger in_degree_up;
drop trigger in_degree_down;
drop trigger in_degree_changed;
drop table in_degree;
create table edge_stated_only (
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
insert into edge_stated_only (id, shelf, source, target, relation, strength, bidirectional, status, created_at)
select id, shelf, source, target, relation, strength, bidirectional, status, created_at from edge where made = 0;
drop table edge;
alter table edge_stated_only rename to edge;
create unique index edge_once on edge (source, target, relation, shelf, made);
-- Ordered by strength, so that only the strongest edges of an item with thousands are read.
create index edge_source on edge (source, shelf, strength desc, id);
create index edge_target on edge (target, shelf, strength desc, id);
create index edge_stated on edge (shelf, id) where made = 0;
delete from fact where key = 'linked_memory';

create table in_degree (
  item_id text primary key,
  edges   integer not null
) strict, without rowid;
create index in_degree_most on in_degree (edges);
insert into in_degree (item_id, edges)
select edge.target, count(distinct edge.source) from edge join memory_item source on source.id = edge.source
where edge.shelf = 'memory' and edge.status = 'active' and source.status = 'active' and source.scope <> 'working'
group by edge.target;

-- Another active edge between the same two, of another relation, has been counted already and still counts.
create trigger in_degree_up after insert on edge
when new.shelf = 'memory' and new.status = 'active'
  and exists (select 1 from memory_item where id = new.source and status = 'active' and scope <> 'working')
  and not exists (
    select 1 from edge where source = new.source and target = new.target and shelf = 'memory' and status = 'active'
      and id <> new.id) begin
  insert into in_degree (item_id, edges) values (new.target, 1) on conflict do update set edges = edges + 1;
end;
create trigger in_degree_down after delete on edge
when old.shelf = 'memory' and old.status = 'active'
  and exists (select 1 from memory_item where id = old.source and status = 'active' and scope <> 'working')
  and not exists (
    select 1 from edge where source = old.source and target = old.target and shelf = 'memory' and status = 'active') begin
  update in_degree set edges = edges - 1 where item_id = old.target;
  delete from in_degree where item_id = old.target and edges <= 0;
end;
create trigger in_degree_changed after update of status on edge
when new.shelf = 'memory' and (old.status = 'active') <> (new.status = 'active')
  and exists (select 1 from memory_item where id = new.source and status = 'active' and scope <> 'working')
  and not exists (
    select 1 from edge where source = new.source and target = new.target and shelf = 'memory' and status = 'active'
      and id <> new.id) begin
  insert into in_degree (item_id, edges) values (new.target, iif(new.status = 'active', 1, -1))
  on conflict do update set edges = edges + excluded.edges;
  delete from in_degree where item_id = new.target and edges <= 0;
end;
-- A memory that is removed loses its edges first.
create trigger in_degree_source after update of status, scope on memory_item
when (old.status = 'active' and old.scope <> 'working') <> (new.status = 'active' and new.scope <> 'working') begin
  insert into in_degree (item_id, edges)
  select distinct target, iif(new.status = 'active' and new.scope <> 'working', 1, -1) from edge
  where source = new.id and shelf = 'memory' and status = 'active'
  on conflict do update set edges = edges + excluded.edges;
  delete from in_degree
  where edges <= 0 and item_id in (select target from edge where source = new.id and shelf = 'memory');
end;
