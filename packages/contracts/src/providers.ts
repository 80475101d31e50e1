/**
 * Accounts at providers of language models, voices and transcription. They are shared by all users; only operators may
 * write them, because their URLs are called from inside this installation. Keys are write-only.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import {
  choice,
  headerText,
  idParameter,
  list,
  nullable,
  requiredText,
  shape,
  webAddress,
} from './fields.ts';
import { wording } from './field-wording.ts';
import { remoteProviderKinds } from './form-choices.ts';

/** `built-in` runs inside this installation. */
export const providerKinds = ['built-in', ...remoteProviderKinds] as const;

const offerRecord = z
  .strictObject({
    id: z.int(),
    /** The displayed name; unique among all models, or among all voices. */
    name: z.string(),
    /** The name of the model or voice in requests to the server. */
    wire_name: z.string(),
  })
  .meta({ id: 'ProviderOffer' });

/** A provider as it is read. */
export const providerRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    kind: z.enum(providerKinds),
    /** The address, for `openai-compatible` without `/chat/completions`; null for the built-in provider, and for members. */
    base_url: z.string().nullable(),
    has_api_key: z.boolean(),
    models: z.array(offerRecord),
    /** Models that turn texts into vectors: the values of `embedding_model_id` of a knowledge base. */
    embedding_models: z.array(offerRecord),
    voices: z.array(offerRecord),
    /** For `openai-compatible`: the server's name of the model that transcribes. Null: not known, or another kind. */
    transcription_model: z.string().nullable(),
    /** True if it was found on the machine of this installation; it can do nothing but what is listed here. */
    is_found: z.boolean(),
    /** A note for operators: the key could not be tested, the lists are old. */
    note: z.string().nullable(),
    /** When voices and models were last taken from the provider's own lists; null where it has none. */
    refreshed_at: isoMicrosecondsField.nullable(),
    created_at: isoMicrosecondsField,
  })
  .meta({ id: 'Provider' });

const MAX_OFFERS = 1000;
const offer = shape({
  name: requiredText({ maximum: 100 }),
  /** Absent: the same as the name. */
  wire_name: requiredText({ maximum: 255 }).optional(),
});
const offers = () => list(offer, { maximum: MAX_OFFERS });
const transcriptionModel = nullable(requiredText({ maximum: 255 })).optional();
const apiKey = nullable(headerText({ maximum: 1000 })).optional();

/**
 * Body of POST /api/user/providers. A key is tested: one that the provider refuses is invalid; a provider that cannot be
 * reached is stored with a note.
 */
export const newProviderBody = shape({
  name: requiredText({ maximum: 255 }),
  kind: choice(remoteProviderKinds).default('openai-compatible'),
  /** Absent: the provider's own. */
  base_url: webAddress().optional(),
  api_key: apiKey,
  models: offers().default([]),
  embedding_models: offers().default([]),
  voices: offers().default([]),
  transcription_model: transcriptionModel,
}).superRefine(requireAddress, { when: () => true });

/** Runs before values are validated: without a kind the first one applies. */
function requireAddress(given: Record<string, unknown>, context: z.core.$RefinementCtx): void {
  const { kind = 'openai-compatible', base_url: baseUrl } = given;
  if (kind !== 'openai-compatible' || baseUrl !== undefined) return;
  context.addIssue({ code: 'custom', path: ['base_url'], message: wording.required });
}

/**
 * Body of PUT /api/user/providers/{id}: omitted fields stay unchanged. A sent list replaces the stored one, except for
 * entries that the provider lists itself; a name that is kept keeps its id. Another URL requires the key again, so that a
 * stored key is never sent to another server.
 */
export const providerChangesBody = shape({
  name: requiredText({ maximum: 255 }).optional(),
  base_url: webAddress().optional(),
  api_key: apiKey,
  models: offers().optional(),
  embedding_models: offers().optional(),
  voices: offers().optional(),
  transcription_model: transcriptionModel,
});

/** A provider as it is read. */
export type ProviderRecord = z.output<typeof providerRecord>;
/** The body that creates a provider. */
export type NewProvider = z.output<typeof newProviderBody>;
/** The body that changes a provider. */
export type ProviderChanges = z.output<typeof providerChangesBody>;

const providerWritten = written(providerRecord).meta({ id: 'ProviderWritten' });
const one = metadata({ scope: 'write', role: 'operator', notFoundMessage: 'Provider not found' });

/** The endpoints of provider accounts. */
export const providers = c.router({
  list: {
    method: 'GET',
    path: '/api/user/providers',
    summary: 'List providers of models and voices',
    responses: { 200: z.array(providerRecord) },
    metadata: metadata({ scope: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/api/user/providers',
    summary: 'Add a provider',
    body: newProviderBody,
    responses: { 201: providerWritten, ...bodyErrors },
    metadata: metadata({ scope: 'write', role: 'operator' }),
  },
  update: {
    method: 'PUT',
    path: '/api/user/providers/:id',
    pathParams: idParameter,
    summary: 'Change a provider',
    body: providerChangesBody,
    responses: { 200: providerWritten, ...bodyErrors, ...singleErrors },
    metadata: one,
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/providers/:id',
    pathParams: idParameter,
    summary: 'Remove an unused provider',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: one,
  },
});
