/**
 * Which part of a request names a row that belongs to somebody: path parameters by the word before them, fields by their
 * name, at any depth. What looks like an id and is not known here fails the tests, so that no endpoint escapes the
 * ownership test.
 */
import { contractRoutes, type ContractRoute, type JsonSchema } from './contract-routes.ts';
import type { Body } from './valid-values.ts';
import type { Resource } from './world.ts';

/** The word of the path that stands before the id. */
const PATH_WORDS: Record<string, Resource> = {
  assistant: 'assistant',
  assistants: 'assistant',
  calls: 'call',
  campaign: 'campaign',
  campaigns: 'campaign',
  imports: 'import',
  lead: 'lead',
  leads: 'lead',
  'phone-numbers': 'phoneNumber',
  providers: 'provider',
  'sip-trunks': 'trunk',
  tokens: 'token',
  users: 'account',
  'webhook-deliveries': 'delivery',
};

/** Fields of bodies and queries. Null: rows that belong to nobody, so there is no other user's. */
const FIELDS: Record<string, Resource | null> = {
  assistant_id: 'assistant',
  call_id: 'call',
  campaign_id: 'campaign',
  knowledgebase_id: null,
  language_id: null,
  lead_id: 'lead',
  llm_model: 'model',
  llm_model_id: 'model',
  phone_number_id: 'phoneNumber',
  phone_number_ids: 'phoneNumber',
  provider_id: 'provider',
  sip_trunk_id: 'trunk',
  transcriber_provider_id: 'provider',
  trunk_id: 'trunk',
  user_id: 'user',
  voice_id: 'voice',
};

/** One place of one endpoint where somebody else's row could be named. */
export interface Reference {
  place: 'path' | 'body' | 'query';
  /** Where in that place: `['sip_trunks', 0, 'sip_trunk_id']`. */
  path: (string | number)[];
  resource: Resource;
  /** True where the row is named by its name. */
  isByName: boolean;
  /** What stands around it, where that is one of several forms. */
  form: Form | null;
}

/** One of the forms that a value may have: a tool of one type, say. */
interface Form {
  path: (string | number)[];
  schema: JsonSchema;
}

/** Every reference of an endpoint; what is unknown is in {@link unknownReferences}. */
export function referencesOf({ path, body, query }: ContractRoute): Reference[] {
  const inPath = idWords(path).map(({ word, parameter }) => ({
    place: 'path' as const,
    path: [parameter],
    resource: PATH_WORDS[word] ?? null,
    isByName: false,
    form: null,
  }));
  const inFields = (['body', 'query'] as const).flatMap((place) =>
    fieldsOf(place === 'body' ? body : query).map(({ path: field, name, schema, form }) => ({
      place,
      path: field,
      resource: FIELDS[name] ?? null,
      isByName: schema.type === 'string',
      form,
    })),
  );
  return [...inPath, ...inFields].flatMap(({ resource, ...rest }) =>
    resource ? [{ ...rest, resource }] : [],
  );
}

/** What looks like an id and stands in no table above: one sentence each, saying what is to be added. */
export function unknownReferences(): string[] {
  return contractRoutes.flatMap((route) => {
    const words = idWords(route.path).filter(({ word }) => !(word in PATH_WORDS));
    const fields = [...fieldsOf(route.body), ...fieldsOf(route.query)].filter(
      ({ name }) => /(?:^|_)ids?$/.test(name) && !(name in FIELDS),
    );
    return [
      ...words.map(({ word }) => `${route.id}: add the path word "${word}" to PATH_WORDS in references.ts`),
      ...fields.map(({ name }) => `${route.id}: add the field "${name}" to FIELDS in references.ts`),
    ].map((text) => `${text}, and a factory for its resource to world.ts`);
  });
}

/** Fields that name rows, for whoever makes valid requests. */
export const referenceFields: readonly (readonly [name: string, resource: Resource])[] = Object.entries(
  FIELDS,
).flatMap(([name, resource]) => (resource ? [[name, resource] as const] : []));

/** A body or query with one value put in. */
export function withValue(
  body: Body,
  [first = '', ...rest]: readonly (string | number)[],
  value: unknown,
): Body {
  return { ...body, [first]: valueAt(body[first], rest, value) };
}

function valueAt(old: unknown, [next, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (next === undefined) return value;
  if (typeof next === 'number') {
    const first: unknown = Array.isArray(old) ? old[0] : undefined;
    return [valueAt(first, rest, value)];
  }
  return { ...(old as Body | undefined), [next]: valueAt((old as Body | undefined)?.[next], rest, value) };
}

/** Each path parameter with the word before it. */
function idWords(path: string): { word: string; parameter: string }[] {
  const parts = path.split('/');
  return parts.flatMap((part, index) =>
    part.startsWith(':') ? [{ word: parts[index - 1] ?? '', parameter: part.slice(1) }] : [],
  );
}

interface Field {
  path: (string | number)[];
  /** The last name in the path. */
  name: string;
  schema: JsonSchema;
  form: Form | null;
}

/** Every field with its own name, lists by their first item. */
function fieldsOf(
  schema: JsonSchema | null,
  { path, form }: Pick<Field, 'path' | 'form'> = { path: [], form: null },
): Field[] {
  if (!schema) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    fieldsWithin({ path: [...path, name], name, schema: property, form }),
  );
}

function fieldsWithin(field: Field): Field[] {
  const { path, schema } = field;
  const choices = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
  if (choices.length > 0) return choices.flatMap((choice) => fieldsWithin(asChosen(field, choice)));
  if (schema.type === 'array')
    return fieldsWithin({ ...field, path: [...path, 0], schema: schema.items ?? {} });
  return schema.properties ? fieldsOf(schema, field) : [field];
}

function asChosen(field: Field, choice: JsonSchema): Field {
  const form = choice.properties ? { path: field.path, schema: choice } : field.form;
  return { ...field, schema: choice, form };
}
