-- Relations between items of one shelf. Both ends stand on that shelf of this file, and a relation of the same two is
-- there once.
create table edge (
  id            text primary key,
  shelf         text not null check (shelf in ('memory', 'decision')),
  source        text not null,
  target        text not null,
  relation      text not null check (relation in (
    'relates_to', 'derived_from', 'contradicts', 'exemplifies', 'refines', 'supersedes', 'source_of')),
  strength      real not null check (strength between 0 and 1),
  bidirectional integer not null check (bidirectional in (0, 1)),
  status        text not null check (status in ('active', 'suggested')),
  created_at    integer not null,
  check (source <> target)
) strict;
create unique index edge_once on edge (source, target, relation, shelf);
-- In the order of their strength, so that of an item with thousands only the strongest are read.
create index edge_source on edge (source, shelf, strength desc, id);
create index edge_target on edge (target, shelf, strength desc, id);
-- An erasure looks for what the journal kept of an item's edges.
create index journal_edge on journal (seq) where kind = 'remove_edge';
