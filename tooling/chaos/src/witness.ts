/** Reads the log of the carrier: the number of calls so far, and at the end the result of each. */
import { open, type FileHandle } from 'node:fs/promises';
import { readPhonesLog, type PhonesLogLine } from '@parley/e2e';
import type { WireCall } from './oracle.rules.ts';

/** Follows the log. */
export class Witness {
  readonly #path: string;
  readonly #seen = new Set<string>();
  #file: FileHandle | null = null;
  #offset = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** @returns the number of different calls so far */
  async countCalls(): Promise<number> {
    this.#file ??= await open(this.#path, 'r');
    const { size } = await this.#file.stat();
    const chunk = Buffer.alloc(size - this.#offset);
    const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, this.#offset);
    this.#offset += bytesRead;
    const lines = (this.#rest + chunk.toString('latin1', 0, bytesRead)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.includes('"INVITE"') || !line.includes('"direction":"in"')) continue;
      this.#seen.add(/"callId":"([^"]*)"/.exec(line)?.[1] ?? '');
    }
    return this.#seen.size;
  }

  /** All calls, from the first INVITE to their end. */
  async calls(): Promise<WireCall[]> {
    const calls = new Map<string, WireCall>();
    for (const line of await readPhonesLog(this.#path)) follow(calls, line);
    return [...calls.values()];
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

function follow(calls: Map<string, WireCall>, line: PhonesLogLine): void {
  const sipCallId = line.callId ?? '';
  const known = calls.get(sipCallId);
  const atMs = Date.parse(line.at);
  if (line.method === 'INVITE' && line.direction === 'in' && !known) {
    calls.set(sipCallId, { sipCallId, number: String(line['toUser']), invitedAtMs: atMs, endedAtMs: null });
    return;
  }
  const isRefusal = line.direction === 'out' && line['of'] === 'INVITE' && (line.status ?? 0) >= 300;
  const isEnd = isRefusal || line.method === 'BYE' || line.method === 'CANCEL';
  if (known && isEnd) known.endedAtMs ??= atMs;
}
