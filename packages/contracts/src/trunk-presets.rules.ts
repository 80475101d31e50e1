/**
 * Settings of SIP trunks for well-known carriers and PBXs. They fill a form, and are not stored as such. Each preset contains
 * only what the documentation that it names says or requires; where that is silent, it has the default of a new trunk.
 */
import type { TrunkRecord } from './sip-trunks.ts';

/** What a preset fills in. Credentials, limits and numbers belong to the customer. */
type PresetSettings = Pick<
  TrunkRecord,
  | 'port'
  | 'transport'
  | 'dtmf'
  | 'number_format'
  | 'inbound_caller_source'
  | 'inbound_called_source'
  | 'outbound_caller_header'
>;

/** One carrier or PBX. */
export interface TrunkPreset {
  id: string;
  /** The name of the product, as its maker writes it. */
  name: string;
  /** `host` is absent where every customer has one of their own. */
  settings: PresetSettings & { host?: string };
}

const DEFAULTS: PresetSettings = {
  port: 5060,
  transport: 'udp',
  dtmf: 'auto',
  number_format: 'e164',
  inbound_caller_source: 'from',
  inbound_called_source: 'request_uri',
  outbound_caller_header: 'from',
};

/** Sorted by name. */
export const trunkPresets: readonly TrunkPreset[] = [
  {
    // https://www.3cx.com/docs/sip-trunk-inbound-calls/ and https://www.3cx.com/docs/sip-trunk-outbound-calls/: the called
    // number is in the Request-URI and in To. The From that 3CX sends contains the account, and P-Asserted-Identity can be
    // configured to contain the number. Keys: https://www.3cx.com/docs/supported-sip-trunk-requirements/ requires RFC 2833.
    id: '3cx',
    name: '3CX',
    settings: { ...DEFAULTS, dtmf: 'rfc4733', inbound_caller_source: 'p_asserted_identity' },
  },
  {
    // https://github.com/asterisk/asterisk/blob/master/res/res_pjsip/pjsip_config.xml: `send_pai` of an endpoint ("Send
    // RPID/PAI" in FreePBX) sends P-Asserted-Identity, `trust_id_inbound` ("Trust RPID/PAI") reads it; `dtmf_mode` is
    // rfc4733 by default.
    id: 'asterisk',
    name: 'FreePBX or Asterisk',
    settings: {
      ...DEFAULTS,
      dtmf: 'rfc4733',
      inbound_caller_source: 'p_asserted_identity',
      outbound_caller_header: 'p_asserted_identity',
    },
  },
  {
    // https://docs.plivo.com/docs/sip-trunking/concepts/technical-specifications and
    // https://docs.plivo.com/docs/faq/voice-api-and-SIP-trunking/sip-trunking: port 5060, keys by RFC 2833, no INFO. The host
    // is the customer's domain under zt.plivo.com.
    id: 'plivo',
    name: 'Plivo Zentrunk',
    settings: { ...DEFAULTS, dtmf: 'rfc4733' },
  },
  {
    // https://help.sipgate.de/trunking/wie-setze-ich-bei-sipgate-trunking-die-absenderrufnummer: the number in
    // P-Preferred-Identity, international without plus, at sipconnect.sipgate.de; the SIP-ID in From.
    id: 'sipgate',
    name: 'sipgate trunking',
    settings: {
      ...DEFAULTS,
      host: 'sipconnect.sipgate.de',
      number_format: 'e164_without_plus',
      outbound_caller_header: 'p_preferred_identity',
    },
  },
  {
    // https://developers.telnyx.com/docs/voice/sip-trunking/configuration/caller-id-policy: +E.164 is accepted for every
    // destination, and From is read where neither P-Preferred-Identity nor P-Asserted-Identity is sent. Host:
    // https://developers.telnyx.com/docs/voice/sip-trunking/configuration/p-charge-info-header
    id: 'telnyx',
    name: 'Telnyx',
    settings: { ...DEFAULTS, host: 'sip.telnyx.com' },
  },
  {
    // https://www.twilio.com/docs/sip-trunking and https://www.twilio.com/docs/sip-trunking/sip-header-manipulation: numbers
    // are in E.164. The host is the customer's termination URI under pstn.twilio.com.
    id: 'twilio',
    name: 'Twilio Elastic SIP Trunking',
    settings: DEFAULTS,
  },
];
