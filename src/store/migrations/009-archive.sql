-- Archived evidence: what an item says and how it was cut, compressed, and in no index. The digest is of what was
-- compressed: damage is noticed, and never taken for what was said.
create table evidence_archive (
  seq    integer primary key references evidence_item (seq) on delete cascade,
  digest blob not null,
  packed blob not null
) strict;
create index evidence_item_kept on evidence_item (updated_at, id) where status = 'active';
create index evidence_item_archived on evidence_item (id) where status = 'archived';
