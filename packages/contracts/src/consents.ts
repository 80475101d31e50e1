/**
 * Records of consent: that a person agreed to be called, where, when, and to which words. A campaign with `require_consent`
 * calls only numbers that have one. See docs/decisions/consent.md.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { envelope, pageQuery } from './envelope.ts';
import { bodyErrors, queryErrors, singleErrors } from './errors.ts';
import { instant, nullable, optionalQuery, partOfNumber, requiredText, shape, text } from './fields.ts';

/** Page size of the list where the query names none. */
const DEFAULT_PER_PAGE = 15;
const PATH = '/api/user/consents';

/** The consent of the person with one number. */
export const consentRecord = z
  .strictObject({
    /** E.164. */
    phone_number: z.string(),
    /** Where the person agreed, for example the name of a form. */
    source: z.string(),
    /** The words to which the person agreed; may be empty. */
    text: z.string(),
    consented_at: isoMicrosecondsField,
    created_at: isoMicrosecondsField,
  })
  .meta({ id: 'ConsentRecord' });

/** The consent of the person with one number. */
export type ConsentRecord = z.output<typeof consentRecord>;

const number = requiredText({ maximum: 64 });

/** The endpoints of consent. */
export const consents = c.router({
  list: {
    method: 'GET',
    path: PATH,
    summary: 'List the records of consent, newest first',
    query: z.object({
      /** A part of the number. */
      phone_number: optionalQuery(partOfNumber()),
      ...pageQuery(DEFAULT_PER_PAGE),
    }),
    responses: { 200: envelope(consentRecord).meta({ id: 'ConsentPage' }), ...queryErrors },
    metadata: metadata({ scope: 'read' }),
  },
  add: {
    method: 'POST',
    path: PATH,
    summary: 'Record the consent of a person; a number that has a record gets the new one',
    body: shape({
      phone_number: number,
      source: requiredText({ maximum: 255 }),
      text: nullable(text({ maximum: 2000 })).optional(),
      /** Default: now. Not in the future. */
      consented_at: instant().optional(),
    }).meta({ id: 'NewConsent' }),
    responses: { 201: written(consentRecord).meta({ id: 'ConsentAdded' }), ...bodyErrors },
    metadata: metadata({ scope: 'write' }),
  },
  remove: {
    method: 'DELETE',
    path: PATH,
    summary: 'Remove a record of consent; campaigns that require consent no longer call the number',
    body: shape({ phone_number: number }),
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write' }),
  },
});
