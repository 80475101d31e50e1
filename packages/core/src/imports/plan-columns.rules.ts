/**
 * Maps the columns of a file to a lead: one holds the phone number, and each of the others becomes a variable under its
 * own or a given name, or is left out. An invalid mapping is refused before anything is imported.
 */

/** Column to field; null leaves the column out. A column without an entry keeps its name. */
export type Mapping = Readonly<Record<string, string | null>>;

/** The position of each field in a row. */
export interface ColumnPlan {
  /** The names from the header. */
  columns: readonly string[];
  /** Index of the phone number. */
  phone: number;
  variables: readonly { name: string; place: number }[];
}

/** A plan, or a sentence that describes the fault. */
export type PlannedColumns = { plan: ColumnPlan } | { fault: string };

/** The field that is no variable. */
const PHONE_FIELD = 'phone_number';
const MAX_COLUMNS = 500;

/** Usual names of a phone number column, in lower case without anything but letters. Earlier ones take precedence. */
const PHONE_NAMES = [
  'phonenumber',
  'phone',
  'mobilephone',
  'mobilenumber',
  'mobile',
  'cellphone',
  'cell',
  'telephonenumber',
  'telephone',
  'telefonnummer',
  'telefon',
  'rufnummer',
  'handynummer',
  'handy',
  'mobil',
  'telefono',
  'telefone',
  'tel',
  'msisdn',
  'number',
];

/** @param header - the column names as they are in the file */
export function planColumns(header: readonly string[], mapping: Mapping = {}): PlannedColumns {
  const columns = header.map((name) => name.trim());
  const fault = faultOfHeader(columns) ?? faultOfMapping(columns, mapping);
  if (fault !== null) return { fault };
  const phone = findPhone(columns, mapping);
  if (phone < 0) return { fault: `No column holds the phone number. The file has: ${listed(columns)}` };
  const variables = columns.flatMap((column, place) => {
    const name = Object.hasOwn(mapping, column) ? (mapping[column] ?? '') : column;
    return name === '' || place === phone ? [] : [{ name, place }];
  });
  const twice = firstTwice(variables.map(({ name }) => name));
  if (twice !== undefined) return { fault: `Two columns become the variable "${twice}".` };
  return { plan: { columns, phone, variables } };
}

function faultOfHeader(columns: readonly string[]): string | null {
  if (columns.length > MAX_COLUMNS) return `The file must not have more than ${MAX_COLUMNS} columns.`;
  const twice = firstTwice(columns.filter((name) => name !== ''));
  return twice === undefined ? null : `The file has two columns of the name "${twice}".`;
}

function faultOfMapping(columns: readonly string[], mapping: Mapping): string | null {
  const unknown = Object.keys(mapping).find((column) => !columns.includes(column));
  if (unknown !== undefined) return `The file has no column "${unknown}". It has: ${listed(columns)}`;
  const phones = Object.values(mapping).filter((field) => field === PHONE_FIELD);
  return phones.length > 1 ? 'Only one column can hold the phone number.' : null;
}

/** The column that is mapped to the phone number, otherwise the one with a usual name. */
function findPhone(columns: readonly string[], mapping: Mapping): number {
  const mapped = columns.findIndex((name) => Object.hasOwn(mapping, name) && mapping[name] === PHONE_FIELD);
  if (mapped >= 0) return mapped;
  const plain = columns.map((name) =>
    Object.hasOwn(mapping, name) ? '' : name.toLowerCase().replaceAll(/[^a-z]/g, ''),
  );
  const known = PHONE_NAMES.find((name) => plain.includes(name));
  return known === undefined ? -1 : plain.indexOf(known);
}

function firstTwice(names: readonly string[]): string | undefined {
  return names.find((name, place) => names.indexOf(name) !== place);
}

function listed(columns: readonly string[]): string {
  const text = columns.filter((name) => name !== '').join(', ');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
