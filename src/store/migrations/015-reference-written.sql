-- What a document refers to, as it is written, and the path of the document that it means by now: which one that is
-- changes with every document that comes, goes or is renamed. What was written is no longer known of those that are
-- here, so their files are read again.
drop table reference;
create table reference (
  item_seq integer not null references document_item (seq) on delete cascade,
  written  text not null,
  target   text,  -- null where it leads nowhere
  primary key (item_seq, written)
) strict, without rowid;
create index reference_target on reference (target) where target is not null;
update file set hash = '', modified_at = -1 where shelf = 'document' and item_id is not null;

-- Counts what documents went through; their ranks say up to which count they were computed.
create trigger document_unranked after delete on document_item begin
  insert into fact (key, value) values ('document_changes', '1')
  on conflict (key) do update set value = cast(cast(value as integer) + 1 as text);
end;
