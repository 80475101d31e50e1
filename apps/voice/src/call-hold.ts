/** Whether the conversation of a call pauses: the far end has put it on hold, or the caller waits for a person who is asked. */
import type { CallAmbience } from './call-ambience.ts';
import type { CallConversations } from './call-conversations.ts';

/** One for each call. */
export class CallHold {
  readonly #ambience: CallAmbience;
  readonly #conversation: CallConversations;
  #isHeld = false;
  #isWaiting = false;

  constructor(ambience: CallAmbience, conversation: CallConversations) {
    this.#ambience = ambience;
    this.#conversation = conversation;
  }

  /** The caller waits for a person who is asked. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** The assistant neither listens nor speaks; null: it does again. */
  wait(sound: 'music' | 'silence' | null): void {
    this.#isWaiting = sound !== null;
    this.#ambience.hold(sound);
    this.#conversation.hold(this.#isWaiting || this.#isHeld);
  }

  /** The far end has put the call on hold, or resumed it. */
  held(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#conversation.hold(this.#isWaiting || isHeld);
  }
}
