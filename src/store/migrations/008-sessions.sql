-- Notes of an earlier version on where preferences were captured; they are no events.
delete from event where kind = 'user_feedback' and session like 'preference %' and length(session) = 75;

-- What is made of the evidence of sessions, and can be made again from it; what was said of notes, and what sessions were
-- handed.

create table session_card (
  session    text primary key,
  branches   text not null check (json_valid(branches)),
  started_at integer not null,
  ended_at   integer not null,
  turns      integer not null,  -- how much evidence it was made from
  rules      integer not null,
  card       text not null check (json_valid(card)),
  notes      text not null check (json_valid(notes))
) strict, without rowid;
create index session_card_ended on session_card (ended_at);
create index evidence_item_session on evidence_item (session, created_at, status) where source = 'extraction';
create index memory_item_captured on memory_item (id) where source = 'extraction' and status = 'active';

create table session_error (
  session text not null references session_card (session) on delete cascade,
  key     text not null,
  line    text not null,
  at      integer not null,
  changed text,
  primary key (session, key)
) strict, without rowid;
create index session_error_key on session_error (key, at);

create table note_verdict (
  note    text primary key,
  session text not null,
  verdict text not null check (verdict in ('right', 'wrong', 'fixed')),
  memory  text,
  by      text not null,
  at      integer not null
) strict, without rowid;

create table handover (
  id      text primary key,
  session text not null,
  event   text not null,
  at      integer not null,
  text    text not null,
  tokens  integer not null check (tokens >= 0),
  sources text not null check (json_valid(sources)),
  files   text not null check (json_valid(files)),
  use     text
) strict, without rowid;
create index handover_session on handover (session, at);
create index handover_at on handover (at);
