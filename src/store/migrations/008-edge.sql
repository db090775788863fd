-- Relations between items of one shelf. Both ends stand on that shelf of this file; a relation of the same two is
-- there once, and reading a neighbourhood is one range of an index for each end.
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
create unique index edge_source on edge (source, target, relation, shelf);
create index edge_target on edge (target, shelf);
-- An erasure looks for what the journal kept of an item's edges.
create index journal_edge on journal (seq) where kind = 'remove_edge';
