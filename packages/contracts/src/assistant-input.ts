/**
 * Assistants in requests: both vocabularies, rules over several fields, and the parsed form. Clients may use write names
 * (`assistant_name`) or read names (`name`); a read name takes read values. If both are sent, the write name wins and the
 * read name is not validated. See docs/api.md, "Assistants".
 */
import { z } from 'zod';
import { assistantDefaults } from './assistant-defaults.ts';
import { writableFields, type WritableFields } from './assistant-fields.ts';
import { isPlainObject } from './coercion.ts';
import { wording } from './field-wording.ts';

/** Read name to write name, where they differ. */
const aliases = {
  name: 'assistant_name',
  language_id: 'language',
  llm_model_id: 'llm_model',
  mode: 'engine_type',
  type: 'calls_direction',
  fillers: 'filler_audios',
  reengagement_interval: 're_engagement_interval',
  max_duration: 'max_call_duration',
  enable_noise_cancellation: 'noise_cancellation',
  record: 'record_call',
  wait_for_customer: 'who_speaks_first',
} as const satisfies Partial<Record<keyof WritableFields, keyof WritableFields>>;

type ReadName = keyof typeof aliases;

/** Write names of the fields that creating an assistant requires. */
const requiredFields = [
  'assistant_name',
  'voice_id',
  'language',
  'llm_model',
  'calls_direction',
  'engine_type',
  'timezone',
  'initial_message',
  'system_prompt',
] as const satisfies (keyof WritableFields)[];

/** Removes each read name whose write name was sent too. Anything but an object counts as an empty one. */
function dropShadowed(body: unknown): unknown {
  if (!isPlainObject(body)) return {};
  const shadowed = Object.entries(aliases).filter(([, writeName]) => body[writeName] !== undefined);
  const dropped = new Set(shadowed.map(([readName]) => readName));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !dropped.has(name)));
}

const readNames = new Map<string, string>(
  Object.entries(aliases).map(([readName, writeName]) => [writeName, readName]),
);

/** Runs before values are validated: an invalid value is not missing. */
function requireFields(given: Record<string, unknown>, context: z.core.$RefinementCtx): void {
  for (const field of requiredFields) {
    if (given[field] !== undefined || given[readNames.get(field) ?? field] !== undefined) continue;
    context.addIssue({ code: 'custom', path: [field], message: wording.required });
  }
}

/** For an update the use case checks this rule, because a stored URL is sufficient. */
function requireWebhookUrl(given: Record<string, unknown>, context: z.core.$RefinementCtx): void {
  if (given['is_webhook_active'] !== true) return;
  if (given['webhook_url'] !== undefined && given['webhook_url'] !== null) return;
  const message = wording.requiredWhen('is_webhook_active is true');
  context.addIssue({ code: 'custom', path: ['webhook_url'], message });
}

/** Write value to read value. */
const directions = { receive: 'inbound', make: 'outbound' } as const;

/**
 * The written fields under read names with read values, so that the use case has one vocabulary. Language and model are
 * an id or a name. Absent means "not sent".
 */
export type AssistantChanges = Partial<
  Defined<
    Omit<
      WritableFields,
      | (typeof aliases)[Exclude<ReadName, 'language_id' | 'llm_model_id'>]
      | 'end_call_tool'
      | 'end_call_tool.description'
      | 'use_min_interrupt_words'
    >
  >
> & { endCallDescription?: string };

/** {@link AssistantChanges} with all required fields, except for references, which have two forms. */
export type NewAssistant = AssistantChanges &
  Required<
    Pick<
      AssistantChanges,
      'name' | 'voice_id' | 'type' | 'mode' | 'timezone' | 'initial_message' | 'system_prompt'
    >
  >;

/** Converts both vocabularies to one. */
function toReadNames(given: WritableFields): AssistantChanges {
  const {
    assistant_name,
    calls_direction,
    engine_type,
    filler_audios,
    re_engagement_interval,
    max_call_duration,
    noise_cancellation,
    record_call,
    who_speaks_first,
    use_min_interrupt_words,
    end_call_tool,
    'end_call_tool.description': endCallDescription = end_call_tool?.description,
    ...rest
  } = given;
  return withoutUndefined({
    ...rest,
    name: assistant_name ?? rest.name,
    type: calls_direction === undefined ? rest.type : directions[calls_direction],
    mode: engine_type ?? rest.mode,
    fillers: filler_audios ?? rest.fillers,
    reengagement_interval: re_engagement_interval ?? rest.reengagement_interval,
    max_duration: max_call_duration ?? rest.max_duration,
    enable_noise_cancellation: noise_cancellation ?? rest.enable_noise_cancellation,
    record: record_call ?? rest.record,
    wait_for_customer:
      who_speaks_first === undefined ? rest.wait_for_customer : who_speaks_first === 'Customer',
    min_interrupt_words: use_min_interrupt_words === false ? 0 : rest.min_interrupt_words,
    endCallDescription,
  });
}

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(fields: Fields): Partial<Defined<Fields>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Defined<Fields>
  >;
}

function isNewAssistant(changes: AssistantChanges): changes is NewAssistant {
  const { name, voice_id, type, mode, timezone, initial_message, system_prompt } = changes;
  return ![name, voice_id, type, mode, timezone, initial_message, system_prompt].includes(undefined);
}

/** Rules over several fields run even when single fields are wrong, so that all errors are reported together. */
const always = { when: () => true };

/** The type refuses a default for a field that does not exist. */
const defaults: {
  readonly [Name in keyof typeof assistantDefaults]: Name extends keyof AssistantChanges ? unknown : never;
} = assistantDefaults;

/** What the API document adds to the fields: defaults under both names, and that one of two names is required. */
const documentation = {
  id: 'NewAssistant',
  propertyDefaults: {
    ...defaults,
    ...Object.fromEntries(Object.entries(defaults).map(([name, value]) => [writeNameOf(name), value])),
    who_speaks_first: 'AI assistant',
  },
  required: requiredFields.filter((field) => !readNames.has(field)),
  allOf: requiredFields.flatMap((field) => {
    const readName = readNames.get(field);
    return readName === undefined ? [] : [{ anyOf: [{ required: [field] }, { required: [readName] }] }];
  }),
};

function writeNameOf(name: string): string {
  return name in aliases ? aliases[name as ReadName] : name;
}

type Writable = z.input<typeof writableFields>;

/** Body of POST /api/user/assistant. */
export const createAssistantBody = z
  .preprocess<unknown, z.ZodType<NewAssistant, Writable>, Writable>(
    dropShadowed,
    writableFields
      .superRefine(requireFields, always)
      .superRefine(requireWebhookUrl, always)
      .transform((given): NewAssistant => {
        const changes = toReadNames(given);
        return isNewAssistant(changes) ? changes : z.NEVER;
      }),
  )
  .meta(documentation);

/**
 * Body of PUT /api/user/assistant/{id}: the same fields and rules, none of them required. Rules that
 * need the stored assistant, such as whether an active webhook has a URL, are left to the use case.
 */
export const updateAssistantBody = z
  .preprocess<unknown, z.ZodType<AssistantChanges, Writable>, Writable>(
    dropShadowed,
    writableFields.transform((given): AssistantChanges => toReadNames(given)),
  )
  .meta({ id: 'AssistantChanges' });
