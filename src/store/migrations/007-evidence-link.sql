-- Which evidence decisions rest on, by their subject: who asks why about a subject finds it without reading a decision.
-- It says nothing that decisions do not say, so the kernel keeps it true by itself, whoever writes there.
create table evidence_link (
  decision_id text not null,
  evidence_id text not null,
  subject     text not null,
  primary key (decision_id, evidence_id)
) strict, without rowid;
create index evidence_link_subject on evidence_link (subject, evidence_id);
create index evidence_link_evidence on evidence_link (evidence_id);

create trigger evidence_link_made after insert on decision_item begin
  insert or ignore into evidence_link (decision_id, evidence_id, subject)
  select new.id, value, new.title from json_each(new.details, '$.evidence')
  where type = 'text' and json_type(new.details, '$.evidence') = 'array' and new.title is not null;
end;
create trigger evidence_link_changed after update of title, details on decision_item begin
  delete from evidence_link where decision_id = old.id;
  insert or ignore into evidence_link (decision_id, evidence_id, subject)
  select new.id, value, new.title from json_each(new.details, '$.evidence')
  where type = 'text' and json_type(new.details, '$.evidence') = 'array' and new.title is not null;
end;
create trigger evidence_link_gone after delete on decision_item begin
  delete from evidence_link where decision_id = old.id;
end;

insert or ignore into evidence_link (decision_id, evidence_id, subject)
select item.id, named.value, item.title from decision_item item, json_each(item.details, '$.evidence') named
where named.type = 'text' and json_type(item.details, '$.evidence') = 'array' and item.title is not null;
