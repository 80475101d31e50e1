/**
 * The parts of a request that refer to rows of a user: path parameters by the preceding path segment, fields by their
 * name at any depth. An unlisted field that looks like an id fails the tests, so that every endpoint is covered by the
 * ownership test.
 */
import { contractRoutes, type ContractRoute, type JsonSchema } from './contract-routes.ts';
import type { Body } from './valid-values.ts';
import type { Resource } from './world.ts';

/** The path segment before the id. Null: counted within the row before it. */
const PATH_WORDS: Record<string, Resource | null> = {
  assistant: 'assistant',
  assistants: 'assistant',
  calls: 'call',
  campaign: 'campaign',
  conversations: 'writtenConversation',
  campaigns: 'campaign',
  'carrier-accounts': 'carrierAccount',
  sms: 'sms',
  documents: 'document',
  'recorded-phrases': 'recordedPhrase',
  folders: 'folder',
  imports: 'import',
  knowledgebases: 'knowledgebase',
  labels: 'label',
  lead: 'lead',
  leads: 'lead',
  'phone-numbers': 'phoneNumber',
  providers: 'provider',
  'sip-trunks': 'trunk',
  'suite-conversations': 'suiteConversation',
  'suite-runs': 'suiteRun',
  suites: 'suite',
  tokens: 'token',
  tools: 'tool',
  users: 'account',
  versions: null,
  'webhook-deliveries': 'delivery',
  'webhook-endpoints': 'endpoint',
};

/** Fields of bodies and queries. Null: rows without an owner. */
const FIELDS: Record<string, Resource | null> = {
  assistant_id: 'assistant',
  assistant_ids: 'assistant',
  call_id: 'call',
  before_run_id: 'suiteRun',
  campaign_id: 'campaign',
  campaign_ids: 'campaign',
  carrier_account_id: 'carrierAccount',
  chat_llm_fallback_id: null,
  embedding_model_id: 'embeddingModel',
  endpoint_id: 'endpoint',
  engine_id: null,
  fallback_llm_models: 'model',
  flows_platform_id: null,
  folder_id: 'folder',
  instance_id: null,
  knowledgebase_id: 'knowledgebase',
  label_ids: 'label',
  language_id: null,
  lead_id: 'lead',
  llm_model: 'model',
  llm_model_id: 'model',
  multimodal_model_id: null,
  phone_number_id: 'phoneNumber',
  phone_number_ids: 'phoneNumber',
  provider_id: 'provider',
  request_id: null,
  secondary_language_ids: null,
  sip_trunk_id: 'trunk',
  suite_id: 'suite',
  synthesizer_id: null,
  synthesizer_provider_id: null,
  // A filter of the API log, in which a request appears a second later; list-api-requests.test.ts has its owner.
  token_id: null,
  tool_ids: 'tool',
  transcriber_id: null,
  transcriber_provider_id: 'provider',
  trunk_id: 'trunk',
  user_id: 'user',
  voice_id: 'voice',
};

/** One part of one endpoint that could refer to another user's row. */
export interface Reference {
  place: 'path' | 'body' | 'query';
  /** The path within that part: `['sip_trunks', 0, 'sip_trunk_id']`. */
  path: (string | number)[];
  resource: Resource;
  /** True if the value is the name of the row. */
  isByName: boolean;
  /** The enclosing form, if there are several. */
  form: Form | null;
}

/** One of several forms of a value, for example a tool of one type. */
interface Form {
  path: (string | number)[];
  schema: JsonSchema;
}

/** Every reference of an endpoint; unlisted ones are in {@link unknownReferences}. */
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

/** Fields that look like ids and are missing in the tables above, with a sentence for each. */
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

/** The fields that refer to rows, for the generators of valid requests. */
export const referenceFields: readonly (readonly [name: string, resource: Resource])[] = Object.entries(
  FIELDS,
).flatMap(([name, resource]) => (resource ? [[name, resource] as const] : []));

/** A body or query with one value replaced. */
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

/** Each path parameter with the preceding segment. */
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

/** Every field with its name; a list counts as its first item. */
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
