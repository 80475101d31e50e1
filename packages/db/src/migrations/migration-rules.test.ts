import { describe, expect, it } from 'vitest';
import { migrations } from './all.ts';
import { migrationFaults } from './migration-rules.ts';

/**
 * Statements that are allowed although they take long for a large table, each with its reason. A migration from number 3 on
 * runs while calls do: a new one writes its rows in batches by a job, and builds its indexes concurrently.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  // Counts every settled call once, under a lock that stops writes of calls; it was written before this rule.
  '09-count-calls-by-outcome': 'call_counts and parley_recount_calls',
};

const queriesOf = (migration: (typeof migrations)[number]): string => {
  const instance = new migration.class(undefined as never, undefined as never);
  instance.up();
  return instance
    .getQueries()
    .map((query) => (typeof query === 'string' ? query : JSON.stringify(query)))
    .join(';\n');
};

describe('every migration after the first release', () => {
  it.each(migrations.slice(2))('$name locks no large table for long', (migration) => {
    const sql = queriesOf(migration);
    expect(sql).not.toBe('');
    const faults = migrationFaults(sql);
    if (ALLOWED[migration.name] === undefined) expect(faults).toEqual([]);
    // An exception that is not needed any more must go.
    else expect(faults).not.toEqual([]);
  });
});

describe('a statement on a large table', () => {
  it.each([
    ['create index leads_name on leads (name)', 'CREATE INDEX'],
    ['CREATE UNIQUE INDEX IF NOT EXISTS leads_name\n  ON only leads (name)', 'CREATE INDEX'],
    [
      'alter table leads add column code uuid not null default gen_random_uuid()',
      'gen_random_uuid() rewrites',
    ],
    [
      'alter table leads add column at timestamptz not null default clock_timestamp()',
      'clock_timestamp() rewrites',
    ],
    ['alter table only calls alter column cost set not null', 'SET NOT NULL'],
    ['alter table calls alter column cost type bigint', 'rewrites'],
    ['alter table calls alter cost set data type bigint', 'rewrites'],
    ['alter table calls add column b int generated always as (1) stored', 'rewrites'],
    ['alter table leads add constraint a check (attempts > 0)', 'NOT VALID'],
    ['alter table leads add constraint a foreign key (user_id) references users (id)', 'NOT VALID'],
    ['alter table leads add column user_id bigint references users', 'NOT VALID'],
    ['alter table leads add constraint a unique (phone_number)', 'ADD UNIQUE'],
    ['alter table leads add primary key (id)', 'ADD PRIMARY KEY'],
    ['update leads set attempts = 0', 'batches'],
    ['delete from deliveries where true', 'batches'],
    ['insert into users (id) select user_id from leads', 'reads all rows'],
    ['lock table leads in share mode', 'batches'],
    ['select parley_do_something()', 'a function'],
    ['-- a comment\ncreate table small (id int); update leads set attempts = 0', 'batches'],
  ])('%s', (sql, fault) => {
    expect(migrationFaults(sql)).toContainEqual(expect.stringContaining(fault));
  });

  it.each([
    'alter table leads add column note text null',
    'alter table leads add column at timestamptz not null default now()',
    "alter table calls add column kind text not null default 'none'",
    'alter table leads drop column note',
    'alter table leads add constraint a check (attempts > 0) not valid',
    'create index concurrently leads_name on leads (name)',
    'create table notes (id bigint primary key, lead_id bigint references leads); create index notes_lead on notes (lead_id)',
    'create index trunks_host on trunks (host)',
    'update trunks set port = 5060',
    'create function f() returns void language sql as $$ update leads set attempts = 0; $$',
    '-- update leads set attempts = 0',
  ])('is allowed: %s', (sql) => {
    expect(migrationFaults(sql)).toEqual([]);
  });
});
