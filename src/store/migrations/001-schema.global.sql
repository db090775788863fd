-- The registry of spaces. Only the person's own store has it.
create table space (
  id           text primary key,
  key          text not null unique,
  root         text not null,
  remote       text,
  first_commit text,
  created_at   integer not null
) strict, without rowid;
