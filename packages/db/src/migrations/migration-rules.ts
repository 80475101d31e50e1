/**
 * Finds statements of a migration that would lock a large table for longer than a moment: every read and write of it waits
 * meanwhile. See docs/decisions/migrations-under-load.md.
 */

/** Tables that stay small: settings, what exists once per live call, process or signed-in browser, and about a hundred runs of suites per user. */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  'api_tokens',
  'assistants',
  'call_count_changes',
  'call_progress',
  'campaign_wakes',
  'campaigns',
  'carrier_accounts',
  'dial_limits',
  'dial_policy',
  'dial_warnings',
  'knowledgebases',
  'languages',
  'lead_count_changes',
  'lead_counts',
  'live_calls',
  'llm_models',
  'phone_numbers',
  'prices',
  'providers',
  'restored_copy',
  'sessions',
  'sign_in_links',
  'suite_runs',
  'trunk_registrations',
  'trunks',
  'users',
  'voice_processes',
  'voices',
  'webhook_endpoints',
]);

/** Functions whose result is the same for all rows, so that Postgres stores a default of them without a rewrite. */
const STABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'now',
  'statement_timestamp',
  'transaction_timestamp',
]);

/** A change of a table, and why it takes long for a large one. */
const SLOW_CHANGES: readonly (readonly [RegExp, string])[] = [
  [/\bset not null\b/, 'SET NOT NULL reads all rows'],
  [/\balter (column )?\w+ (set data )?type\b/, 'a new column type rewrites the table'],
  [/\bgenerated always as \(/, 'a generated column rewrites the table'],
  [/\badd primary key\b/, 'ADD PRIMARY KEY builds an index under a lock'],
  [/\badd (constraint \w+ )?unique\b(?! using)/, 'ADD UNIQUE builds an index under a lock'],
];
/** The same without NOT VALID. */
const UNCHECKED_CHANGES: readonly (readonly [RegExp, string])[] = [
  [/\b(check|foreign key) \(/, 'a constraint without NOT VALID reads all rows'],
  [/\breferences\b/, 'a reference without NOT VALID reads all rows'],
];
const DEFAULT_FUNCTION = /\bdefault (\w+)\(/;

/** @returns one sentence per fault; empty if the statements are harmless */
export function migrationFaults(sql: string): string[] {
  const statements = statementsOf(sql);
  const created = new Set(
    statements.flatMap((text) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? []),
  );
  const isLarge = (table: string | undefined): boolean =>
    table !== undefined && !SMALL_TABLES.has(table) && !created.has(table);
  return statements.flatMap((text) => faultsOf(text, isLarge));
}

function faultsOf(text: string, isLarge: (table: string | undefined) => boolean): string[] {
  const index =
    /^create (?:unique )?index (?!concurrently)(?:if not exists )?(?:\w+ )?on (?:only )?(\w+)/.exec(text);
  if (isLarge(index?.[1])) return [`${index?.[1]}: CREATE INDEX without CONCURRENTLY stops all writes`];
  const altered = /^alter table (?:if exists )?(?:only )?(\w+) (.*)/.exec(text);
  if (isLarge(altered?.[1]))
    return changeFaults(altered?.[2] ?? '').map((fault) => `${altered?.[1]}: ${fault}`);
  const written =
    /^(?:update|delete from|truncate(?: table)?|lock(?: table)?|cluster|vacuum full|reindex table) (\w+)/.exec(
      text,
    );
  if (isLarge(written?.[1]))
    return [`${written?.[1]}: one statement for all rows; write them in batches by a job`];
  const copied = /^insert into \w+ .*?\bselect\b.*?\bfrom (\w+)/.exec(text);
  if (isLarge(copied?.[1])) return [`${copied?.[1]}: INSERT from SELECT reads all rows`];
  return /^(select|call|do)\b/.test(text)
    ? [`a function may read or lock whole tables: ${text.slice(0, 60)}`]
    : [];
}

function changeFaults(change: string): string[] {
  const called = DEFAULT_FUNCTION.exec(change)?.[1];
  const slow = change.includes('not valid') ? SLOW_CHANGES : [...SLOW_CHANGES, ...UNCHECKED_CHANGES];
  return [
    ...(called && !STABLE_FUNCTIONS.has(called) ? [`the default ${called}() rewrites the table`] : []),
    ...slow.flatMap(([pattern, why]) => (pattern.test(change) ? [why] : [])),
  ];
}

/** Without comments and bodies of functions, in lower case, one space between words. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/--[^\n]*/g, ' ')
    .split('$$')
    .filter((_, index) => index % 2 === 0)
    .join("''")
    .split(';')
    .map((text) => text.toLowerCase().replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}
