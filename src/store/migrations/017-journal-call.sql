-- Change sets are looked up by their calls. Calls are named in the order of time, so this grows at its end and costs a
-- write next to nothing; by its last digits a call is found by reading through this index, not through the journal.
create index journal_call on journal (call);
