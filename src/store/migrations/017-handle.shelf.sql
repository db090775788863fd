-- Handles: the last digits of ids, which are random, while the first ones tell the time.
create index {shelf}_item_handle on {shelf}_item (substr(id, -8));
