/** The requests of the widget to its server. */
import type { WidgetAppearance, WidgetCall } from '@parley/contracts';

/** An answer with another status than success. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** One assistant at one server. */
export class WidgetServer {
  readonly #base: URL;
  readonly #assistant: string;

  /** @param script - the address from which the widget was loaded */
  constructor(script: string, assistant: string) {
    this.#base = new URL('.', script);
    this.#assistant = assistant;
  }

  /** The file with both audio worklets. */
  get workletUrl(): string {
    return new URL('widget/sound.js', this.#base).href;
  }

  /** @throws RefusedError, or TypeError without an answer that this page may read */
  async readAppearance(): Promise<WidgetAppearance> {
    return (await this.#ask('')) as WidgetAppearance;
  }

  /** @returns the address of the WebSocket. @throws as `readAppearance` */
  async placeCall(): Promise<string> {
    const { path } = (await this.#ask('/calls', 'POST')) as WidgetCall;
    const url = new URL(path.slice(1), this.#base);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url.href;
  }

  async #ask(path: string, method = 'GET'): Promise<unknown> {
    const url = new URL(`widget/assistants/${encodeURIComponent(this.#assistant)}${path}`, this.#base);
    // No cookie and no address of the page: the server checks the origin only.
    const answer = await fetch(url, { method, credentials: 'omit', referrerPolicy: 'no-referrer' });
    const body = (await answer.json()) as { message?: string };
    if (!answer.ok) throw new RefusedError(answer.status, body.message ?? String(answer.status));
    return body;
  }
}
