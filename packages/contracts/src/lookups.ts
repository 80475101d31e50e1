/**
 * The lists that an assistant is configured from: voices, language models, languages, phone numbers. Always complete,
 * always bare arrays. See docs/api.md, "Other".
 */
import { z } from 'zod';
import { assistantModes, assistantTypes } from './assistant-record.ts';
import { c, metadata } from './contract.ts';
import { queryErrors } from './errors.ts';
import { choice, optionalQuery } from './fields.ts';
import { phoneNumberLabels } from './form-choices.ts';

/** A voice; its `id` is written as `voice_id`. */
export const voiceRecord = z
  .strictObject({ id: z.int(), name: z.string(), mode: z.enum(assistantModes) })
  .meta({ id: 'Voice' });

/** A language model; its `name` is written as `llm_model`. */
export const modelRecord = z.strictObject({ id: z.int(), name: z.string() }).meta({ id: 'Model' });

/** A language; its `name` is written as `language`. */
export const languageRecord = z
  .strictObject({ id: z.int(), name: z.string(), iso_2: z.string().length(2) })
  .meta({ id: 'Language' });

/** A number; its `id` is written as `phone_number_id`. */
export const phoneNumberRecord = z
  .strictObject({
    id: z.int(),
    phone_number: z.string(),
    country_code: z.string().length(2),
    type_label: z.enum(phoneNumberLabels),
    is_available: z.boolean(),
  })
  .meta({ id: 'PhoneNumber' });

/** A provider of speech synthesis or speech recognition. */
export const speechProviderRecord = z
  .strictObject({ id: z.int(), name: z.string() })
  .meta({ id: 'SpeechProvider' });

/** A voice as it is listed. */
export type VoiceRecord = z.output<typeof voiceRecord>;
/** A language model as it is listed. */
export type ModelRecord = z.output<typeof modelRecord>;
/** A language as it is listed. */
export type LanguageRecord = z.output<typeof languageRecord>;
/** A provider of voices or of transcription as it is listed. */
export type SpeechProviderRecord = z.output<typeof speechProviderRecord>;
/** A phone number as it is listed. */
export type PhoneNumberRecord = z.output<typeof phoneNumberRecord>;

const read = metadata({ scope: 'read' });

/** The endpoints of the lookup lists. */
export const lookups = c.router({
  listVoices: {
    method: 'GET',
    path: '/api/user/assistants/voices',
    summary: 'List voices',
    query: z.object({ mode: optionalQuery(choice(assistantModes)) }),
    responses: { 200: z.array(voiceRecord), ...queryErrors },
    metadata: read,
  },
  listModels: {
    method: 'GET',
    path: '/api/user/assistants/models',
    summary: 'List language models',
    responses: { 200: z.array(modelRecord) },
    metadata: read,
  },
  listLanguages: {
    method: 'GET',
    path: '/api/user/assistants/languages',
    summary: 'List languages',
    responses: { 200: z.array(languageRecord) },
    metadata: read,
  },
  listPhoneNumbers: {
    method: 'GET',
    path: '/api/user/assistants/phone-numbers',
    summary: 'List phone numbers that an assistant can have',
    query: z.object({ type: optionalQuery(choice(assistantTypes)) }),
    responses: { 200: z.array(phoneNumberRecord), ...queryErrors },
    metadata: read,
  },
  listSynthesizerProviders: {
    method: 'GET',
    path: '/api/user/assistants/synthesizer-providers',
    summary: 'List providers of voices',
    responses: { 200: z.array(speechProviderRecord) },
    metadata: read,
  },
  listTranscriberProviders: {
    method: 'GET',
    path: '/api/user/assistants/transcriber-providers',
    summary: 'List providers of transcription',
    responses: { 200: z.array(speechProviderRecord) },
    metadata: read,
  },
});
