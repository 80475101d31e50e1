/**
 * Which column of a file becomes what of a lead: one holds the phone number, every other becomes a variable under its own
 * name or the one it is given, or is left out. A plan that cannot be right is refused before anything is imported.
 */

/** Column to field; null leaves the column out. What is not named keeps its name. */
export type Mapping = Readonly<Record<string, string | null>>;

/** Where everything stands in a row. */
export interface ColumnPlan {
  /** As the file calls them. */
  columns: readonly string[];
  /** Place of the phone number. */
  phone: number;
  variables: readonly { name: string; place: number }[];
}

/** A plan, or one sentence that says what is wrong. */
export type PlannedColumns = { plan: ColumnPlan } | { fault: string };

/** The field that is no variable. */
const PHONE_FIELD = 'phone_number';
const MAX_COLUMNS = 500;

/** Names that a phone number's column usually has, lower case without anything but letters; the first one wins. */
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

/** @param header - the names of the columns, as they stand in the file */
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

/** The column that is mapped to it, otherwise the one whose name says so. */
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
