/**
 * Accounts at carriers (Twilio, Telnyx): numbers are bought and text messages sent through them, and a SIP trunk to one is set
 * up by an action. A user sees their own and the shared ones, which are the operators'. Secrets are write-only.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { wording } from './field-wording.ts';
import {
  boolean,
  choice,
  headerText,
  idParameter,
  integer,
  list,
  nullable,
  requiredText,
  shape,
} from './fields.ts';
import { readHostPort } from './host-port.ts';
import { ownNumberRecord } from './phone-numbers.ts';
import { carrierInboundWays, carrierKinds, carrierOutboundWays } from './form-choices.ts';

/** An account as it is read. */
const carrierAccountRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    kind: z.enum(carrierKinds),
    /** The SID of a Twilio account; null for Telnyx, and for members on a shared account. */
    account_sid: z.string().nullable(),
    /** A SIP trunk to the account exists, so that numbers can be bought and imported. */
    is_connected: z.boolean(),
    /** Null: not connected. */
    inbound_calls: z.enum(carrierInboundWays).nullable(),
    /** Null: not connected. */
    outbound_calls: z.enum(carrierOutboundWays).nullable(),
    sip_trunk_id: z.int().nullable(),
    is_shared: z.boolean(),
    created_at: isoMicrosecondsField,
  })
  .meta({ id: 'CarrierAccount' });

/** A number that belongs to an account at its carrier. */
const carrierNumberRecord = z
  .strictObject({
    phone_number: z.string(),
    sms_capable: z.boolean(),
    /** It is a phone number here already. */
    is_imported: z.boolean(),
  })
  .meta({ id: 'CarrierNumber' });

const ACCOUNT_SID = /^AC[0-9a-f]{32}$/i;
const secretText = () =>
  headerText({ maximum: 255 }).refine((value) => /^[!-~]*$/.test(value.trim()), { error: wording.format });

/** Body of POST /api/user/carrier-accounts. The carrier is asked whether the credentials are right before they are stored. */
export const newCarrierAccountBody = shape({
  name: requiredText({ maximum: 255 }),
  kind: choice(carrierKinds),
  /** Required for Twilio: `AC` and 32 hexadecimal digits. */
  account_sid: nullable(
    requiredText({ maximum: 34 }).refine((value) => value.trim() === '' || ACCOUNT_SID.test(value), {
      error: wording.format,
    }),
  ).optional(),
  secret: secretText().meta({
    description: 'Twilio: the auth token. Telnyx: the API key. Never returned.',
    examples: ['KEY-example'],
  }),
  /** For operators: all users may send messages from their numbers in it. */
  is_shared: boolean().default(false),
}).superRefine(requireSid, { when: () => true });

/** Runs before values are validated. */
function requireSid(given: Record<string, unknown>, context: z.core.$RefinementCtx): void {
  const { kind, account_sid: sid } = given;
  const isMissing = sid === undefined || sid === null;
  if (kind === 'twilio' && isMissing)
    context.addIssue({ code: 'custom', path: ['account_sid'], message: wording.required });
  if (kind === 'telnyx' && !isMissing)
    context.addIssue({ code: 'custom', path: ['account_sid'], message: wording.selected });
}

/** Body of PUT …/{id}: omitted fields stay unchanged. */
export const carrierAccountChangesBody = shape({
  name: requiredText({ maximum: 255 }).optional(),
  secret: secretText().optional(),
});

/** Body of POST …/{id}/connect. */
export const connectCarrierBody = shape({
  sip_address: nullable(
    requiredText({ maximum: 260 }).refine((value) => value.trim() === '' || readHostPort(value) !== null, {
      error: wording.format,
    }),
  )
    .meta({
      description:
        '`host` or `host:port` under which Twilio reaches this installation. Telnyx does not need it, and neither do media streams.',
      examples: ['sip.parley.example:5060'],
    })
    .optional(),
  inbound_calls: choice(carrierInboundWays)
    .meta({
      description:
        'How calls to the numbers of the account come: over the SIP trunk, or as media streams to `PUBLIC_URL`, which must be https. Default: as before, at first `sip_trunk`. Numbers that were imported before follow.',
    })
    .optional(),
  outbound_calls: choice(carrierOutboundWays)
    .meta({
      description:
        'How outbound calls leave that use the SIP trunk of the account: over it, or dialed by the carrier and streamed to `PUBLIC_URL`, which must be https. Default: as before, at first `sip_trunk`. Transfers use the trunk in any case.',
    })
    .optional(),
});

/** As many as a person selects in a list. */
const MAX_IMPORTED = 50;

/** Body of POST …/{id}/numbers. Calls and messages of the numbers go to this installation afterwards. */
export const importNumbersBody = shape({
  phone_numbers: list(requiredText({ maximum: 64 }), { minimum: 1, maximum: MAX_IMPORTED }),
  /** For operators: the owner of the numbers. Absent or null: the requesting user. */
  user_id: nullable(integer()).optional(),
});

/** An account as it is read. */
export type CarrierAccountRecord = z.output<typeof carrierAccountRecord>;
/** A number that belongs to an account at its carrier. */
export type CarrierNumberRecord = z.output<typeof carrierNumberRecord>;
/** One of {@link carrierInboundWays}. */
export type CarrierInboundWay = (typeof carrierInboundWays)[number];
/** One of {@link carrierOutboundWays}. */
export type CarrierOutboundWay = (typeof carrierOutboundWays)[number];
/** The body that creates an account. */
export type NewCarrierAccount = z.output<typeof newCarrierAccountBody>;
/** The body that changes an account. */
export type CarrierAccountChanges = z.output<typeof carrierAccountChangesBody>;
/** The body that imports numbers. */
export type ImportNumbers = z.output<typeof importNumbersBody>;

const LIST_PATH = '/api/user/carrier-accounts';
const ONE_PATH = '/api/user/carrier-accounts/:id';
const accountWritten = written(carrierAccountRecord).meta({ id: 'CarrierAccountWritten' });
const notFoundMessage = 'Carrier account not found';
const one = metadata({ scope: 'write', notFoundMessage });
/** Parts that exist already are used again. */
const repeatable = metadata({ scope: 'write', notFoundMessage, isRepeatable: true });

/** The endpoints of accounts at carriers. */
export const carrierAccounts = c.router({
  list: {
    method: 'GET',
    path: LIST_PATH,
    summary: 'List your own carrier accounts and the shared ones',
    responses: { 200: z.array(carrierAccountRecord) },
    metadata: metadata({ scope: 'read' }),
  },
  create: {
    method: 'POST',
    path: LIST_PATH,
    summary: 'Add a carrier account',
    body: newCarrierAccountBody,
    responses: { 201: accountWritten, ...bodyErrors },
    metadata: metadata({ scope: 'write' }),
  },
  update: {
    method: 'PUT',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Change a carrier account',
    body: carrierAccountChangesBody,
    responses: { 200: accountWritten, ...bodyErrors, ...singleErrors },
    metadata: one,
  },
  remove: {
    method: 'DELETE',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Remove an unused carrier account',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: one,
  },
  connect: {
    method: 'POST',
    path: `${ONE_PATH}/connect`,
    pathParams: idParameter,
    summary: 'Set up a SIP trunk to a carrier account',
    body: connectCarrierBody,
    responses: { 200: accountWritten, ...bodyErrors, ...singleErrors },
    metadata: repeatable,
  },
  listNumbers: {
    method: 'GET',
    path: `${ONE_PATH}/numbers`,
    pathParams: idParameter,
    summary: 'List the numbers of a carrier account at its carrier',
    responses: { 200: z.array(carrierNumberRecord), ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage }),
  },
  importNumbers: {
    method: 'POST',
    path: `${ONE_PATH}/numbers`,
    pathParams: idParameter,
    summary: 'Import numbers of a carrier account',
    body: importNumbersBody,
    responses: {
      201: written(z.array(ownNumberRecord)).meta({ id: 'CarrierNumbersImported' }),
      ...bodyErrors,
      ...singleErrors,
    },
    metadata: repeatable,
  },
});
