/**
 * One connection to Google's Live API: its setup, and a queue for messages until the setup is complete. A session may outlive its
 * connections, which last about ten minutes.
 *
 * @see https://ai.google.dev/gemini-api/docs/live-api/session-management
 */
import type { Clock, Timer } from '@parley/runtime';
import { SpeechError } from '../../ports.ts';
import { socketUrl } from '../../wire/http-request.ts';
import { ProviderSocket } from '../../wire/provider-socket.ts';
import type { ProviderAccount } from '../provider-account.ts';
import type { ClientMessage } from './gemini-messages.rules.ts';
import { readServerMessage, type GeminiMessage } from './gemini-server-messages.ts';

/** From the call to the end of the setup, milliseconds. */
const SETUP_LIMIT_MS = 4000;
const PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';

/** The options of a connection. */
export interface GeminiConnectionOptions {
  account: ProviderAccount;
  clock: Clock;
  setup: ClientMessage;
  onServerMessage: (serverMessage: GeminiMessage) => void;
  /** Not called after {@link GeminiConnection.close}. */
  onEnd: (error: SpeechError) => void;
}

/** Connects at once. */
export class GeminiConnection {
  readonly #options: GeminiConnectionOptions;
  readonly #socket: ProviderSocket;
  /** Messages that wait until the setup is complete, because the provider refuses them before. Null afterwards. */
  #waiting: ClientMessage[] | null = [];
  readonly #setupTimer: Timer;

  constructor(options: GeminiConnectionOptions) {
    const { account, clock, setup } = options;
    const { apiKey, baseUrl } = account;
    this.#options = options;
    this.#socket = new ProviderSocket({
      url: socketUrl(baseUrl, PATH),
      headers: apiKey === null ? {} : { 'x-goog-api-key': apiKey },
      apiKey,
      clock,
      onMessage: (message) => this.#received(message),
      onEnd: (error) => this.#end(error),
    });
    this.#setupTimer = clock.after(SETUP_LIMIT_MS, () =>
      this.#fail('timed-out', `The provider did not begin the session within ${SETUP_LIMIT_MS} ms`),
    );
    this.#socket.send(setup);
  }

  send(message: ClientMessage): void {
    if (this.#waiting) this.#waiting.push(message);
    else this.#socket.send(message);
  }

  close(): void {
    this.#setupTimer.cancel();
    this.#waiting = [];
    this.#socket.close();
  }

  #received(message: unknown): void {
    const serverMessage = readServerMessage(message);
    if (!serverMessage) return this.#fail('unavailable', 'The provider sent what is not in its protocol');
    if (serverMessage.setupComplete) this.#open();
    this.#options.onServerMessage(serverMessage);
  }

  #open(): void {
    this.#setupTimer.cancel();
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const message of waiting) this.#socket.send(message);
  }

  #fail(kind: SpeechError['kind'], message: string): void {
    this.close();
    this.#options.onEnd(new SpeechError(kind, message));
  }

  #end(error: SpeechError): void {
    this.#setupTimer.cancel();
    this.#options.onEnd(error);
  }
}
