/**
 * When a collection of keys is over, and the result that the model receives. Keys count from the moment the tool is called,
 * even while the assistant is still speaking; the timeout runs while neither side does anything.
 */
import type { ToolAnswer } from './tool-runner.ts';

/** The settings of a collection. */
export interface KeyCollection {
  /** The collection is complete after this many keys, not counting the terminator. */
  maxKeys: number;
  /** The key that ends the collection; null if every key counts. */
  terminator: '#' | '*' | null;
  /** Timeout after the last key or the last audio of the assistant. */
  timeoutMs: number;
  /** The variable of the call in which the keys are stored; null for none. */
  variable: string | null;
}

/** The keys so far. */
export interface GatheredKeys {
  keys: string;
  /** When something last happened, milliseconds of call audio. */
  quietSinceMs: number;
}

/** Why the collection is over. `interrupted`: the caller spoke, or the call ended. */
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

/** Whether the timeout has expired. */
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
