/**
 * What one call reports to core. Every fact carries the fence under which this process took the call: once the process
 * has lost the call, core refuses them, also after a new lease.
 */
import type { EndReason } from '@parley/contracts';
import {
  callPhase,
  DomainError,
  FencedError,
  finishCall,
  recordCallEvent,
  recordCallNote,
  recordDialog,
  recordOptOut,
  storeCallProgress,
  type CallEventInput,
  type CallEventType,
  type CallProgress,
  type CoreContext,
  type FinishCallInput,
  type OptOutInput,
  type VoiceFence,
} from '@parley/core';
import type { StoredDialog } from '@parley/telephony';
import { CallReporter } from './call-reporter.ts';

/** Options of the facts of one call. */
export interface CallFactsOptions {
  core: CoreContext;
  callId: number;
  fence: VoiceFence;
  /** The call has ended in the database: the leg must end as well. */
  onLost: () => void;
  /** Another process goes on with the call. Default: as `onLost`. */
  onTaken?: () => void;
  /** Another process has stored the answer. */
  isAnswered?: boolean;
}

/** In the timeline: the far end answered a call that had been given up. */
export const ANSWERED_LATE = 'answered_late';

/**
 * Lines of one type in the timeline of a call. A call has a few; a far end that changes its session without end could write
 * hundreds a second.
 */
const MOST_NOTES = 1000;

/** The facts of one call, stored in the order in which they were reported. */
export class CallFacts {
  readonly #options: CallFactsOptions;
  readonly #reporter: CallReporter;
  #isAnswerStored = false;
  #hasRung = false;
  readonly #noted = new Map<string, number>();
  /** A dialog beyond the limit of lines that waits to be stored. */
  #unstored: { dialog: StoredDialog } | null = null;
  #hasUnstoredProgress = false;

  constructor(options: CallFactsOptions) {
    const { core, callId, onLost, onTaken = onLost, isAnswered = false } = options;
    this.#options = options;
    this.#isAnswerStored = isAnswered;
    this.#reporter = new CallReporter({
      clock: core.clock,
      log: core.log.child({ callId }),
      onRefused: (error) => {
        if (error instanceof FencedError) onTaken();
        else if (error instanceof DomainError) onLost();
      },
    });
  }

  /** True once core has stored the answer: only then can another process go on with the call. */
  get isAnswerStored(): boolean {
    return this.#isAnswerStored;
  }

  /** A step of the call's state. */
  event(event: CallEventType, about: Partial<Omit<CallEventInput, 'event'>> = {}): void {
    const { core, onLost } = this.#options;
    // A far end may repeat it hundreds of times a second, and only the first one changes the state.
    if (event === 'ringing' && this.#hasRung) return;
    this.#hasRung ||= event === 'ringing';
    const input = { ...this.#about(), detail: {}, ...about, event };
    const bare = { ...this.#about(), at: input.at, event, detail: incomplete(input.detail) };
    const store = async (fact: CallEventInput): Promise<void> => {
      const { status, isApplied } = await recordCallEvent(core, fact);
      // Repeated events are ignored as well, but do not find the call over.
      if (event !== 'answered') return;
      this.#isAnswerStored = isApplied || callPhase(status) === 'talking';
      if (this.#isAnswerStored) return;
      // What is known stays on the record, although the call was given up before.
      this.note(ANSWERED_LATE, {});
      onLost();
    };
    this.#reporter.report({ name: event, store: () => store(input), instead: () => store(bare) });
  }

  /**
   * A line of the timeline that does not change the call's state; ignored after {@link MOST_NOTES} of its type. The dialog is
   * stored in any case: without the latest one, no other process can end the call.
   */
  note(type: string, detail: Record<string, unknown>, dialog?: StoredDialog): void {
    const count = (this.#noted.get(type) ?? 0) + 1;
    if (count > MOST_NOTES) return dialog && this.#keepDialog(dialog);
    this.#noted.set(type, count);
    if (dialog) this.#unstored = null;
    const input = { ...this.#about(), type, detail, ...(dialog ? { dialog } : {}) };
    this.add(type, () => recordCallNote(this.#options.core, input));
  }

  /** Stores a dialog. If several wait to be stored, only the last one is. */
  #keepDialog(dialog: StoredDialog): void {
    if (this.#unstored) {
      this.#unstored.dialog = dialog;
      return;
    }
    const unstored = { dialog };
    this.#unstored = unstored;
    this.add('dialog', async () => {
      if (this.#unstored === unstored) this.#unstored = null;
      await recordDialog(this.#options.core, { ...this.#about(), ...unstored });
    });
  }

  /** The conversation so far, for another process. Of several that wait to be stored, only the last matters. */
  progress(progress: () => CallProgress): void {
    if (this.#hasUnstoredProgress) return;
    this.#hasUnstoredProgress = true;
    this.add('progress', async () => {
      this.#hasUnstoredProgress = false;
      const { core, callId, fence } = this.#options;
      await storeCallProgress(core, { callId, fence, progress: progress() });
    });
  }

  /** The person asked not to be called again. */
  optOut({ means, atMs }: Pick<OptOutInput, 'means' | 'atMs'>): void {
    const input = { ...this.#about(), means, atMs };
    this.add('opted_out', () => recordOptOut(this.#options.core, input));
  }

  /** The end of an answered call. If its conversation cannot be stored, the end alone is. */
  finish(input: Omit<FinishCallInput, 'callId' | 'fence'>): void {
    const { core } = this.#options;
    const { callId, fence } = this.#about();
    const { event, at, endedReason: reason } = input;
    this.#reporter.report({
      name: 'finish',
      store: async () => {
        await finishCall(core, { ...input, callId, fence });
      },
      instead: async () => {
        await recordCallEvent(core, { callId, fence, event, at, detail: incomplete({ reason }) });
      },
    });
  }

  /** Any other fact, stored after all earlier ones. */
  add(name: string, store: () => Promise<void>): void {
    this.#reporter.report({ name, store });
  }

  /** Resolves when everything reported so far has been stored or given up. */
  async settled(): Promise<void> {
    await this.#reporter.settled();
  }

  #about(): { callId: number; fence: VoiceFence; at: Date } {
    const { core, callId, fence } = this.#options;
    return { callId, fence, at: new Date(core.clock.now()) };
  }
}

/** Marks a fact that was stored without the part that the database refused. */
function incomplete({ reason }: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...(reason === undefined ? {} : { reason }), is_incomplete: true };
}

/** Records that a call failed before its conversation could begin. Resolves when that is stored or given up. */
export async function recordFailedCall(
  about: Omit<CallFactsOptions, 'onLost'>,
  reason: EndReason,
): Promise<void> {
  const facts = new CallFacts({ ...about, onLost: () => undefined });
  facts.event('failed', { detail: { reason } });
  await facts.settled();
}
