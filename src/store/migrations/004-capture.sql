-- What hosts report of their sessions, and how far the transcripts of sessions have been read.

-- An id is made from session, turn and content, so what is reported twice is noted once.
create table event (
  id      text primary key,
  kind    text not null,
  session text not null,
  turn    text,
  at      integer not null,
  payload text not null check (json_valid(payload))
) strict;
create index event_session on event (session, kind, at);
create index event_at on event (at);

create table checkpoint (
  transcript text primary key,
  session    text not null,
  extractor  text not null,
  offset     integer not null check (offset >= 0),  -- in bytes, at the beginning of a line
  lines      integer not null check (lines >= 0),
  skipped    integer not null check (skipped >= 0),
  updated_at integer not null,
  is_open    integer not null check (is_open in (0, 1)),  -- something waits for the end of its stretch of work
  state      text not null check (json_valid(state))
) strict;
create index checkpoint_session on checkpoint (session);
create index checkpoint_open on checkpoint (updated_at) where is_open;
