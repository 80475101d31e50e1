/**
 * SIP trunks: the lines that calls go out on and come in from. A user sees their own and the shared ones; the shared ones
 * are the operators'. Passwords are write-only.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { ownLimitsBody, ownLimitsRecord } from './dial-limit-fields.ts';
import { bodyErrors, errorBody, singleErrors } from './errors.ts';
import {
  boolean,
  choice,
  headerText,
  idParameter,
  integer,
  list,
  notImplemented,
  nullable,
  requiredText,
  shape,
  text,
} from './fields.ts';
import { wording } from './field-wording.ts';
import { diagnoseTrunkBody, trunkDiagnosis } from './trunk-diagnosis.ts';
import { isHost, readHostPort } from './host-port.ts';

/** How SIP messages travel to a trunk. */
export const trunkTransports = ['udp', 'tcp', 'tls'] as const;
/** Whether the audio of a trunk is encrypted (SRTP with keys in SDP, RFC 4568). */
export const trunkMediaEncryptions = ['none', 'required'] as const;
/** How the audio of a trunk is encoded: G.711 (mu-law and A-law), and with a wider band G.722 and Opus. */
export const trunkCodecs = ['pcmu', 'pcma', 'g722', 'opus'] as const;
/** The port of a host without a port and without SRV records (RFC 3261 section 19.1.2). */
export function defaultSipPort(transport: (typeof trunkTransports)[number]): number {
  return transport === 'tls' ? 5061 : 5060;
}
/** Which numbers a trunk can reach; `fictional`: only numbers reserved for fiction. */
export const trunkReaches = ['fictional', 'any'] as const;

/** How keys are sent: as RTP events, SIP INFO or tones; `auto`: events if the far end supports them, otherwise tones. */
export const trunkDtmf = ['auto', 'rfc4733', 'info', 'inband'] as const;

/** How the numbers of outbound calls and transfers are written to a trunk. */
export const trunkNumberFormats = ['e164', 'e164_without_plus'] as const;

/** Where the number of an inbound caller is read. A header that is absent is replaced by From. */
export const trunkCallerSources = ['from', 'p_asserted_identity', 'remote_party_id'] as const;

/** Where the called number of an inbound call is looked for first. */
export const trunkCalledSources = ['request_uri', 'to', 'p_called_party_id', 'diversion'] as const;

/** Which headers of an outbound call contain the number of the caller: From, or From and one of the others. */
export const trunkCallerHeaders = ['from', 'p_asserted_identity', 'p_preferred_identity'] as const;

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
  })
  .meta({ id: 'SipTrunk' });

const host = () =>
  requiredText({ maximum: 253 }).refine((value) => value.trim() === '' || isHost(value), {
    error: wording.format,
  });
/** `host` or `host:port`. */
const registrar = () =>
  requiredText({ maximum: 260 }).refine((value) => value.trim() === '' || readHostPort(value) !== null, {
    error: wording.format,
  });
const registerExpires = () => integer({ minimum: 60, maximum: 3_600 });
const port = () => integer({ minimum: 1, maximum: 65_535 });
const otherHosts = () => list(registrar(), { maximum: 7 });
const codecs = () =>
  list(choice(trunkCodecs), { maximum: trunkCodecs.length }).refine(
    (names) => new Set(names).size === names.length,
    { error: wording.distinct },
  );
const priority = () => integer({ minimum: 1, maximum: 100 });

/** The user part of a SIP URI before it is escaped: printable ASCII that cannot be mistaken for the text around it. */
const fromUser = () =>
  headerText({ maximum: 64 }).refine((value) => value.trim() === '' || /^[!#-;=?-[\]-~]+$/.test(value), {
    error: wording.format,
  });

/** A display name: one line; the sender quotes it. */
const fromName = () =>
  headerText({ maximum: 64 }).refine((value) => !/[\p{Cf}\p{Cs}\p{Co}]/u.test(value), {
    error: wording.format,
  });

const optionalFields = {
  /** What other products call `host`. */
  sip_address: notImplemented(),
  /** What other products call `username`, `password` and `number_format`. */
  sip_username: notImplemented(),
  sip_password: notImplemented(),
  sip_calling_format: notImplemented(),
  /** Null: SRV records decide, without them 5061 for TLS, otherwise 5060. */
  port: nullable(port()).optional(),
  username: nullable(headerText({ maximum: 255 })).optional(),
  auth_username: nullable(headerText({ maximum: 255 })).optional(),
  password: nullable(text({ maximum: 255 })).optional(),
  registrar: nullable(registrar()).optional(),
  caller_number: nullable(text({ maximum: 64 })).optional(),
  default_country: nullable(text({ maximum: 2 })).optional(),
  max_calls: nullable(integer({ minimum: 1, maximum: 10_000 })).optional(),
  max_cps: nullable(integer({ minimum: 1, maximum: 1_000 })).optional(),
  rtp_timeout_seconds: nullable(integer({ minimum: 5, maximum: 3_600 })).optional(),
  /** For operators. */
  ...ownLimitsBody,
  from_user: nullable(fromUser()).optional(),
  from_name: nullable(fromName()).optional(),
};

/** Body of POST /api/user/phone-numbers/sip-trunks. */
export const newTrunkBody = shape({
  name: requiredText({ maximum: 255 }),
  host: host(),
  other_hosts: otherHosts().default([]),
  priority: priority().default(50),
  transport: choice(trunkTransports).default('udp'),
  tls_verify: boolean().default(true),
  media_encryption: choice(trunkMediaEncryptions).default('none'),
  codecs: codecs().default([]),
  reach: choice(trunkReaches).default('any'),
  dtmf: choice(trunkDtmf).default('auto'),
  number_format: choice(trunkNumberFormats).default('e164'),
  inbound_caller_source: choice(trunkCallerSources).default('from'),
  inbound_called_source: choice(trunkCalledSources).default('request_uri'),
  outbound_caller_header: choice(trunkCallerHeaders).default('from'),
  registers: boolean().default(false),
  register_expires: registerExpires().default(300),
  ...optionalFields,
  /** For operators: calls of all users may use it. */
  is_shared: boolean().default(false),
});

/** Body of PUT …/{id}: omitted fields stay unchanged; null removes a value. */
export const trunkChangesBody = shape({
  name: requiredText({ maximum: 255 }).optional(),
  host: host().optional(),
  other_hosts: otherHosts().optional(),
  priority: priority().optional(),
  transport: choice(trunkTransports).optional(),
  tls_verify: boolean().optional(),
  media_encryption: choice(trunkMediaEncryptions).optional(),
  codecs: codecs().optional(),
  reach: choice(trunkReaches).optional(),
  dtmf: choice(trunkDtmf).optional(),
  number_format: choice(trunkNumberFormats).optional(),
  inbound_caller_source: choice(trunkCallerSources).optional(),
  inbound_called_source: choice(trunkCalledSources).optional(),
  outbound_caller_header: choice(trunkCallerHeaders).optional(),
  registers: boolean().optional(),
  register_expires: registerExpires().optional(),
  ...optionalFields,
});

/** A trunk as it is read. */
export type TrunkRecord = z.output<typeof trunkRecord>;
/** The state of a trunk's registration. */
export type TrunkRegistrationRecord = z.output<typeof trunkRegistration>;
/** The body that creates a trunk. */
export type NewTrunk = z.output<typeof newTrunkBody>;
/** What of a trunk changes. */
export type TrunkChanges = z.output<typeof trunkChangesBody>;

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
    body: newTrunkBody,
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
    body: trunkChangesBody,
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
