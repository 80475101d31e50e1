/**
 * Recordings of fixed sentences of an assistant: wherever the assistant says such a sentence, the recording is played
 * instead of the synthetic voice. See docs/decisions/recorded-phrases.md.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { wording } from './field-wording.ts';
import { base64File, idParameter, MAX_FILE_VALUES, requiredText, shape } from './fields.ts';
import { MAX_SOUND_BYTES } from './form-choices.ts';

/** A file in base64 takes four bytes for three; the text needs little. */
const MAX_BODY_BYTES = 14 * 1024 * 1024;
/** Characters of a recorded text; an initial message may be longer. */
const MAX_TEXT = 2000;

/** `processing`: the sound is being decoded. */
const recordedPhraseStatuses = ['processing', 'active', 'failed'] as const;
/** Where an assistant says a sentence. */
const sentenceUses = [
  'initial_message',
  'disclosure_message',
  'filler',
  'script',
  'warm_call_transfer',
  'standard',
] as const;

const recordedPhrase = z
  .strictObject({
    id: z.int(),
    text: z.string(),
    status: z.enum(recordedPhraseStatuses),
    /** Why it failed; null otherwise. */
    error: z.string().nullable(),
    /** 0 until it is active. */
    duration_ms: z.int(),
    created_at: isoMicrosecondsField,
    updated_at: isoMicrosecondsField,
  })
  .meta({ id: 'RecordedPhrase' });

const fixedSentence = z
  .strictObject({
    text: z.string(),
    used_for: z.enum(sentenceUses),
    is_recorded: z.boolean(),
    /** The recordings of the sentence in every state, newest first; recordings of other texts belong to no sentence. */
    recorded_phrase_ids: z.array(z.int()),
  })
  .meta({ id: 'FixedSentence' });

/** Variables have another value in each call. */
const recordedText = requiredText({ maximum: MAX_TEXT })
  .refine((value) => !value.includes('{{'), {
    error: 'The :attribute field must not contain variables.',
  })
  .refine((value) => /[\p{L}\p{N}]/u.test(value), { error: wording.format });

/** Adds a recording. In `multipart/form-data` the sound is the part `file`. */
export const newRecordedPhraseBody = shape({
  text: recordedText,
  file: base64File(MAX_SOUND_BYTES),
}).meta({ id: 'NewRecordedPhrase' });

/** A recording of a fixed sentence. */
export type RecordedPhraseRecord = z.output<typeof recordedPhrase>;
/** A sentence that an assistant says as it is written. */
export type FixedSentenceRecord = z.output<typeof fixedSentence>;
/** The body that adds a recording. */
export type NewRecordedPhrase = z.output<typeof newRecordedPhraseBody>;

const LIST_PATH = '/api/user/assistants/:id/recorded-phrases';
const ONE_PATH = '/api/user/assistants/:id/recorded-phrases/:phrase_id';
const phraseParameters = idParameter.extend({ phrase_id: idParameter.shape.id });
const ofAssistant = { notFoundMessage: 'Assistant not found' };
const ofPhrase = { notFoundMessage: 'Recorded phrase not found' };

/** The endpoints of recordings of fixed sentences. */
export const recordedPhrases = c.router({
  list: {
    method: 'GET',
    path: LIST_PATH,
    pathParams: idParameter,
    summary: 'List the recorded phrases of an assistant, and its fixed sentences',
    responses: {
      200: z
        .strictObject({ data: z.array(recordedPhrase), sentences: z.array(fixedSentence) })
        .meta({ id: 'RecordedPhrases' }),
      ...singleErrors,
    },
    metadata: metadata({ scope: 'read', ...ofAssistant }),
  },
  create: {
    method: 'POST',
    path: LIST_PATH,
    pathParams: idParameter,
    summary: 'Add a recording of a fixed sentence; it replaces an earlier one of the same text',
    body: newRecordedPhraseBody,
    responses: {
      201: written(recordedPhrase).meta({ id: 'RecordedPhraseWritten' }),
      ...bodyErrors,
      ...singleErrors,
    },
    metadata: metadata({
      scope: 'write',
      maxBodyBytes: MAX_BODY_BYTES,
      maxBodyValues: MAX_FILE_VALUES,
      acceptsForm: true,
      ...ofAssistant,
    }),
  },
  get: {
    method: 'GET',
    path: ONE_PATH,
    pathParams: phraseParameters,
    summary: 'Read the state of a recorded phrase',
    responses: { 200: z.strictObject({ data: recordedPhrase }), ...singleErrors },
    metadata: metadata({ scope: 'read', ...ofPhrase }),
  },
  remove: {
    method: 'DELETE',
    path: ONE_PATH,
    pathParams: phraseParameters,
    summary: 'Delete a recorded phrase; the synthetic voice says it again',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', ...ofPhrase }),
  },
});
