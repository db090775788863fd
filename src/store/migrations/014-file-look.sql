-- By which rules each file was taken in, and when the look began that read it. What is not known is read again.
alter table file add column rules text not null default '';
alter table file add column looked_at integer not null default 0;
