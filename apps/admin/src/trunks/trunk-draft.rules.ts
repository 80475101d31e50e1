/** What the form of a SIP trunk holds, and how it becomes the API's input. The server checks. */
import { defaultSipPort, trunkCodecs, type TrunkPreset, type TrunkRecord } from '@parley/contracts';

/** The values of the fields, as text. Names match the API, so that the server's messages reach their fields. */
export interface TrunkDraft {
  name: string;
  host: string;
  /** Empty: DNS decides. */
  port: string;
  /** Separated by commas or blanks. */
  other_hosts: string;
  priority: string;
  transport: TrunkRecord['transport'];
  /** The last two matter only over TLS. */
  tls_verify: boolean;
  media_encryption: TrunkRecord['media_encryption'];
  /** In order of preference. Empty: the default. */
  codecs: string[];
  username: string;
  /** Empty: the user name. */
  auth_username: string;
  /** Empty: none, or the stored one. */
  password: string;
  reach: TrunkRecord['reach'];
  caller_number: string;
  default_country: string;
  /** Empty: no limit. */
  max_calls: string;
  max_cps: string;
  /** Only operators change these. */
  max_calls_per_second: string;
  max_calls_per_day: string;
  max_cost_per_day: string;
  /** Empty: the default. */
  rtp_timeout_seconds: string;
  dtmf: TrunkRecord['dtmf'];
  number_format: TrunkRecord['number_format'];
  inbound_caller_source: TrunkRecord['inbound_caller_source'];
  inbound_called_source: TrunkRecord['inbound_called_source'];
  outbound_caller_header: TrunkRecord['outbound_caller_header'];
  incoming_refer: TrunkRecord['incoming_refer'];
  /** Empty: the number of the caller. */
  from_user: string;
  from_name: string;
  registers: boolean;
  /** Empty: host and port of the trunk. */
  registrar: string;
  register_expires: string;
  is_shared: boolean;
}

/** The initial draft. */
export const emptyTrunk: TrunkDraft = {
  name: '',
  host: '',
  port: '',
  other_hosts: '',
  priority: '50',
  transport: 'udp',
  tls_verify: true,
  media_encryption: 'none',
  codecs: [],
  username: '',
  auth_username: '',
  password: '',
  reach: 'any',
  caller_number: '',
  default_country: '',
  max_calls: '',
  max_cps: '',
  max_calls_per_second: '',
  max_calls_per_day: '',
  max_cost_per_day: '',
  rtp_timeout_seconds: '',
  dtmf: 'auto',
  number_format: 'e164',
  inbound_caller_source: 'from',
  inbound_called_source: 'request_uri',
  outbound_caller_header: 'from',
  incoming_refer: 'refused',
  from_user: '',
  from_name: '',
  registers: false,
  registrar: '',
  register_expires: '300',
  is_shared: false,
};

/** The form for a trunk that there is. */
export function draftOf(trunk: TrunkRecord): TrunkDraft {
  return {
    name: trunk.name,
    host: trunk.host ?? '',
    port: String(trunk.port ?? ''),
    other_hosts: trunk.other_hosts.join(', '),
    priority: String(trunk.priority),
    transport: trunk.transport,
    tls_verify: trunk.tls_verify,
    media_encryption: trunk.media_encryption,
    codecs: trunk.codecs,
    username: trunk.username ?? '',
    auth_username: trunk.auth_username ?? '',
    password: '',
    reach: trunk.reach,
    caller_number: trunk.caller_number ?? '',
    default_country: trunk.default_country ?? '',
    max_calls: String(trunk.max_calls ?? ''),
    max_cps: String(trunk.max_cps ?? ''),
    max_calls_per_second: String(trunk.max_calls_per_second ?? ''),
    max_calls_per_day: String(trunk.max_calls_per_day ?? ''),
    max_cost_per_day: String(trunk.max_cost_per_day ?? ''),
    rtp_timeout_seconds: String(trunk.rtp_timeout_seconds ?? ''),
    dtmf: trunk.dtmf,
    number_format: trunk.number_format,
    inbound_caller_source: trunk.inbound_caller_source,
    inbound_called_source: trunk.inbound_called_source,
    outbound_caller_header: trunk.outbound_caller_header,
    incoming_refer: trunk.incoming_refer,
    from_user: trunk.from_user ?? '',
    from_name: trunk.from_name ?? '',
    registers: trunk.registers,
    registrar: trunk.registrar ?? '',
    register_expires: String(trunk.register_expires),
    is_shared: trunk.is_shared,
  };
}

/** Fills the fields that the preset knows, and leaves the others as they are. */
export function fillIn(draft: TrunkDraft, { settings }: TrunkPreset): TrunkDraft {
  return { ...draft, ...settings, port: String(settings.port ?? '') };
}

/** The default port follows the transport; a port that was entered stays. */
export function withTransport(draft: TrunkDraft, transport: TrunkDraft['transport']): TrunkDraft {
  const isDefault = draft.port === String(defaultSipPort(draft.transport));
  return { ...draft, transport, port: isDefault ? String(defaultSipPort(transport)) : draft.port };
}

/** The server refuses both on a trunk without TLS, for which the form does not show them. */
function securityFrom({ transport, tls_verify, media_encryption }: TrunkDraft) {
  const isTls = transport === 'tls';
  return { tls_verify: !isTls || tls_verify, media_encryption: isTls ? media_encryption : ('none' as const) };
}

/** The order in which the codecs were chosen. */
function byPlaceIn(order: readonly string[]) {
  return (one: string, other: string): number => order.indexOf(one) - order.indexOf(other);
}

/** Without the owner and the password, which are sent separately. */
function settingsFrom(draft: TrunkDraft) {
  return {
    name: draft.name.trim(),
    host: draft.host.trim(),
    port: draft.port.trim(),
    other_hosts: draft.other_hosts.split(/[\s,]+/).filter((host) => host !== ''),
    priority: draft.priority,
    transport: draft.transport,
    ...securityFrom(draft),
    codecs: trunkCodecs.filter((codec) => draft.codecs.includes(codec)).toSorted(byPlaceIn(draft.codecs)),
    username: draft.username.trim(),
    auth_username: draft.auth_username.trim(),
    reach: draft.reach,
    caller_number: draft.caller_number.trim(),
    default_country: draft.default_country.trim(),
    max_calls: draft.max_calls,
    max_cps: draft.max_cps,
    max_calls_per_second: draft.max_calls_per_second,
    max_calls_per_day: draft.max_calls_per_day,
    max_cost_per_day: draft.max_cost_per_day,
    rtp_timeout_seconds: draft.rtp_timeout_seconds,
    dtmf: draft.dtmf,
    number_format: draft.number_format,
    inbound_caller_source: draft.inbound_caller_source,
    inbound_called_source: draft.inbound_called_source,
    outbound_caller_header: draft.outbound_caller_header,
    incoming_refer: draft.incoming_refer,
    from_user: draft.from_user.trim(),
    from_name: draft.from_name.trim(),
    registers: draft.registers,
    registrar: draft.registrar.trim(),
    register_expires: draft.register_expires,
  };
}

/** The server reads an empty value as none. */
export function toNewTrunk(draft: TrunkDraft) {
  return { ...settingsFrom(draft), password: draft.password, is_shared: draft.is_shared };
}

/** An empty password keeps the current one, unless the user name was removed. */
export function toTrunkChanges(draft: TrunkDraft) {
  const settings = settingsFrom(draft);
  if (draft.password !== '') return { ...settings, password: draft.password };
  return settings.username === '' ? { ...settings, password: null } : settings;
}

/** Which hint the password's field shows. A stored password belongs to its host: the server asks for it again with a new one. */
export function passwordHint(
  trunk: TrunkRecord | undefined,
  { host }: Pick<TrunkDraft, 'host'>,
): 'hint' | 'kept' | 'againForNewHost' {
  if (!trunk?.has_password) return 'hint';
  const isSameHost = (trunk.host ?? '').toLowerCase() === host.trim().toLowerCase();
  return isSameHost ? 'kept' : 'againForNewHost';
}
