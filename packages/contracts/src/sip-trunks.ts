/**
 * SIP trunks: the connections over which calls are made and received. A user sees their own and the shared ones; the shared ones
 * are the operators'. Passwords are write-only.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { ownLimitsRecord } from './dial-limit-fields.ts';
import { bodyErrors, errorBody, singleErrors } from './errors.ts';
import { idParameter } from './fields.ts';
import {
  familyAuthorizations,
  familyCallingFormats,
  familyTrunkBody,
  familyTrunkChangesBody,
  familyTrunkTypes,
} from './sip-trunk-family.ts';
import { diagnoseTrunkBody, trunkDiagnosis } from './trunk-diagnosis.ts';
import {
  trunkTransports,
  trunkMediaEncryptions,
  trunkCodecs,
  trunkReaches,
  trunkDtmf,
  trunkNumberFormats,
  trunkCallerSources,
  trunkCalledSources,
  trunkRefer,
  trunkCallerHeaders,
} from './form-choices.ts';

/** Whether outbound calls may use a trunk. A trunk is paused automatically while most of its calls fail. */
const trunkHealth = z
  .strictObject({
    /** `on-trial`: its pause is over, and one call at a time shows whether it works again. */
    state: z.enum(['healthy', 'paused', 'on-trial']),
    /** End of the pause; null while healthy. */
    paused_until: isoMicrosecondsField.nullable(),
    /** When an outbound call first got through the trunk; null: none has since its address or credentials changed. */
    first_success_at: isoMicrosecondsField.nullable(),
  })
  .meta({ id: 'SipTrunkHealth' });

/** The states of a registration. */
export const registrationStates = ['registering', 'registered', 'failed'] as const;

/** Whether the trunk is registered (RFC 3261 section 10). */
const trunkRegistration = z
  .strictObject({
    /** `registering`: no answer yet, or no voice process is running; `failed`: tried again without further action. */
    state: z.enum(registrationStates),
    /** The status of the latest final response; null without one. */
    sip_status: z.int().nullable(),
    /** Why it failed, as a sentence; null otherwise, and for members on a shared trunk. */
    reason: z.string().nullable(),
    /** When it came into this state; null before the first attempt. */
    since: isoMicrosecondsField.nullable(),
    /** Until when the registrar has granted it; null when it has not. */
    expires_at: isoMicrosecondsField.nullable(),
  })
  .meta({ id: 'SipTrunkRegistration' });

/** A trunk as it is read. */
export const trunkRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    /** Address or name. */
    /** Null for members where the trunk is shared. */
    host: z.string().nullable(),
    /** Null: SRV records decide, without them 5061 for TLS, otherwise 5060. */
    port: z.int().nullable(),
    /** `host` or `host:port`, tried in this order after the first. Empty for members where the trunk is shared. */
    other_hosts: z.array(z.string()),
    /** 1 to 100. */
    priority: z.int(),
    transport: z.enum(trunkTransports),
    /** Over TLS: the certificate must be trusted and contain the host. */
    tls_verify: z.boolean(),
    media_encryption: z.enum(trunkMediaEncryptions),
    /** Offered and accepted, in order of preference. Empty: PCMU and PCMA, accepted in the order of the far end. */
    codecs: z.array(z.enum(trunkCodecs)),
    /** Null where there is none, and for members on a shared trunk. */
    username: z.string().nullable(),
    /** In answers to digest challenges; null: `username`, and for members on a shared trunk. */
    auth_username: z.string().nullable(),
    has_password: z.boolean(),
    reach: z.enum(trunkReaches),
    /** Shown when neither assistant nor user has a number on this trunk. */
    caller_number: z.string().nullable(),
    /** In which the numbers of inbound calls are read; null: in the country of the called number. */
    default_country: z.string().nullable(),
    /** Simultaneous calls, in both directions; null: no limit. */
    max_calls: z.int().nullable(),
    /** Calls begun in a second; null: no limit. */
    max_cps: z.int().nullable(),
    /** Set by operators. Unlike `max_cps`, which spaces calls evenly, the limit per second counts those of the last second. */
    ...ownLimitsRecord,
    /** A call ends when neither RTP nor RTCP arrives for this time; null: 20. */
    rtp_timeout_seconds: z.int().nullable(),
    dtmf: z.enum(trunkDtmf),
    number_format: z.enum(trunkNumberFormats),
    inbound_caller_source: z.enum(trunkCallerSources),
    inbound_called_source: z.enum(trunkCalledSources),
    outbound_caller_header: z.enum(trunkCallerHeaders),
    /** Whom the far end may name in a REFER (RFC 3515), so that the call goes on with them. */
    incoming_refer: z.enum(trunkRefer),
    /** The user part of From in outbound calls; null: the number of the caller. */
    from_user: z.string().nullable(),
    /** The display name in From of outbound calls; null: none. */
    from_name: z.string().nullable(),
    /** The trunk registers its user name at the registrar, as a phone does. */
    registers: z.boolean(),
    /** `host` or `host:port`. Null: host and port of the trunk, and for members on a shared trunk. */
    registrar: z.string().nullable(),
    /** The time for which a registration is asked. */
    register_expires: z.int(),
    /** Null for a trunk that does not register. */
    registration: trunkRegistration.nullable(),
    health: trunkHealth,
    /** The built-in test line; it can be neither changed nor removed. */
    is_test: z.boolean(),
    /** Calls of all users may use it. */
    is_shared: z.boolean(),
    created_at: isoMicrosecondsField,
    /** The same in the terms of other products of the API family. */
    sip_trunk_type: z.enum(familyTrunkTypes),
    /** The caller number, or the extension. */
    phone_number: z.string().nullable(),
    sip_address: z.string().nullable(),
    sip_username: z.string().nullable(),
    sip_calling_format: z.enum(familyCallingFormats),
    country_code: z.string().nullable(),
    inbound_authorization_type: z.enum(familyAuthorizations),
  })
  .meta({ id: 'SipTrunk' });

/** A trunk as it is read. */
export type TrunkRecord = z.output<typeof trunkRecord>;
/** The state of a trunk's registration. */
export type TrunkRegistrationRecord = z.output<typeof trunkRegistration>;

const LIST_PATH = '/api/user/phone-numbers/sip-trunks';
const ONE_PATH = '/api/user/phone-numbers/sip-trunks/:id';
const trunkWritten = written(trunkRecord).meta({ id: 'SipTrunkWritten' });
const one = metadata({ scope: 'write', notFoundMessage: 'SIP trunk not found' });

/** The endpoints of SIP trunks. */
export const sipTrunks = c.router({
  list: {
    method: 'GET',
    path: LIST_PATH,
    summary: 'List your own SIP trunks and the shared ones',
    responses: { 200: z.array(trunkRecord) },
    metadata: metadata({ scope: 'read' }),
  },
  create: {
    method: 'POST',
    path: LIST_PATH,
    summary: 'Add a SIP trunk',
    body: familyTrunkBody,
    responses: { 201: trunkWritten, ...bodyErrors },
    metadata: metadata({ scope: 'write' }),
  },
  get: {
    method: 'GET',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Read a SIP trunk, your own or a shared one',
    responses: { 200: trunkRecord, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: 'SIP trunk not found' }),
  },
  update: {
    method: 'PUT',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Change a SIP trunk',
    body: familyTrunkChangesBody,
    responses: { 200: trunkWritten, ...bodyErrors, ...singleErrors },
    metadata: one,
  },
  /** Asks the trunk by OPTIONS and REGISTER without Contact, which change nothing there. */
  diagnose: {
    method: 'POST',
    path: `${ONE_PATH}/diagnose`,
    pathParams: idParameter,
    summary: 'Diagnose a SIP trunk',
    body: diagnoseTrunkBody,
    responses: {
      200: written(trunkDiagnosis).meta({ id: 'SipTrunkDiagnosed' }),
      ...bodyErrors,
      ...singleErrors,
      503: errorBody,
    },
    metadata: metadata({
      scope: 'write',
      notFoundMessage: 'SIP trunk not found',
      isRepeatable: true,
      isAudited: false,
    }),
  },
  remove: {
    method: 'DELETE',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Remove an unused SIP trunk',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: one,
  },
});
