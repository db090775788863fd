-- Only stated edges count towards the in-degree. Made edges lead from each repetition to the ones before it: counted, they would
-- let repetitions keep one another from fading.

-- Another active edge between the same two, of another relation, has been counted already and still counts.
create or replace function edge_is_counted(except_id text, source_id text, target_id text)
returns boolean language sql stable as $$
  select exists (
    select 1 from edge where source = source_id and target = target_id and shelf = 'memory' and made = 0
      and status = 'active' and id <> except_id)
$$;

create or replace function in_degree_of_edge() returns trigger language plpgsql as $$
declare
  was boolean := tg_op <> 'INSERT' and old.status = 'active';
  holds boolean := tg_op <> 'DELETE' and new.status = 'active';
  one edge := case when tg_op = 'DELETE' then old else new end;
begin
  if one.made = 0 and one.shelf = 'memory' and was <> holds and edge_counts(one.source)
    and not edge_is_counted(one.id, one.source, one.target) then
    perform in_degree_add(one.target, case when holds then 1 else -1 end);
  end if;
  return null;
end $$;

-- A memory that is removed loses its edges first.
create or replace function in_degree_of_source() returns trigger language plpgsql as $$
begin
  perform in_degree_add(led.target, case when new.status = 'active' and new.scope <> 'working' then 1 else -1 end)
  from (
    select distinct target from edge where source = new.id and shelf = 'memory' and made = 0 and status = 'active') led;
  return null;
end $$;

delete from in_degree;
insert into in_degree (item_id, edges)
select edge.target, count(distinct edge.source) from edge join memory_item source on source.id = edge.source
where edge.made = 0 and edge.shelf = 'memory' and edge.status = 'active'
  and source.status = 'active' and source.scope <> 'working'
group by edge.target;
