-- Everything a store has besides its shelves, and additions to single shelves. Runs after the shelves are created.

create table fact (
  key   text collate "C" primary key,
  value text collate "C" not null
) with (fillfactor = 50);

create table lease (
  name  text collate "C" primary key,
  owner text collate "C" not null,
  until bigint not null
);


-- The journal -----------------------------------------------------------------------------------------------------

-- `role` is the database role that wrote the entry. It is no part of the chain: the server says it, not the client. Where a
-- team shares the space, a trigger sees to that (store/postgres/team/rights.ts). `author` is the name that the person's own
-- settings say.
create table journal (
  seq             bigint primary key,
  transaction_seq bigint not null,
  at              bigint not null,
  verb            text collate "C" not null,
  host            text collate "C" not null,
  session         text collate "C" not null,
  call            text collate "C" not null,
  space           text collate "C" not null,
  kind            text collate "C" not null,
  shelf           text collate "C" not null,
  item_id         text collate "C" not null,
  payload_hash    bytea,
  hash            bytea not null,
  role            text collate "C" not null default session_user,
  author          text collate "C" default nullif(current_setting('stele.author', true), '')
);
create index journal_item on journal (item_id, seq);
create index journal_call on journal (call);
create index journal_edge on journal (seq) where kind = 'remove_edge';

create table journal_payload (
  seq     bigint primary key references journal (seq),
  salt    bytea not null,
  payload text collate "C" not null
);

create table journal_head (
  one    integer primary key check (one = 1),
  length bigint not null check (length >= 0),
  hash   bytea not null
) with (fillfactor = 10);
insert into journal_head (one, length, hash) values (1, 0, decode(repeat('00', 32), 'hex'));

create table access_log (
  seq       bigint generated always as identity primary key,
  at        bigint not null,
  shelf     text collate "C" not null,
  item_id   text collate "C" not null,
  how       text collate "C" not null check (how in ('get', 'search', 'shown')),
  relevance double precision,
  query     text collate "C"
);
create index access_log_item on access_log (item_id);


-- Vectors ---------------------------------------------------------------------------------------------------------

create table embedder (
  identity   text collate "C" primary key,
  adopted_at bigint not null,
  used_at    bigint not null
);

create table passage_queue (
  embedder    text collate "C" not null references embedder (identity) on delete cascade,
  rank        integer not null,
  recency     bigint not null,
  lease_owner text collate "C",
  lease_until bigint not null default 0,
  primary key (embedder, rank, recency)
);

create table embedding_cache (
  embedder  text collate "C" not null,
  text_hash text collate "C" not null,
  at        bigint not null,
  scale     double precision not null,
  vector    bytea not null,
  primary key (embedder, text_hash)
);
create index embedding_cache_age on embedding_cache (at);


-- Equal content ---------------------------------------------------------------------------------------------------

create unique index memory_item_once on memory_item (scope, hash) where status = 'active';
create unique index proposal_item_once on proposal_item (scope, hash) where status = 'pending';
create unique index evidence_item_once on evidence_item (scope, hash) where status = 'active';
create unique index document_item_once on document_item (md5(path)) where status = 'active';
create unique index code_item_once on code_item (md5(path)) where status = 'active';
create index memory_item_content on memory_item (scope, hash) where status = 'pending';
create index proposal_item_content on proposal_item (scope, hash) where status = 'active';
create index evidence_item_content on evidence_item (scope, hash) where status = 'archived';
create index decision_item_content on decision_item (scope, hash);
create index document_item_content on document_item (scope, hash);
create index code_item_content on code_item (scope, hash);


-- Relations -------------------------------------------------------------------------------------------------------

create table edge (
  id            text collate "C" primary key,
  shelf         text collate "C" not null check (shelf in ('memory', 'decision')),
  source        text collate "C" not null,
  target        text collate "C" not null,
  relation      text collate "C" not null check (relation in (
    'relates_to', 'derived_from', 'contradicts', 'exemplifies', 'refines', 'supersedes', 'source_of')),
  strength      double precision not null check (strength between 0 and 1),
  bidirectional integer not null check (bidirectional in (0, 1)),
  status        text collate "C" not null check (status in ('active', 'suggested', 'dismissed')),
  created_at    bigint not null,
  made          integer not null default 0 check (made in (0, 1)),
  seq           bigint generated always as identity,  -- the order in which they were made
  check (source <> target)
);
create unique index edge_once on edge (source, target, relation, shelf, made);
create index edge_source on edge (source, shelf, strength desc, id);
create index edge_target on edge (target, shelf, strength desc, id);
create index edge_newest on edge (shelf, status, seq);
create index edge_stated on edge (shelf, id) where made = 0;

-- How many memories lead to a memory: by active edges, from memories that are active and last, each counted once.
create table in_degree (
  item_id text collate "C" primary key,
  edges   bigint not null
);
create index in_degree_most on in_degree (edges);

create function in_degree_add(target text, amount integer) returns void language plpgsql as $$
begin
  insert into in_degree (item_id, edges) values (target, amount)
  on conflict (item_id) do update set edges = in_degree.edges + excluded.edges;
  delete from in_degree where item_id = target and edges <= 0;
end $$;

create function edge_counts(source_id text) returns boolean language sql stable as $$
  select exists (select 1 from memory_item where id = source_id and status = 'active' and scope <> 'working')
$$;

-- Another active edge between the same two, of another relation, has been counted already and still counts.
create function edge_is_counted(except_id text, source_id text, target_id text) returns boolean language sql stable as $$
  select exists (
    select 1 from edge where source = source_id and target = target_id and shelf = 'memory' and status = 'active'
      and id <> except_id)
$$;

create function in_degree_of_edge() returns trigger language plpgsql as $$
declare
  was boolean := tg_op <> 'INSERT' and old.status = 'active';
  holds boolean := tg_op <> 'DELETE' and new.status = 'active';
  one edge := case when tg_op = 'DELETE' then old else new end;
begin
  if one.shelf = 'memory' and was <> holds and edge_counts(one.source)
    and not edge_is_counted(one.id, one.source, one.target) then
    perform in_degree_add(one.target, case when holds then 1 else -1 end);
  end if;
  return null;
end $$;
create trigger in_degree_edge after insert or delete or update of status on edge
for each row execute function in_degree_of_edge();

-- A memory that is removed loses its edges first.
create function in_degree_of_source() returns trigger language plpgsql as $$
begin
  perform in_degree_add(led.target, case when new.status = 'active' and new.scope <> 'working' then 1 else -1 end)
  from (select distinct target from edge where source = new.id and shelf = 'memory' and status = 'active') led;
  return null;
end $$;
create trigger in_degree_source after update of status, scope on memory_item for each row
when ((old.status = 'active' and old.scope <> 'working') <> (new.status = 'active' and new.scope <> 'working'))
execute function in_degree_of_source();


-- Decisions and evidence ------------------------------------------------------------------------------------------

-- The decisions that a decision lists as related, and the evidence that decisions rest on, by subject. Both repeat what
-- the decisions say, and are written with them.
create table decision_relation (
  decision_id text collate "C" not null,
  related_id  text collate "C" not null,
  primary key (related_id, decision_id)
);
create index decision_relation_decision on decision_relation (decision_id);

create table evidence_link (
  decision_id text collate "C" not null,
  evidence_id text collate "C" not null,
  subject     text collate "C" not null,
  primary key (decision_id, evidence_id)
);
create index evidence_link_subject on evidence_link (md5(subject), evidence_id);
create index evidence_link_evidence on evidence_link (evidence_id);

create table evidence_archive (
  seq    bigint primary key references evidence_item (seq) on delete cascade,
  digest bytea not null,
  packed bytea not null
);
alter table evidence_archive alter column packed set storage external;
create index evidence_item_kept on evidence_item (updated_at, id) where status = 'active';
create index evidence_item_archived on evidence_item (id) where status = 'archived';


-- The project's files ---------------------------------------------------------------------------------------------

create table file (
  path        text collate "C" not null,
  shelf       text collate "C" not null check (shelf in ('document', 'code', 'memory')),
  item_id     text collate "C",
  reason      text collate "C",
  bytes       bigint not null,
  modified_at double precision not null,
  hash        text collate "C" not null,
  rules       text collate "C" not null,
  looked_at   bigint not null
);
create unique index file_once on file (md5(path));
create index file_item on file (item_id) where item_id is not null;

-- However an item is deleted, its file must be read again.
create function file_of_item_gone() returns trigger language plpgsql as $$
begin
  delete from file where item_id = old.id;
  return null;
end $$;
create trigger document_file_gone after delete on document_item for each row execute function file_of_item_gone();
create trigger code_file_gone after delete on code_item for each row execute function file_of_item_gone();

-- Each symbol name once. Similar names are found by the trigrams they share.
create table symbol_name (
  seq  bigint generated always as identity primary key,
  name text collate "C" not null
);
create unique index symbol_name_once on symbol_name (md5(name));
create index symbol_name_begins on symbol_name (lower(left(name, 200)));
create table symbol_part (
  part     text collate "C" not null,
  name_seq bigint not null references symbol_name (seq) on delete cascade,
  primary key (part, name_seq)
);
create index symbol_part_name on symbol_part (name_seq);

create table symbol (
  seq        bigint generated always as identity primary key,
  item_seq   bigint not null references code_item (seq) on delete cascade,
  name_seq   bigint not null references symbol_name (seq),
  kind       text collate "C" not null,
  container  text collate "C",
  start_line integer not null,
  end_line   integer not null,
  signature  text collate "C" not null,
  doc        text collate "C"
);
create index symbol_item on symbol (item_seq);
create index symbol_named on symbol (name_seq);
create function symbol_name_unused() returns trigger language plpgsql as $$
begin
  delete from symbol_name named where named.seq in (select name_seq from gone)
    and not exists (select 1 from symbol where symbol.name_seq = named.seq);
  return null;
end $$;
create trigger symbol_gone after delete on symbol
referencing old table as gone for each statement execute function symbol_name_unused();

create table reference (
  item_seq bigint not null references document_item (seq) on delete cascade,
  written  text collate "C" not null,
  target   text collate "C"
);
create unique index reference_once on reference (item_seq, md5(written));
create index reference_target on reference (md5(target)) where target is not null;

create table document_rank (
  item_seq bigint primary key references document_item (seq) on delete cascade,
  rank     double precision not null
);
-- Counts changes of documents; the ranks record up to which count they were computed.
create function document_changed() returns trigger language plpgsql as $$
begin
  insert into fact (key, value) values ('document_changes', '1')
  on conflict (key) do update set value = (fact.value::bigint + 1)::text;
  return null;
end $$;
create trigger document_unranked after delete on document_item for each row execute function document_changed();

create table document_together (
  first_seq  bigint not null references document_item (seq) on delete cascade,
  second_seq bigint not null references document_item (seq) on delete cascade,
  times      bigint not null check (times >= 1),
  last_at    bigint not null,
  primary key (first_seq, second_seq),
  check (first_seq < second_seq)
);
create index document_together_second on document_together (second_seq);


-- Sessions --------------------------------------------------------------------------------------------------------

create table event (
  id      text collate "C" primary key,
  kind    text collate "C" not null,
  session text collate "C" not null,
  turn    text collate "C",
  at      bigint not null,
  host    text collate "C",  -- payload.host
  payload text collate "C" not null
);
create index event_session on event (md5(session), kind, at);
create index event_at on event (at);

create table checkpoint (
  transcript text collate "C" not null,
  session    text collate "C" not null,
  extractor  text collate "C" not null,
  "offset"   bigint not null check ("offset" >= 0),
  lines      bigint not null check (lines >= 0),
  skipped    bigint not null check (skipped >= 0),
  updated_at bigint not null,
  is_open    integer not null check (is_open in (0, 1)),
  state      text collate "C" not null
);
create unique index checkpoint_once on checkpoint (md5(transcript));
create index checkpoint_open on checkpoint (updated_at) where is_open = 1;

create table surface (
  branch      text collate "C" not null,
  text        text collate "C" not null,
  tokens      integer not null check (tokens >= 0),
  items       text collate "C" not null,
  made_at     bigint not null,
  fresh_until bigint not null,
  made_from   text collate "C" not null
);
create unique index surface_once on surface (md5(branch));

create table surface_run (
  seq       bigint generated always as identity primary key,
  at        bigint not null,
  branch    text collate "C" not null,
  tokens    integer not null check (tokens >= 0),
  items     text collate "C" not null,
  ms        bigint not null check (ms >= 0),
  is_cached integer not null check (is_cached in (0, 1))
);

create table injection (
  session text collate "C" not null,
  key     text collate "C" not null,
  at      bigint not null
);
create unique index injection_once on injection (md5(session), key);
create index injection_at on injection (at);
create index injection_key on injection (key);

create index memory_item_worth on memory_item (type, (confidence * 0.5 + priority * 0.02) desc, updated_at desc)
where status = 'active' and scope <> 'working';
create index memory_item_accesses on memory_item (access_count) where access_count > 0 and status = 'active';
