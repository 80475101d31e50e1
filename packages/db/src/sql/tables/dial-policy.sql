-- What may be dialed (docs/decisions/toll-fraud.md). One row, so that it can be locked and never has to be created.
create table dial_policy (
  id int not null, allowed_countries text[] null, blocked_kinds text[] not null, primary key (id)
);
alter table dial_policy add constraint dial_policy_id_check check (id = 1);
insert into dial_policy (id, blocked_kinds) values (1,
  '{premium,shared_cost,satellite,international_network,personal,company,pager,voicemail}');
