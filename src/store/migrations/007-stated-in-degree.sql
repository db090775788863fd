-- Only stated edges count towards the in-degree. Made edges lead from each repetition to the ones before it: counted, they would
-- let repetitions keep one another from fading.

drop trigger in_degree_up;
drop trigger in_degree_down;
drop trigger in_degree_changed;
drop trigger in_degree_source;
delete from in_degree;
insert into in_degree (item_id, edges)
select edge.target, count(distinct edge.source) from edge join memory_item source on source.id = edge.source
where edge.made = 0 and edge.shelf = 'memory' and edge.status = 'active'
  and source.status = 'active' and source.scope <> 'working'
group by edge.target;

-- Another active edge between the same two, of another relation, has been counted already and still counts.
create trigger in_degree_up after insert on edge
when new.made = 0 and new.shelf = 'memory' and new.status = 'active'
  and exists (select 1 from memory_item where id = new.source and status = 'active' and scope <> 'working')
  and not exists (
    select 1 from edge where source = new.source and target = new.target and shelf = 'memory' and made = 0
      and status = 'active' and id <> new.id) begin
  insert into in_degree (item_id, edges) values (new.target, 1) on conflict do update set edges = edges + 1;
end;
create trigger in_degree_down after delete on edge
when old.made = 0 and old.shelf = 'memory' and old.status = 'active'
  and exists (select 1 from memory_item where id = old.source and status = 'active' and scope <> 'working')
  and not exists (
    select 1 from edge where source = old.source and target = old.target and shelf = 'memory' and made = 0
      and status = 'active') begin
  update in_degree set edges = edges - 1 where item_id = old.target;
  delete from in_degree where item_id = old.target and edges <= 0;
end;
create trigger in_degree_changed after update of status on edge
when new.made = 0 and new.shelf = 'memory' and (old.status = 'active') <> (new.status = 'active')
  and exists (select 1 from memory_item where id = new.source and status = 'active' and scope <> 'working')
  and not exists (
    select 1 from edge where source = new.source and target = new.target and shelf = 'memory' and made = 0
      and status = 'active' and id <> new.id) begin
  insert into in_degree (item_id, edges) values (new.target, iif(new.status = 'active', 1, -1))
  on conflict do update set edges = edges + excluded.edges;
  delete from in_degree where item_id = new.target and edges <= 0;
end;
-- A memory that is removed loses its edges first.
create trigger in_degree_source after update of status, scope on memory_item
when (old.status = 'active' and old.scope <> 'working') <> (new.status = 'active' and new.scope <> 'working') begin
  insert into in_degree (item_id, edges)
  select distinct target, iif(new.status = 'active' and new.scope <> 'working', 1, -1) from edge
  where source = new.id and shelf = 'memory' and made = 0 and status = 'active'
  on conflict do update set edges = edges + excluded.edges;
  delete from in_degree
  where edges <= 0 and item_id in (select target from edge where source = new.id and shelf = 'memory');
end;
