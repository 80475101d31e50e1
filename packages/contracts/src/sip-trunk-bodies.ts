/** What is written of a SIP trunk: the bodies that create and change one, and the values that their fields may have. */
import type { z } from 'zod';
import { ownLimitsBody } from './dial-limit-fields.ts';
import { boolean, choice, headerText, integer, list, nullable, requiredText, shape, text } from './fields.ts';
import { wording } from './field-wording.ts';
import { isHost, readHostPort } from './host-port.ts';
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

/** An address or a name. */
export const trunkHost = () =>
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
  host: trunkHost(),
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
  incoming_refer: choice(trunkRefer).default('refused'),
  registers: boolean().default(false),
  register_expires: registerExpires().default(300),
  ...optionalFields,
  /** For operators: calls of all users may use it. */
  is_shared: boolean().default(false),
});

/** Body of PUT …/{id}: omitted fields stay unchanged; null removes a value. */
export const trunkChangesBody = shape({
  name: requiredText({ maximum: 255 }).optional(),
  host: trunkHost().optional(),
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
  incoming_refer: choice(trunkRefer).optional(),
  registers: boolean().optional(),
  register_expires: registerExpires().optional(),
  ...optionalFields,
});

/** The body that creates a trunk. */
export type NewTrunk = z.output<typeof newTrunkBody>;
/** What of a trunk changes. */
export type TrunkChanges = z.output<typeof trunkChangesBody>;
