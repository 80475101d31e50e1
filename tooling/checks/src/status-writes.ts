/**
 * Finds code that writes a status column: SQL (`update … set`, `insert into`, `do update set`) in any file, and the ways of
 * the ORM in TypeScript. It examines texts, so it cannot follow a value through variables: where the written columns cannot
 * be read, all columns of the table count as written.
 */
import { parseSync, Visitor } from 'oxc-parser';

/** The columns that hold the state of a state machine, by table. */
export const STATUS_COLUMNS = {
  calls: ['status'],
  campaigns: ['status'],
  leads: ['status', 'dial_state'],
  deliveries: ['status', 'stage'],
  lead_imports: ['state'],
} as const satisfies Record<string, readonly string[]>;

type Table = keyof typeof STATUS_COLUMNS;

/** `leads.dial_state`, for example. */
export type StatusColumn = `${Table}.${string}`;

/** A write of a status column. */
export interface StatusWrite {
  column: StatusColumn;
  kind: 'insert' | 'update';
}

const ENTITIES: Readonly<Record<string, Table>> = {
  Call: 'calls',
  Campaign: 'campaigns',
  Lead: 'leads',
  Delivery: 'deliveries',
  LeadImport: 'lead_imports',
};

/** Every write of a file, each once. */
export function findStatusWrites(file: string, source: string): StatusWrite[] {
  const writes = [...sqlWrites(source), ...(file.endsWith('.ts') ? ormWrites(file, source) : [])];
  return [...new Map(writes.map((write) => [`${write.kind} ${write.column}`, write])).values()];
}

/** @param columns - those that are written; null: they cannot be read */
function writesOf(table: Table, kind: StatusWrite['kind'], columns: readonly string[] | null): StatusWrite[] {
  return STATUS_COLUMNS[table]
    .filter((column) => columns?.includes(column) ?? true)
    .map((column) => ({ column: `${table}.${column}`, kind }));
}

const TABLES = Object.keys(STATUS_COLUMNS).join('|');
const UPDATE = new RegExp(
  String.raw`\bupdate\s+(${TABLES})\b(?:\s+(?:as\s+)?(?!set\b)\w+)?\s*(set\b|\$\{)`,
  'g',
);
const INSERT = new RegExp(String.raw`\binsert\s+into\s+(${TABLES})\b\s*(?:\(([^)]*)\))?`, 'g');
const DO_UPDATE = /\bdo\s+update\s+set\b/g;

function sqlWrites(source: string): StatusWrite[] {
  const updates = [...source.matchAll(UPDATE)].flatMap((match) => {
    const columns = match[2] === 'set' ? assignedColumns(source, match.index + match[0].length) : null;
    return writesOf(match[1] as Table, 'update', columns);
  });
  const inserts = [...source.matchAll(INSERT)].flatMap((match) => {
    const columns = match[2]?.split(',').map((column) => column.trim()) ?? null;
    const end = endOfText(source, match.index);
    const conflict = [...source.slice(match.index, end).matchAll(DO_UPDATE)].flatMap((found) =>
      writesOf(
        match[1] as Table,
        'update',
        assignedColumns(source, match.index + found.index + found[0].length),
      ),
    );
    return [...writesOf(match[1] as Table, 'insert', columns), ...conflict];
  });
  return [...updates, ...inserts];
}

/** The end of the SQL text around a position: a quote of TypeScript, a semicolon, or the end of the file. */
function endOfText(source: string, start: number): number {
  const length = source.slice(start).search(/[`;]/);
  return length === -1 ? source.length : start + length;
}

/** @returns the columns on the left of `=` after `set`; null when one of them cannot be read */
function assignedColumns(source: string, start: number): string[] | null {
  const items = splitList(source.slice(start));
  const columns = items.map((item) => /^\s*(?:\w+\.)?(\w+)\s*=/.exec(item)?.[1] ?? null);
  return columns.every((column) => column !== null) ? columns : null;
}

/** Splits at commas outside parentheses, up to the end of the `set` clause. */
function splitList(text: string): string[] {
  const items = [''];
  let depth = 0;
  for (const token of text.match(/\w+|\W/g) ?? []) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    const isEnd = depth < 0 || token === '`' || token === ';';
    if (isEnd || (depth === 0 && /^(?:where|from|returning)$/i.test(token))) break;
    if (depth === 0 && token === ',') items.push('');
    else items[items.length - 1] += token;
  }
  return items;
}

/** Methods of the entity manager that write, with the position of their values. */
const WRITING_METHODS: Readonly<Record<string, { kind: StatusWrite['kind']; values: number }>> = {
  create: { kind: 'insert', values: 1 },
  insert: { kind: 'insert', values: 1 },
  insertMany: { kind: 'insert', values: 1 },
  upsert: { kind: 'insert', values: 1 },
  upsertMany: { kind: 'insert', values: 1 },
  nativeUpdate: { kind: 'update', values: 2 },
};

/** A node of the syntax tree, as far as this file reads it. */
interface Node {
  type: string;
  name?: string;
  value?: unknown;
  computed?: boolean;
  object?: Node;
  property?: Node;
  key?: Node;
  properties?: Node[];
}

function ormWrites(file: string, source: string): StatusWrite[] {
  const tables = Object.entries(ENTITIES).flatMap(([entity, table]) =>
    new RegExp(String.raw`\b${entity}(?:Row)?\b[^;]*from '@parley/db'`).test(source) ? [table] : [],
  );
  if (tables.length === 0) return [];
  const found: StatusWrite[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: given }) => {
      found.push(...callWrites(callee as Node, given as Node[], tables));
    },
    AssignmentExpression: ({ left }) => {
      const { type, property } = left as Node;
      if (type === 'MemberExpression') found.push(...updatesOf(tables, [property?.name ?? '']));
    },
  }).visit(parseSync(file, source).program);
  return found;
}

function callWrites(callee: Node, given: readonly Node[], tables: readonly Table[]): StatusWrite[] {
  const method = callee.property?.name ?? '';
  if (method === 'assign') return given.slice(1).flatMap((values) => updatesOf(tables, keysOf(values) ?? []));
  const writing = WRITING_METHODS[method];
  const table = ENTITIES[given[0]?.name ?? ''];
  if (!writing || !table) return [];
  const values = given[writing.values];
  const columns = values ? (keysOf(values)?.map(columnName) ?? null) : null;
  return writesOf(table, writing.kind, columns);
}

/** A change of a loaded entity; which entity it is cannot be read, so each that the file imports counts. */
function updatesOf(tables: readonly Table[], properties: readonly string[]): StatusWrite[] {
  return tables.flatMap((table) => writesOf(table, 'update', properties.map(columnName)));
}

/** @returns the keys of an object literal; null for any other expression */
function keysOf({ type, properties = [] }: Node): string[] | null {
  if (type !== 'ObjectExpression') return null;
  return properties.flatMap(({ key }) => (key ? [key.name ?? String(key.value)] : []));
}

function columnName(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
