-- What remote providers were asked, in tokens. Only the person's own store has it: caps hold in all projects.
create table usage (
  id            text primary key,
  provider      text not null,
  model         text not null,
  purpose       text not null,
  session       text not null,
  input_tokens  integer not null check (input_tokens >= 0),
  output_tokens integer not null check (output_tokens >= 0),
  at            integer not null
) strict;
create index usage_session on usage (session);
create index usage_at on usage (at);
