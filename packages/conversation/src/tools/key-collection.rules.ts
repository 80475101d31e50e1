/**
 * When a collection of keys is over, and what the model is told of it. Keys count from the moment the tool is used, also
 * while the assistant still speaks; the time runs while nobody does anything.
 */
import type { ToolAnswer } from './tool-runner.ts';

/** What is to be gathered. */
export interface KeyCollection {
  /** So many keys are enough; the terminator is none of them. */
  maxKeys: number;
  /** The key that says "that was all"; null: every key counts. */
  terminator: '#' | '*' | null;
  /** After the last key, or the last sound of the assistant, so long. */
  timeoutMs: number;
  /** The variable of the call that keeps the keys; null for none. */
  variable: string | null;
}

/** What was gathered so far. */
export interface GatheredKeys {
  keys: string;
  /** When something last happened, milliseconds of the call's sound. */
  quietSinceMs: number;
}

/** Why it is over. `interrupted`: the caller spoke, or the call ended. */
export type CollectionEnd = 'complete' | 'terminated' | 'timed-out' | 'interrupted';

/** A key was pressed: 0-9 * # A-D. */
export function gatherKey(
  collection: KeyCollection,
  gathered: GatheredKeys,
  { digit, nowMs }: { digit: string; nowMs: number },
): { gathered: GatheredKeys; end: CollectionEnd | null } {
  if (digit === collection.terminator) return { gathered, end: 'terminated' };
  const keys = gathered.keys + digit;
  const end = keys.length >= collection.maxKeys ? 'complete' : null;
  return { gathered: { keys, quietSinceMs: nowMs }, end };
}

/** Whether nothing more is to be expected. */
export function isOverdue(collection: KeyCollection, gathered: GatheredKeys, nowMs: number): boolean {
  return nowMs - gathered.quietSinceMs >= collection.timeoutMs;
}

/** For the model to read. */
export function collectionAnswer(keys: string, end: CollectionEnd): ToolAnswer {
  if (end === 'interrupted') {
    const soFar = keys === '' ? 'no key' : keys;
    return { isOk: false, text: `The caller did not finish. Pressed so far: ${soFar}.` };
  }
  if (keys === '') return { isOk: false, text: 'The caller pressed no key.' };
  const tail = end === 'timed-out' ? ', and then nothing more' : '';
  return { isOk: true, text: `The caller pressed ${keys}${tail}.` };
}
