-- How many edges lead to a memory: active ones, from memories that are active and last. Counted as edges come and go and as
-- their sources change, so that a search never counts them.
--
-- Made edges now lead from the newer memory to the older one. Those there are may lead the other way; they follow from the
-- texts, so all are made again.

drop trigger in_degree_up;
drop trigger in_degree_down;
drop trigger in_degree_changed;
drop table in_degree;
delete from edge where made = 1;
delete from fact where key = 'linked_memory';

create table in_degree (
  item_id text primary key,
  edges   integer not null
) strict, without rowid;
create index in_degree_most on in_degree (edges);
insert into in_degree (item_id, edges)
select edge.target, count(*) from edge join memory_item source on source.id = edge.source
where edge.shelf = 'memory' and edge.status = 'active' and source.status = 'active' and source.scope <> 'working'
group by edge.target;

create trigger in_degree_up after insert on edge
when new.shelf = 'memory' and new.status = 'active'
  and exists (select 1 from memory_item where id = new.source and status = 'active' and scope <> 'working') begin
  insert into in_degree (item_id, edges) values (new.target, 1) on conflict do update set edges = edges + 1;
end;
create trigger in_degree_down after delete on edge
when old.shelf = 'memory' and old.status = 'active'
  and exists (select 1 from memory_item where id = old.source and status = 'active' and scope <> 'working') begin
  update in_degree set edges = edges - 1 where item_id = old.target;
  delete from in_degree where item_id = old.target and edges <= 0;
end;
create trigger in_degree_changed after update of status on edge
when new.shelf = 'memory' and (old.status = 'active') <> (new.status = 'active')
  and exists (select 1 from memory_item where id = new.source and status = 'active' and scope <> 'working') begin
  insert into in_degree (item_id, edges) values (new.target, iif(new.status = 'active', 1, -1))
  on conflict do update set edges = edges + excluded.edges;
  delete from in_degree where item_id = new.target and edges <= 0;
end;
-- A memory that is removed loses its edges first.
create trigger in_degree_source after update of status, scope on memory_item
when (old.status = 'active' and old.scope <> 'working') <> (new.status = 'active' and new.scope <> 'working') begin
  insert into in_degree (item_id, edges)
  select target, iif(new.status = 'active' and new.scope <> 'working', 1, -1) * count(*) from edge
  where source = new.id and shelf = 'memory' and status = 'active' group by target
  on conflict do update set edges = edges + excluded.edges;
  delete from in_degree
  where edges <= 0 and item_id in (select target from edge where source = new.id and shelf = 'memory');
end;
