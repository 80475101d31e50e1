-- How much may be dialed (docs/decisions/toll-fraud.md): limits, what was dialed today, warnings. A day is UTC's.
-- A scope is a user, an API token or a trunk; each has the limits of its scope. Null: no limit.
create table dial_limits (
  scope text not null, calls_per_second int null, calls_per_day int null, cost_per_day numeric(12,6) null,
  primary key (scope)
);
alter table dial_limits add constraint dial_limits_scope_check check (scope in ('user', 'token', 'trunk'));
insert into dial_limits (scope, calls_per_day) values ('user', 100000), ('token', 100000), ('trunk', null);

-- Locked by every dial of the subject until its commit.
create table dial_usage (
  scope text not null, subject_id bigint not null, day date not null, calls int not null,
  cost numeric(12,6) not null, recent timestamptz[] not null, primary key (scope, subject_id)
);

-- Costs that the next dial of the subject adds to dial_usage, in rows of their own, so that the end of a call waits for no
-- dial.
create table dial_costs (
  id bigserial primary key, scope text not null, subject_id bigint not null, day date not null,
  cost numeric(12,6) not null
);
create index dial_costs_scope_subject_id_index on dial_costs (scope, subject_id);

-- 80 % of a limit was reached: once a day for each subject and limit.
create table dial_warnings (
  scope text not null, subject_id bigint not null, day date not null, measure text not null, used numeric(12,6) not null,
  max numeric(12,6) not null, reached_at timestamptz(6) not null, primary key (scope, subject_id, day, measure)
);

alter table live_calls add column token_id bigint null;
alter table campaigns add column token_id bigint null;
