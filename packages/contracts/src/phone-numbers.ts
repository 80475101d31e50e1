/**
 * The phone numbers of a user: list, add, search at a carrier, buy, name, remove. The numbers for an assistant are in lookups.ts. A number belongs
 * to the SIP trunk that it is reached through.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, queryErrors, singleErrors } from './errors.ts';
import {
  choice,
  idParameter,
  integer,
  nullable,
  number,
  optionalQuery,
  requiredText,
  shape,
  text,
} from './fields.ts';
import { wording } from './field-wording.ts';
import { inboundRouteBody, inboundRouteRecord } from './inbound-route.ts';
import { phoneNumberRecord } from './lookups.ts';
import { soldNumberTypes, phoneNumberLabels } from './form-choices.ts';

/** A number, its trunk, and the assistants that use it. */
export const ownNumberRecord = phoneNumberRecord
  .extend({
    sip_trunk_id: z.int(),
    /** The carrier account that it belongs to; null: it was added by hand. */
    carrier_account_id: z.int().nullable(),
    nickname: z.string().nullable(),
    /** According to the carrier. */
    sms_capable: z.boolean(),
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

/** A number as other products of the API family list it. */
const listedNumberRecord = z
  .strictObject({
    id: z.int(),
    phone_number: z.string(),
    country_code: z.string(),
    nickname: z.string().nullable(),
    type: z.enum(['normal', 'sip', 'caller_id']),
    type_label: z.enum(phoneNumberLabels),
    sms_capable: z.boolean(),
    sip_trunk_id: z.int(),
    carrier_account_id: z.int().nullable(),
    created_at: isoMicrosecondsField,
  })
  .meta({ id: 'ListedPhoneNumber' });

/** A number that a carrier offers. */
const offeredNumberRecord = z
  .strictObject({
    phone_number: z.string(),
    phone_number_formatted: z.string(),
    country_code: z.string(),
    type: z.enum(soldNumberTypes),
    /** Town or area. */
    locality: z.string().nullable(),
    /** Per month; null where the carrier does not say. */
    price: z.number().nullable(),
    /** Once; null where the carrier does not say. */
    setup_price: z.number().nullable(),
    currency: z.string().nullable(),
    sms_capable: z.boolean(),
    /** Other than `none`: buy it in the carrier's own pages, which ask for an address, and import it. */
    address_requirements: z.enum(['none', 'any', 'local', 'foreign']),
    carrier_account_id: z.int(),
  })
  .meta({ id: 'OfferedPhoneNumber' });

const digits = (maximum: number) =>
  text({ maximum }).refine((value) => /^\d*$/.test(value), { error: wording.format });

/** Query of GET /api/user/phone-numbers/search. */
export const numberSearchQuery = z.object({
  country_code: optionalQuery(
    text({ maximum: 2 }).refine((value) => /^[a-z]{2}$/i.test(value), { error: wording.format }),
  ),
  /** Digits anywhere in the number. */
  contains: optionalQuery(digits(10)),
  /** Digits of the area, as in the national number. */
  area_code: optionalQuery(digits(6)),
  type: optionalQuery(choice(soldNumberTypes)),
  /** Absent: your first account, otherwise the first shared one. */
  carrier_account_id: optionalQuery(integer()),
});

/** Body of POST /api/user/phone-numbers/purchase. */
export const purchaseNumberBody = shape({
  /** One that the search has found. */
  phone_number: requiredText({ maximum: 64 }),
  /** Absent or null: your first account, otherwise the first shared one. */
  carrier_account_id: nullable(integer()).optional(),
  /** Nothing is bought when the carrier asks for more in a month, or does not say how much. */
  max_monthly_price: nullable(number({ minimum: 0, maximum: 1_000_000 })).optional(),
});

/** Body of PUT /api/user/phone-numbers/{id}. */
export const numberChangesBody = shape({
  nickname: nullable(text({ maximum: 100 })),
});

/** A number as other products of the API family list it. */
export type ListedNumberRecord = z.output<typeof listedNumberRecord>;
/** A number that a carrier offers. */
export type OfferedNumberRecord = z.output<typeof offeredNumberRecord>;
/** What numbers are looked for. */
export type NumberSearchQuery = z.output<typeof numberSearchQuery>;
/** The body that buys a number. */
export type PurchaseNumber = z.output<typeof purchaseNumberBody>;
/** The body that changes a number. */
export type NumberChanges = z.output<typeof numberChangesBody>;
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
  /** The shape of other products of the API family. */
  all: {
    method: 'GET',
    path: '/api/user/phone-numbers/all',
    summary: 'List your phone numbers, in an envelope',
    responses: {
      200: z.strictObject({ data: z.array(listedNumberRecord) }).meta({ id: 'ListedPhoneNumbers' }),
    },
    metadata: metadata({ scope: 'read' }),
  },
  search: {
    method: 'GET',
    path: '/api/user/phone-numbers/search',
    summary: 'Search numbers that a carrier offers',
    query: numberSearchQuery,
    responses: {
      200: z.strictObject({ data: z.array(offeredNumberRecord) }).meta({ id: 'OfferedPhoneNumbers' }),
      ...queryErrors,
    },
    metadata: metadata({ scope: 'read' }),
  },
  purchase: {
    method: 'POST',
    path: '/api/user/phone-numbers/purchase',
    summary: 'Buy a phone number',
    body: purchaseNumberBody,
    responses: { 201: written(ownNumberRecord).meta({ id: 'PhoneNumberBought' }), ...bodyErrors },
    // A repetition asks the carrier first whether the number has been bought.
    metadata: metadata({ scope: 'write', isRepeatable: true }),
  },
  update: {
    method: 'PUT',
    path: '/api/user/phone-numbers/:id',
    pathParams: idParameter,
    summary: 'Name a phone number',
    body: numberChangesBody,
    responses: {
      200: written(ownNumberRecord).meta({ id: 'PhoneNumberChanged' }),
      ...bodyErrors,
      ...singleErrors,
    },
    metadata: metadata({ scope: 'write', notFoundMessage: 'Phone number not found' }),
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
