-- Items are also known by the last digits of their ids, which are random: the first ones tell the time.
create index {shelf}_item_handle on {shelf}_item (substr(id, -8));
