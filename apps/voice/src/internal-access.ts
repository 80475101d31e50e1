/** Authentication between Parley's own processes, by a shared secret, and a limit for the connections of everyone else. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that have not shown the secret, in a process. Health checks need none of it, and are short. */
const MAX_STRANGERS = 100;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Who may use the internal server of a process. */
export class InternalAccess {
  readonly #expected: Buffer;
  /** In insertion order: the first one is the oldest. */
  readonly #strangers = new Set<Socket>();

  /** @param secret - the setting INTERNAL_SECRET */
  constructor(secret: string) {
    this.#expected = digest(`Bearer ${secret}`);
  }

  /**
   * Closes the oldest connection of strangers when there are too many. Our own processes show the secret at once, so strangers
   * can neither lock them out nor use up the files that calls need.
   */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#strangers.add(socket);
      socket.once('close', () => this.#strangers.delete(socket));
      const [oldest] = this.#strangers;
      if (this.#strangers.size > MAX_STRANGERS) oldest?.destroy();
    });
  }

  /** True for a request with the secret, which is compared in constant time. */
  admits({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
    const isKnown = timingSafeEqual(digest(headers.authorization ?? ''), this.#expected);
    if (isKnown) this.#strangers.delete(socket);
    return isKnown;
  }
}
