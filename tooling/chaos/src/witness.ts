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
    const calls = new Map<string, FollowedCall>();
    for (const line of await readPhonesLog(this.#path)) follow(calls, line);
    return [...calls.values()];
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

interface FollowedCall extends WireCall {
  isAcknowledged: boolean;
}

function follow(calls: Map<string, FollowedCall>, line: PhonesLogLine): void {
  const sipCallId = line.callId ?? '';
  const known = calls.get(sipCallId);
  const atMs = Date.parse(line.at);
  if (line.method === 'INVITE' && line.direction === 'in' && !known) {
    const number = String(line['toUser']);
    const call = {
      sipCallId,
      number,
      invitedAtMs: atMs,
      endedAtMs: null,
      answer: null,
      isAcknowledged: false,
    };
    calls.set(sipCallId, call);
    return;
  }
  const isRefusal = line.direction === 'out' && line['of'] === 'INVITE' && (line.status ?? 0) >= 300;
  const isEnd = isRefusal || line.method === 'BYE' || line.method === 'CANCEL';
  if (!known) return;
  if (isEnd) known.endedAtMs ??= atMs;
  followAnswer(known, line, atMs);
}

/** A phone that gets no ACK gives up with a BYE of its own, which is no end of ours. */
function followAnswer(call: FollowedCall, line: PhonesLogLine, atMs: number): void {
  if (line.direction === 'out' && line['of'] === 'INVITE' && line.status === 200)
    call.answer ??= { atMs, isHungUp: false };
  if (!call.answer) return;
  if (line.method === 'ACK') call.isAcknowledged = true;
  if (line.method === 'BYE' && (line.direction === 'in' || call.isAcknowledged)) call.answer.isHungUp = true;
}
