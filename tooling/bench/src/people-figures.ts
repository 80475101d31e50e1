/**
 * What went wrong in the calls of `bench:people`, from both audio tracks at the person and the turns of the record: a turn
 * that was not answered, silence on the line, and speech of the assistant with holes after an "uh-huh".
 */
import { needsAnswer, type Act } from '@parley/testkit';
import type { Said } from './people-person.ts';
import type { HeardPacket } from './talk-wire.ts';

/** A finished call. */
export interface PersonsCall {
  number: string;
  answeredMs: number;
  /** When the person had carried out their plan. */
  doneMs: number;
  /** The assistant's side ended the call before that. */
  wasCutOff: boolean;
  said: readonly Said[];
  heard: readonly HeardPacket[];
  /** When the assistant's turns began according to the record, milliseconds after the answer. */
  botTurnsMs: readonly number[];
}

/** One act and the assistant's answer to it. */
export interface AnsweredAct {
  act: Act;
  number: string;
  /** From the answer of the call to the person's last sound. */
  atMs: number;
  /** From the person's last sound to the answer; null: none in time. */
  latencyMs: number | null;
}

/** A backchannel and the longest gap in the assistant's speech around it. */
export interface Hole {
  number: string;
  /** From the answer of the call to the beginning of the backchannel. */
  atMs: number;
  /** 0: no gap was heard. */
  lengthMs: number;
}

/** Silence of both sides. */
export interface DeadAir {
  number: string;
  /** From the answer of the call. */
  atMs: number;
  lengthMs: number;
}

/** An answer that takes longer has not come in time. */
const ANSWER_LIMIT_MS = 4000;
const DEAD_AIR_MS = 4000;
/** An answer may begin before the end of a caller's last sound, which is not speech to its very end. */
const EARLIEST_MS = -150;
/** The record and the sound agree to this extent. */
const SAME_SOUND_MS = 500;
/** A gap in the assistant's speech that is heard. */
const HOLE_MS = 120;
/** After the end of a backchannel its effects are over. */
const HOLE_AFTER_MS = 1500;

/** The acts that need an answer. */
export function answersOf(call: PersonsCall): AnsweredAct[] {
  const turns = call.said.filter(({ act }) => needsAnswer(act));
  return turns.map(({ act, endMs }, index) => {
    const nextMs = turns[index + 1]?.onsetMs ?? call.doneMs;
    const latencyMs = firstAnswer(call, endMs, Math.min(nextMs, endMs + ANSWER_LIMIT_MS));
    return { act, number: call.number, atMs: endMs - call.answeredMs, latencyMs };
  });
}

function firstAnswer({ answeredMs, botTurnsMs, heard }: PersonsCall, endMs: number, limitMs: number) {
  const audible = botTurnsMs
    .map((startMs) => answeredMs + startMs)
    .filter((startMs) => startMs >= endMs + EARLIEST_MS && startMs <= limitMs)
    .find((startMs) =>
      heard.some(
        ({ loud }) =>
          loud && loud.fromMs >= startMs - SAME_SOUND_MS && loud.fromMs <= startMs + SAME_SOUND_MS,
      ),
    );
  return audible === undefined ? null : audible - endMs;
}

/** @param silenceLimitMs - after which the assistant speaks again to a person who says nothing */
export function deadAirOf(call: PersonsCall, silenceLimitMs: number): DeadAir[] {
  const sounds = [...call.said.filter(({ act }) => act !== 'silence'), ...loudOf(call.heard)]
    .map(({ onsetMs, endMs }) => ({ onsetMs, endMs }))
    .toSorted((a, b) => a.onsetMs - b.onsetMs);
  const found: DeadAir[] = [];
  let heardUntilMs = call.answeredMs;
  for (const { onsetMs, endMs } of [...sounds, { onsetMs: call.doneMs, endMs: call.doneMs }]) {
    if (onsetMs > call.doneMs) break;
    const lengthMs = onsetMs - heardUntilMs;
    const isMeant = call.said.some(
      ({ act, ...silence }) => act === 'silence' && silence.onsetMs < onsetMs && silence.endMs > heardUntilMs,
    );
    if (lengthMs > DEAD_AIR_MS + (isMeant ? silenceLimitMs : 0))
      found.push({ number: call.number, atMs: heardUntilMs - call.answeredMs, lengthMs });
    heardUntilMs = Math.max(heardUntilMs, endMs);
  }
  return found;
}

/** The speech around each backchannel. */
export function holesOf({ number, answeredMs, said, heard }: PersonsCall): Hole[] {
  const loud = loudOf(heard);
  return said.flatMap(({ act, onsetMs, endMs }, index) => {
    if (act !== 'backchannel') return [];
    const nextMs = said[index + 1]?.onsetMs ?? Infinity;
    const around = loud.filter(
      (sound) => sound.endMs > onsetMs - HOLE_MS && sound.onsetMs < Math.min(endMs + HOLE_AFTER_MS, nextMs),
    );
    const gaps = around.map((sound, at) => sound.onsetMs - (around[at - 1]?.endMs ?? sound.onsetMs));
    const longest = Math.max(0, ...gaps);
    return [{ number, atMs: onsetMs - answeredMs, lengthMs: longest >= HOLE_MS ? longest : 0 }];
  });
}

function loudOf(heard: readonly HeardPacket[]): { onsetMs: number; endMs: number }[] {
  return heard.flatMap(({ loud }) => (loud ? [{ onsetMs: loud.fromMs, endMs: loud.toMs }] : []));
}
