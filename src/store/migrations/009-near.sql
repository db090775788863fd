-- What was settled about two items: as what, by whom, and under which condition both hold.
alter table edge add column verdict text check (verdict is null or json_valid(verdict));

-- Which older items each one is near, as found when it was written. Follows from the texts, so it is never exported.
create table near_pair (
  newer       text not null,
  newer_shelf text not null,
  older       text not null,
  older_shelf text not null,
  nearness    real not null check (nearness between 0 and 1),
  kind        text check (kind in ('contradicts', 'repeats')),
  primary key (newer, older)
) strict, without rowid;
create index near_pair_older on near_pair (older);
