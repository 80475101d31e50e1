/**
 * The phone numbers of a user: list, add, remove. The numbers for an assistant are in lookups.ts. A number belongs
 * to the SIP trunk that it is reached through.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, queryErrors, singleErrors } from './errors.ts';
import { choice, idParameter, integer, nullable, optionalQuery, requiredText, shape } from './fields.ts';
import { inboundRouteBody, inboundRouteRecord } from './inbound-route.ts';
import { phoneNumberLabels, phoneNumberRecord } from './lookups.ts';

/** A number, its trunk, and the assistants that use it. */
export const ownNumberRecord = phoneNumberRecord
  .extend({
    sip_trunk_id: z.int(),
    /** Whose number it is. */
    user_id: z.int(),
    /** Assistants that use it; while there are any it cannot be removed. */
    assistants: z.array(z.strictObject({ id: z.int(), name: z.string() })),
    /** What happens to its calls; null: its inbound assistant answers them. */
    inbound_route: inboundRouteRecord.nullable(),
    created_at: isoMicrosecondsField,
  })
  .meta({ id: 'OwnPhoneNumber' });

/** Body of POST /api/user/phone-numbers. */
export const newNumberBody = shape({
  /** As people write it; without `+` it is a number of the user's default country. */
  phone_number: requiredText({ maximum: 64 }),
  sip_trunk_id: integer(),
  type_label: choice(phoneNumberLabels).default('SIP'),
  /** For operators: the owner of the number. Absent or null: the requesting user. */
  user_id: nullable(integer()).optional(),
});

/** A number, its trunk, and the assistants that use it. */
export type OwnNumberRecord = z.output<typeof ownNumberRecord>;
/** The body that adds a number. */
export type NewNumber = z.output<typeof newNumberBody>;

const ROUTE_PATH = '/api/user/phone-numbers/:id/inbound-route';
const notFoundMessage = 'Phone number not found';

/** The endpoints of phone numbers. */
export const phoneNumbers = c.router({
  list: {
    method: 'GET',
    path: '/api/user/phone-numbers',
    summary: 'List your phone numbers',
    query: z.object({
      /** For operators: whose numbers. */
      user_id: optionalQuery(integer()),
    }),
    responses: { 200: z.array(ownNumberRecord), ...queryErrors },
    metadata: metadata({ scope: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/api/user/phone-numbers',
    summary: 'Add a phone number',
    body: newNumberBody,
    responses: { 201: written(ownNumberRecord).meta({ id: 'PhoneNumberCreated' }), ...bodyErrors },
    metadata: metadata({ scope: 'write' }),
  },
  setRoute: {
    method: 'PUT',
    path: ROUTE_PATH,
    pathParams: idParameter,
    summary: 'Set what happens to the calls of a phone number, by day, time and country of the caller',
    body: inboundRouteBody,
    responses: {
      200: written(ownNumberRecord).meta({ id: 'PhoneNumberRouted' }),
      ...bodyErrors,
      ...singleErrors,
    },
    metadata: metadata({ scope: 'write', notFoundMessage }),
  },
  removeRoute: {
    method: 'DELETE',
    path: ROUTE_PATH,
    pathParams: idParameter,
    summary: 'Remove the rules of a phone number, so that its assistant answers all calls',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage }),
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/phone-numbers/:id',
    pathParams: idParameter,
    summary: 'Remove an unused phone number',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage }),
  },
});
