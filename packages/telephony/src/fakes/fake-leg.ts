/** A leg whose far end is controlled by the test: ringing, answer, keys and hang-up. */
import type {
  AnswerSettings,
  CallLeg,
  KeysOutcome,
  LegEnd,
  LegEvent,
  LegReferral,
  StoredDialog,
  TransferOutcome,
} from '../call-leg.ts';
import { FakeMedia } from './fake-media.ts';

const DIALOG: Omit<StoredDialog, 'callId'> = {
  localTag: 'near',
  remoteTag: 'far',
  localUri: 'sip:near@127.0.0.1',
  remoteUri: 'sip:far@127.0.0.1',
  remoteTarget: 'sip:far@127.0.0.1:5070',
  routeSet: [],
  localSequence: 1,
  transport: 'udp',
  destination: { host: '127.0.0.1', port: 5070 },
};

/** What a fake leg is. */
type FakeLegOptions = Pick<CallLeg, 'id' | 'direction'> & Partial<Pick<CallLeg, 'from' | 'to' | 'callerTag'>>;

/** Passes the conformance suite of `CallLeg`. */
export class FakeLeg implements CallLeg {
  readonly id: string;
  readonly callerTag: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly media = new FakeMedia();
  /** Everything that was asked of the leg, in order, such as `ring`, `answer`, `reject 503`, `hang-up`. */
  readonly requests: string[] = [];
  /** What the answer was given; null before it. */
  answerSettings: AnswerSettings | null = null;
  /** False: a hang-up is never confirmed, so that the leg does not end. */
  confirmsHangUp = true;
  /** What becomes of keys. */
  keysOutcome: KeysOutcome = { isSent: true, method: 'rfc4733' };
  /** What becomes of a transfer. */
  transferOutcome: TransferOutcome = { result: 'refused', sipStatus: null };
  readonly #ended = Promise.withResolvers<void>();
  #listeners: ((event: LegEvent) => void)[] = [];
  #early: LegEvent[] = [];
  #state: 'open' | 'answered' | 'ended' = 'open';

  constructor({ id, callerTag = 'far', direction, from = '', to = '' }: FakeLegOptions) {
    this.id = id;
    this.callerTag = callerTag;
    this.direction = direction;
    this.from = from;
    this.to = to;
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#listeners.push(listener);
    for (const event of this.#early.splice(0)) deliver(listener, event);
  }

  ring(): void {
    this.requests.push('ring');
  }

  async answer(settings: AnswerSettings = {}): Promise<void> {
    this.requests.push('answer');
    this.answerSettings = settings;
    if (this.direction === 'inbound') this.answerAtFarEnd();
  }

  reject(sipStatus: number): void {
    this.requests.push(`reject ${sipStatus}`);
    if (this.#state === 'open') this.end({ cause: 'rejected', sipStatus, detail: 'Rejected' });
  }

  async hangUp(): Promise<void> {
    this.requests.push('hang-up');
    const cause = this.#state === 'answered' ? 'local-hang-up' : 'cancelled';
    if (this.confirmsHangUp) this.end({ cause, detail: 'Hung up' });
    await this.#ended.promise;
  }

  abandon(): void {
    this.requests.push('abandon');
    this.end({ cause: 'line-lost', detail: 'Another process goes on with the call' });
  }

  async sendDtmf(digits: string): Promise<KeysOutcome> {
    this.requests.push(`keys ${digits}`);
    return this.keysOutcome;
  }

  async transfer(number: string): Promise<TransferOutcome> {
    this.requests.push(`transfer ${number}`);
    return this.transferOutcome;
  }

  /** 180 from the far end. */
  ringAtFarEnd(): void {
    this.#emit({ type: 'ringing', dialog: { ...DIALOG, callId: this.id } });
  }

  /** The call is answered, once. */
  answerAtFarEnd(): void {
    if (this.#state !== 'open') return;
    this.#state = 'answered';
    this.#emit({ type: 'answered', dialog: { ...DIALOG, callId: this.id } });
  }

  /** BYE from the far end, or CANCEL before the answer. */
  hangUpAtFarEnd(): void {
    this.end({ cause: 'remote-hang-up', detail: 'The far end hung up' });
  }

  /** The far end presses a key. */
  pressAtFarEnd(digit: string): void {
    this.#emit({ type: 'dtmf', digit, durationMs: 160 });
  }

  /** The far end puts the call on hold, or takes it off hold. */
  holdAtFarEnd(isHeld: boolean): void {
    this.#emit({ type: 'held', isHeld });
  }

  /** The far end refers the leg to another party; a refusal is in {@link requests}. */
  referAtFarEnd(to: Partial<LegReferral>): void {
    const refuse = (sipStatus: number): void => void this.requests.push(`refuse ${sipStatus}`);
    const party = { user: '', host: '127.0.0.1', ownHosts: ['127.0.0.1'], isAttended: false };
    this.#emit({ type: 'referral', referral: { ...party, refuse, ...to } });
  }

  /** The party of a referral has answered. */
  replaceFarEnd(callId: string): void {
    this.#emit({ type: 'replaced', dialog: { ...DIALOG, callId }, by: 'refer' });
  }

  /** The leg goes on at another address of its trunk. */
  failOver(): void {
    const from = { address: '127.0.0.1', port: 5070 };
    this.#emit({ type: 'failed-over', from, to: { ...from, port: 5071 } });
  }

  /** A target refresh (RFC 3261 section 12.2) moves the far end. */
  moveFarEnd(remoteTarget: string): void {
    this.#emit({ type: 'dialog-changed', dialog: { ...DIALOG, callId: this.id, remoteTarget } });
  }

  /** Ends the leg, once. */
  end(end: LegEnd): void {
    if (this.#state === 'ended') return;
    this.#emit({ type: 'ended', end });
    this.#state = 'ended';
    this.#ended.resolve();
  }

  #emit(event: LegEvent): void {
    if (this.#state === 'ended') return;
    if (this.#listeners.length === 0) this.#early.push(event);
    for (const listener of this.#listeners) deliver(listener, event);
  }
}

/** The leg goes on when a listener throws, as a real one does. */
function deliver(listener: (event: LegEvent) => void, event: LegEvent): void {
  try {
    listener(event);
  } catch {
    // A real leg logs this.
  }
}
