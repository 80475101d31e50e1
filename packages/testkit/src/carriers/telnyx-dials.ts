/**
 * Outbound calls of a simulated Telnyx, by TeXML commands. Its answer does not name the call, as its reference says.
 *
 * @see https://developers.telnyx.com/api-reference/texml-rest-commands/initiate-an-outbound-call
 * @see https://developers.telnyx.com/api-reference/callbacks/texml-call-completed
 */
import type { SimulatedAnswer, SimulatedRequest } from './carrier-simulator.ts';
import type { CarrierWorld } from './carrier-world.ts';
import { SimulatedDial, type DialWire } from './simulated-dial.ts';
import { signAsTelnyx, TELNYX_ORGANISATION } from './telnyx-account.ts';
import { newCallControlId, streamByTexml } from './telnyx-calls.ts';

/** The path of the calls. */
export const TELNYX_CALLS = `/v2/texml/Accounts/${TELNYX_ORGANISATION}/Calls`;

const PARAMETERS = [
  'ApplicationSid',
  'From',
  'To',
  'Texml',
  'Timeout',
  'StatusCallback',
  'StatusCallbackMethod',
  'StatusCallbackEvent',
];
const EVENTS = 'initiated ringing answered completed';

const HANGUPS: Readonly<Record<string, Record<string, string>>> = {
  busy: { HangupSource: 'callee', SipHangupCause: '486' },
  failed: { HangupSource: 'unknown', SipHangupCause: '503' },
  'no-answer': { HangupSource: 'caller', SipHangupCause: '487' },
  canceled: { HangupSource: 'caller', SipHangupCause: '487' },
  completed: { HangupCause: 'normal_clearing', HangupSource: 'callee', SipHangupCause: '200' },
};

const telnyxDials: DialWire = {
  newCallSid: newCallControlId,
  stream({ Texml: texml = '', From: from = '', To: to = '' }, callSid) {
    return streamByTexml(texml, { from, to, callSid });
  },
  report({ ApplicationSid: connectionId = '', From: from = '', To: to = '' }, about) {
    return {
      AccountSid: TELNYX_ORGANISATION,
      CallbackSource: 'call-progress-events',
      CallSid: about.callSid,
      CallSidLegacy: about.callSid,
      CallStatus: about.state,
      ConnectionId: connectionId,
      From: from,
      SequenceNumber: about.sequenceNumber,
      Timestamp: new Date().toISOString(),
      To: to,
      ...HANGUPS[about.state],
    };
  },
  sign: (_url, report) => signAsTelnyx(new URLSearchParams(report).toString(), { at: new Date() }),
};

/** Begins a call. */
export function telnyxDial(world: CarrierWorld, request: SimulatedRequest): SimulatedAnswer {
  const given = JSON.parse(request.body) as Record<string, unknown>;
  const [unknown] = Object.keys(given).filter((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) return refuse(422, '10015', `Unknown parameter ${unknown}`);
  const form = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const wrong = faultOf(world, given, form);
  if (wrong !== null) return refuse(422, '10015', wrong);
  const phone = world.phones.get(form['To'] ?? '') ?? {};
  world.dials.push(new SimulatedDial(form, phone, telnyxDials));
  return { status: 200, body: { from: form['From'], to: form['To'], status: 'queued' } };
}

function faultOf(
  { owned, resources }: CarrierWorld,
  { Timeout: timeout }: Record<string, unknown>,
  form: Record<string, string>,
): string | null {
  const { From: from, To: to = '', Texml: texml = '', ApplicationSid: id } = form;
  const application = (resources.get('/v2/texml_applications') ?? []).find((row) => row['id'] === id);
  if (!application || application['active'] !== true) return 'The application is not active';
  if (application['outbound'] === undefined) return 'The application has no outbound voice profile';
  if (!/^\+\d{5,15}$/.test(to)) return `${to} is not a valid phone number`;
  if (!owned.some(({ phoneNumber }) => phoneNumber === from)) return `${from} is not a number of the account`;
  if (typeof timeout !== 'number' || timeout < 5 || timeout > 120) return 'Timeout must be from 5 to 120';
  if (form['StatusCallbackEvent'] !== EVENTS) return 'StatusCallbackEvent is not valid';
  return texml === '' ? 'There are no instructions' : null;
}

/** Shows a call, or ends it. */
export function changeTelnyxDial(
  world: CarrierWorld,
  request: SimulatedRequest,
  [method, sid = '']: string[],
): SimulatedAnswer {
  const found = world.dials.find(({ callSid }) => callSid === decodeURIComponent(sid));
  if (!found) return refuse(404, '10005', 'Resource not found');
  const status = ['queued', 'initiated'].includes(found.state) ? 'ringing' : found.state;
  const body = { sid: found.callSid, account_sid: TELNYX_ORGANISATION, status };
  if (method === 'GET') return { status: 200, body };
  if (request.body !== 'Status=completed') return refuse(422, '10015', 'Invalid Status');
  return found.end() ? { status: 200, body } : refuse(422, '90018', 'Call has already ended');
}

function refuse(status: number, code: string, detail: string): SimulatedAnswer {
  return { status, body: { errors: [{ code, title: 'Bad Request', detail }] } };
}
