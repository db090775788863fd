-- What is made of the evidence of sessions, and can be made again from it; what was said of notes, and what sessions were
-- handed.

create table session_card (
  session    text collate "C" not null,
  branches   text[] not null,
  started_at bigint not null,
  ended_at   bigint not null,
  turns      integer not null,  -- how much evidence it was made from
  rules      integer not null,
  card       text collate "C" not null,
  notes      text collate "C" not null
);
create unique index session_card_once on session_card (md5(session));
create index session_card_ended on session_card (ended_at);
create index evidence_item_session on evidence_item (md5(session), created_at, status) where source = 'extraction';

create table session_error (
  session text collate "C" not null,
  key     text collate "C" not null,
  line    text collate "C" not null,
  at      bigint not null,
  changed text collate "C"
);
create unique index session_error_once on session_error (md5(session), md5(key));
create index session_error_key on session_error (md5(key), at);

create table note_verdict (
  note    text collate "C" not null,
  session text collate "C" not null,
  verdict text collate "C" not null check (verdict in ('right', 'wrong', 'fixed')),
  memory  text collate "C",
  by      text collate "C" not null,
  at      bigint not null
);
create unique index note_verdict_once on note_verdict (md5(note));

create table handover (
  id      text collate "C" not null,
  session text collate "C" not null,
  event   text collate "C" not null,
  at      bigint not null,
  text    text collate "C" not null,
  tokens  integer not null check (tokens >= 0),
  sources text collate "C" not null,
  files   text collate "C" not null,
  use     text collate "C"
);
create unique index handover_once on handover (md5(id));
create index handover_at on handover (at);
