-- What only a person's own store has: the registry of spaces, and the ledger of remote providers.
create table space (
  id           text collate "C" primary key,
  key          text collate "C" not null unique,
  root         text collate "C" not null,
  remote       text collate "C",
  first_commit text collate "C",
  created_at   bigint not null
);

create table usage (
  id            text collate "C" primary key,
  provider      text collate "C" not null,
  model         text collate "C" not null,
  purpose       text collate "C" not null,
  session       text collate "C" not null,
  input_tokens  bigint not null check (input_tokens >= 0),
  output_tokens bigint not null check (output_tokens >= 0),
  at            bigint not null
);
create index usage_session on usage (md5(session));
create index usage_at on usage (at);
