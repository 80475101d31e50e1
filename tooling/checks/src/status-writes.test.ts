import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findStatusWrites, STATUS_COLUMNS, type StatusColumn } from './status-writes.ts';

const root = resolve(import.meta.dirname, '../../..');
const CORE = 'packages/core/src';
const FUNCTIONS = 'packages/db/src/sql/functions';

/** The one module that updates each column, with the SQL functions that belong to it. */
const WRITERS: Record<StatusColumn, readonly string[]> = {
  'calls.status': [`${CORE}/lifecycle/apply-call-event.ts`],
  'campaigns.status': [`${CORE}/dialing/campaign-status.ts`],
  'leads.status': [`${CORE}/dialing/lead-state.ts`],
  'leads.dial_state': [`${CORE}/dialing/lead-state.ts`],
  'deliveries.status': [`${CORE}/outbox/delivery-state.ts`],
  'deliveries.stage': [
    `${CORE}/outbox/delivery-state.ts`,
    // In a restored copy no worker holds the claims that the backup contains.
    'packages/db/src/backup/restore-backup.ts',
    `${FUNCTIONS}/claim-deliveries.sql`,
  ],
  'lead_imports.state': [`${CORE}/imports/import-run.ts`],
};
/** The files that insert rows in their first state. */
const INSERTERS: Record<string, readonly string[]> = {
  calls: [`${CORE}/calls/insert-call.ts`],
  campaigns: [`${CORE}/campaigns/create-campaign.ts`],
  leads: [`${CORE}/leads/write-leads.ts`, `${FUNCTIONS}/create-lead.sql`],
  deliveries: [`${CORE}/outbox/delivery-state.ts`],
  lead_imports: [`${CORE}/imports/import-run.ts`],
};

/** The sources of the product, without tests and without the definitions of the tables. */
function sources(): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return output
    .split('\n')
    .filter((file) => /^(packages|apps)\/(?!testkit\/).*\/src\/.*\.(ts|sql)$/.test(file))
    .filter((file) => !/\.test\.ts$|\/(migrations|tables)\//.test(file));
}

const columns = Object.entries(STATUS_COLUMNS).flatMap(([table, names]) =>
  names.map((name): StatusColumn => `${table as keyof typeof STATUS_COLUMNS}.${name}`),
);

describe('every status column has one writer', () => {
  const writes = sources().flatMap((file) =>
    findStatusWrites(file, readFileSync(join(root, file), 'utf8')).map((write) => ({ ...write, file })),
  );
  const filesOf = (column: StatusColumn, kind: 'insert' | 'update') =>
    writes.filter((write) => write.column === column && write.kind === kind).map(({ file }) => file);

  it.each(columns)('%s is updated by its writer only', (column) => {
    expect(filesOf(column, 'update').toSorted()).toEqual(WRITERS[column]?.toSorted());
  });

  it.each(columns)('%s of a new row is written by its inserter only', (column) => {
    expect(filesOf(column, 'insert').toSorted()).toEqual(INSERTERS[column.split('.')[0] ?? '']?.toSorted());
  });
});

describe('a write is found', () => {
  const IMPORT = `import { Campaign, Lead, type LeadRow } from '@parley/db';\n`;

  it.each<[string, string, string[]]>([
    ['an update', "`update leads set status = 'completed' where id = $1`", ['update leads.status']],
    ['with an alias', '`update campaigns c set name = $1, status = $2`', ['update campaigns.status']],
    ['among other columns', '`update calls set a = coalesce($1, b), status = $2`', ['update calls.status']],
    ['over several lines', '`update deliveries\n  set\n stage = null`', ['update deliveries.stage']],
    [
      'within another statement',
      '`with x as (update leads set dial_state = $1) select 1`',
      ['update leads.dial_state'],
    ],
    ['a set clause that is composed', '`update lead_imports i ${changes}`', ['update lead_imports.state']],
    [
      'an assignment that is composed',
      '`update campaigns set ${changes} where id = 1`',
      ['update campaigns.status'],
    ],
    ['an insertion', '`insert into lead_imports (id, state) values (1, 2)`', ['insert lead_imports.state']],
    ['without a list of columns', '`insert into campaigns select 1`', ['insert campaigns.status']],
    [
      'an insertion that may update',
      '`insert into campaigns (id) values (1) on conflict (id) do update set status = excluded.status`',
      ['update campaigns.status'],
    ],
    [
      'an assignment to an entity',
      `${IMPORT}campaign.status = 'stopped';`,
      ['update campaigns.status', 'update leads.status'],
    ],
    [
      'Object.assign',
      `import { Lead } from '@parley/db';\nObject.assign(lead, { dialState });`,
      ['update leads.dial_state'],
    ],
    ['nativeUpdate', `${IMPORT}em.nativeUpdate(Lead, { id }, { status });`, ['update leads.status']],
    [
      'nativeUpdate with values from elsewhere',
      `${IMPORT}em.nativeUpdate(Lead, { id }, values);`,
      ['update leads.status', 'update leads.dial_state'],
    ],
    ['create', `${IMPORT}em.create(Campaign, { status });`, ['insert campaigns.status']],
  ])('%s', (_name, source, expected) => {
    expect(findStatusWrites('file.ts', source).map(({ kind, column }) => `${kind} ${column}`)).toEqual(
      expected,
    );
  });

  it.each<[string, string]>([
    ['another column', '`update campaigns set name = $1 where status = $2`'],
    [
      'a condition after the set clause',
      '`update leads set attempts = 0 from x where leads.status = x.status`',
    ],
    ['another table', '`update users set status = $1`'],
    ['a lock', '`select id from leads for update`'],
    ['a condition of the ORM', `import { Lead } from '@parley/db';\nem.find(Lead, { status });`],
    ['an object without an entity', 'Object.assign(view, { status });'],
  ])('not %s', (_name, source) => {
    expect(findStatusWrites('file.ts', source)).toEqual([]);
  });
});
