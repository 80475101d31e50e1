/**
 * Outbound calls of a simulated Twilio: phones that ring when a request has arrived, whether its answer does or not, and reports
 * about them, which come as badly as a test asks. Answered phones follow the TwiML of the request.
 *
 * @see https://www.twilio.com/docs/voice/api/call-resource
 */
import { pause, systemClock } from '@parley/runtime';
import { TWILIO_ACCOUNT } from './twilio-account.ts';
import type { StreamedCall } from './streamed-caller.ts';
import { newCallSid, signAsCarrier, streamByTwiml } from './twilio-streams.ts';

/** What a phone does, and how Twilio reports it. */
export interface PhoneBehaviour {
  /** `ring`: until the limit of the request. Default: `answer`. */
  does?: 'answer' | 'busy' | 'fail' | 'ring';
  /** Default: `in-order`. `late`: each a second and a half after it happened. `reversed`: all at the end, the last one first. */
  reports?: 'in-order' | 'late' | 'twice' | 'reversed' | 'never';
  /** How long the call waits in Twilio's queue, by its answer, milliseconds. */
  queueMs?: number;
}

/** The parameters of a request that are understood. */
export const DIAL_PARAMETERS = [
  'From',
  'To',
  'Twiml',
  'Timeout',
  'StatusCallback',
  'StatusCallbackMethod',
  'StatusCallbackEvent',
];

const LATE_MS = 1_500;
const RING_MS = 300;
const SIP_CODES: Readonly<Record<string, string>> = { busy: '486', failed: '503', 'no-answer': '487' };

/** One call that was requested. */
export class SimulatedDial {
  readonly callSid = newCallSid();
  readonly form: Readonly<Record<string, string>>;
  readonly behaviour: PhoneBehaviour;
  readonly createdAt = new Date();
  state = 'queued';
  /** How often the phone has begun to ring. */
  rings = 0;
  stream: StreamedCall | null = null;
  /** What went wrong here, for example with the TwiML. */
  readonly faults: string[] = [];
  readonly #note = (error: unknown): void => void this.faults.push(String(error));
  readonly #reports: Record<string, string>[] = [];
  #sequence = 0;

  constructor(form: Record<string, string>, behaviour: PhoneBehaviour) {
    this.form = form;
    this.behaviour = behaviour;
    this.#live().catch(this.#note);
  }

  get isOver(): boolean {
    return !['queued', 'initiated', 'ringing', 'in-progress'].includes(this.state);
  }

  /** The person picks up. */
  answer(): void {
    if (this.state !== 'ringing') return;
    this.#enter('in-progress');
    const stream = streamByTwiml(this.form['Twiml'] ?? '', {
      from: this.form['From'] ?? '',
      to: this.form['To'] ?? '',
      callSid: this.callSid,
    });
    this.stream = stream;
    stream.ended.then(() => this.#enter('completed')).catch(this.#note);
  }

  /** By the API. @returns false for a call that is over */
  end(): boolean {
    if (this.isOver) return false;
    if (this.stream) this.stream.hangUp();
    this.#enter(this.stream ? 'completed' : 'canceled');
    return true;
  }

  body(): Record<string, unknown> {
    return {
      sid: this.callSid,
      account_sid: TWILIO_ACCOUNT.sid,
      from: this.form['From'],
      to: this.form['To'],
      status: this.state === 'initiated' ? 'queued' : this.state,
      direction: 'outbound-api',
      queue_time: String(this.behaviour.queueMs ?? 0),
      date_created: this.createdAt.toUTCString().replace('GMT', '+0000'),
    };
  }

  async #live(): Promise<void> {
    await pause(systemClock, 20);
    this.#enter('initiated');
    await pause(systemClock, 20);
    const { does = 'answer' } = this.behaviour;
    if (does === 'fail') return this.#enter('failed');
    if (does === 'busy') return this.#enter('busy');
    this.rings += 1;
    this.#enter('ringing');
    if (does === 'answer') {
      await pause(systemClock, RING_MS);
      return this.answer();
    }
    await pause(systemClock, Number(this.form['Timeout']) * 1_000);
    if (this.state === 'ringing') this.#enter('no-answer');
  }

  #enter(state: string): void {
    if (this.isOver) return;
    this.state = state;
    const sip = SIP_CODES[state];
    const report = {
      AccountSid: TWILIO_ACCOUNT.sid,
      ApiVersion: '2010-04-01',
      CallbackSource: 'call-progress-events',
      CallSid: this.callSid,
      CallStatus: state,
      Direction: 'outbound-api',
      From: this.form['From'] ?? '',
      SequenceNumber: String(this.#sequence++),
      To: this.form['To'] ?? '',
      ...(sip !== undefined && { SipResponseCode: sip }),
    };
    this.#report(report).catch(this.#note);
  }

  async #report(report: Record<string, string>): Promise<void> {
    const { reports = 'in-order' } = this.behaviour;
    if (reports === 'never') return;
    if (reports === 'reversed') {
      this.#reports.unshift(report);
      if (this.isOver) for (const one of this.#reports.splice(0)) await this.#send(one);
      return;
    }
    if (reports === 'late') await pause(systemClock, LATE_MS);
    for (let time = 0; time < (reports === 'twice' ? 2 : 1); time++) await this.#send(report);
  }

  async #send(report: Record<string, string>): Promise<void> {
    const url = this.form['StatusCallback'] ?? '';
    const headers = { 'x-twilio-signature': signAsCarrier(TWILIO_ACCOUNT.token, url, report) };
    // Twilio gives up where nobody answers.
    await fetch(url, { method: 'POST', headers, body: new URLSearchParams(report) }).catch(() => undefined);
  }
}

/** @param owned - the numbers of the account @returns what is wrong with a request, as Twilio says it, or null */
export function faultOfDial(
  owned: readonly { phoneNumber: string }[],
  form: Record<string, string>,
): [code: number, text: string] | null {
  const { From: from = '', To: to = '', Timeout: timeout = '', Twiml: twiml = '' } = form;
  if (!/^\+\d{5,15}$/.test(to))
    return [21_211, `The phone number you are attempting to call, ${to}, is not valid.`];
  if (!owned.some(({ phoneNumber }) => phoneNumber === from))
    return [21_210, `The source phone number provided, ${from}, is not yet verified for your account.`];
  if (!/^\d{1,3}$/.test(timeout) || Number(timeout) > 600) return [21_220, 'Invalid Timeout'];
  if (twiml === '' || twiml.length > 4_000) return [21_205, 'Url is not a valid URL'];
  return null;
}
