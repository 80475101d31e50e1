/**
 * Where the sound of a call is streamed: an agent of the user that speaks the protocol of Twilio's Media Streams. See
 * docs/media-streams.md.
 */
import { z } from 'zod';
import { wording } from './field-wording.ts';
import { choice, list, requiredText, shape, text } from './fields.ts';
import { streamFallbacks } from './form-choices.ts';

const MAX_URL = 2000;
/** Parameters of a stream. */
export const MAX_PARAMETERS = 20;
const MAX_NAME = 100;
const MAX_VALUE = 500;
/** Hosts to which sound may go without TLS: this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function isStreamAddress(value: string): boolean {
  if (!/^wss?:\/\/[^\s/?#]/i.test(value) || /[\s\p{Cc}]/u.test(value)) return false;
  const url = URL.parse(value);
  if (url === null || url.hostname === '' || url.username !== '' || url.password !== '') return false;
  return url.hash === '' && (url.protocol === 'wss:' || LOOPBACK.test(url.hostname));
}

const parameters = list(
  shape({ name: requiredText({ maximum: MAX_NAME }), value: text({ maximum: MAX_VALUE }) }),
  {
    maximum: MAX_PARAMETERS,
  },
).refine((all) => new Set(all.map(({ name }) => name)).size === all.length, { error: wording.distinct });

/** The fields of a target in requests. */
export const writtenStream = {
  /** `wss://`, without credentials and fragment; `ws://` only for this machine. */
  url: requiredText({ maximum: MAX_URL })
    .refine(isStreamAddress, { error: wording.url })
    .meta({ format: 'uri', maxLength: MAX_URL, minLength: 1 }),
  /** The `customParameters` of the stream; values may contain variables. */
  parameters: parameters.default([]),
  on_failure: choice(streamFallbacks).default('assistant'),
};

/** The fields of a target in answers. */
export const readStream = {
  url: z.string(),
  parameters: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  on_failure: z.enum(streamFallbacks),
};

/** The target of a stream, without defaults. */
export interface StreamTarget {
  url: string;
  parameters: { name: string; value: string }[];
  on_failure: (typeof streamFallbacks)[number];
}
