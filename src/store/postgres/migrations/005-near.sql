-- What was settled about two items: as what, by whom, and under which condition both hold.
alter table edge add column verdict text collate "C";

-- Which older items each one is near, as found when it was written. Follows from the texts, so it is never exported.
create table near_pair (
  newer       text collate "C" not null,
  newer_shelf text collate "C" not null,
  older       text collate "C" not null,
  older_shelf text collate "C" not null,
  nearness    double precision not null check (nearness between 0 and 1),
  kind        text collate "C" check (kind in ('contradicts', 'repeats')),
  primary key (newer, older)
);
create index near_pair_older on near_pair (older);
