import { describe } from 'vitest';
import { testMoments } from '../../test/turn-moments.ts';
import {
  aboutToSpeak,
  EVENTS,
  loud,
  noRecogniser,
  NOW_MS,
  POLICY,
  quiet,
  spokeUntil,
  tick,
  words,
} from '../../test/turn-states.ts';
import { NO_INPUT, type CallerInput } from '../recognition/caller-input.rules.ts';
import type { TurnEvent, TurnState } from './turn-state.ts';

/** The caller's sound ended so long ago, though the detector goes on hearing speech. */
const fadedFor = (ms: number): TurnState['caller'] => ({ ...spokeUntil(NOW_MS - ms), isSpeaking: true });
/** A window in which it does, and no sound is. */
const fading: TurnEvent = { type: 'voice.analysed', probability: 0.6, endMs: NOW_MS, soundEndMs: 0 };
/** Speech of that length, which has just faded. */
const longSpeech = (ms: number): Partial<TurnState> => ({
  caller: { ...fadedFor(96), startedMs: NOW_MS - ms },
  policy: { ...POLICY, hasLateWords: true, finaliseAfterMs: 250 },
});
const guessed = (input: CallerInput, interim: string, forMs: number): CallerInput => ({
  ...input,
  interim,
  interimSinceMs: NOW_MS - forMs,
});

describe('while the caller has the floor', () => {
  testMoments([
    {
      sentence: 'the caller may have the first word',
      phase: 'ringing',
      change: () => ({ policy: { ...POLICY, opening: 'caller' } }),
      event: EVENTS['line.answered'],
      step: 'waiting',
    },
    {
      sentence: 'without an initial message the model begins',
      phase: 'ringing',
      change: () => ({ policy: { ...POLICY, opening: 'reply' } }),
      event: EVENTS['line.answered'],
      step: 'thinking | say reply as 8',
    },
    {
      sentence: 'words that come after their speech was set aside are no turn',
      phase: 'waiting',
      change: () => ({ wordlessAside: { startedMs: NOW_MS - 4000, endedMs: NOW_MS - 3000 } }),
      event: words('That is good.', NOW_MS - 2900),
      step: 'waiting | note aside speech',
    },
    {
      sentence: 'words of speech after it are one',
      phase: 'waiting',
      change: () => ({ wordlessAside: { startedMs: NOW_MS - 4000, endedMs: NOW_MS - 3000 } }),
      event: words('That is good.', NOW_MS - 100),
      step: 'ending | draft 8',
    },
    {
      sentence: 'a request not to be called again is heard in them',
      phase: 'waiting',
      change: () => ({
        policy: { ...POLICY, hearsOptOut: true },
        wordlessAside: { startedMs: NOW_MS - 4000, endedMs: NOW_MS - 3000 },
      }),
      event: words('Do not call me again.'),
      step: 'closing | note aside speech | report opt-out said | say acknowledgement as 8',
    },
    {
      sentence: 'two loud windows are the caller',
      phase: 'waiting',
      change: () => ({ caller: aboutToSpeak }),
      event: loud,
      step: 'listening',
    },
    {
      sentence: 'after a long silence the assistant checks in',
      phase: 'waiting',
      event: tick(),
      nowMs: NOW_MS + 29_000,
      step: 'thinking | say check-in as 8',
    },
    {
      sentence: 'after a longer one it says goodbye',
      phase: 'waiting',
      event: tick(),
      nowMs: NOW_MS + 39_000,
      step: 'closing | say goodbye as 8',
    },
    {
      sentence: 'near the limit of the call it wraps up',
      phase: 'waiting',
      change: ({ quiet }) => ({ quiet: { ...quiet, sinceMs: 589_000, callerSilentSinceMs: 589_000 } }),
      event: tick(),
      nowMs: 590_000,
      step: 'thinking | say wrap-up as 8',
    },
    {
      sentence: 'a hash answers at once',
      phase: 'waiting',
      event: { type: 'key.pressed', digit: '#' },
      step: 'thinking | note dtmf | say reply as 8',
    },
    {
      sentence: 'an empty final in a silence means nothing',
      phase: 'waiting',
      event: words(''),
      step: 'waiting',
    },
    {
      sentence: 'a pause asks for the final',
      phase: 'listening',
      change: () => ({ caller: { ...spokeUntil(NOW_MS - 250), isSpeaking: true } }),
      event: quiet,
      step: 'ending | finalise',
    },
    {
      sentence: 'a pause without a recogniser only waits',
      phase: 'listening',
      change: () => ({ caller: { ...spokeUntil(NOW_MS - 250), isSpeaking: true }, ...noRecogniser() }),
      event: quiet,
      step: 'ending',
    },
    {
      sentence: 'music does not hold the floor',
      phase: 'listening',
      change: ({ input }) => ({ input: { ...input, startedMs: NOW_MS - 30_000 } }),
      event: tick(),
      step: 'ending | finalise',
    },
    {
      sentence: 'and is not taken for the caller afterwards',
      phase: 'waiting',
      change: () => ({ caller: { ...aboutToSpeak, mutedMs: NOW_MS - 32 } }),
      event: loud,
      step: 'waiting',
    },
    {
      sentence: 'a final that comes twice counts once',
      phase: 'ending',
      change: ({ input }) => ({
        input: { ...input, finals: ['A room.'], lastFinal: { atMs: NOW_MS - 200, endMs: NOW_MS - 300 } },
        draft: { turn: 7, words: 'speech a room' },
      }),
      event: words('A room.', NOW_MS - 300),
      step: 'ending',
    },
    {
      sentence: 'unfinished words are not answered ahead',
      phase: 'ending',
      event: words('I would like a room and'),
      step: 'ending',
    },
    {
      sentence: 'other words make another draft',
      phase: 'ending',
      change: () => ({ draft: { turn: 7, words: 'speech A room.' }, draftsOfTurn: 1 }),
      event: words('A room, please.'),
      step: 'ending | discard-draft | draft 8',
    },
    {
      sentence: 'the same words keep it',
      phase: 'ending',
      change: () => ({ draft: { turn: 7, words: 'speech a room please' }, draftsOfTurn: 1 }),
      event: words('A room, please.'),
      step: 'ending',
    },
    {
      sentence: 'two drafts are enough',
      phase: 'ending',
      change: () => ({ draftsOfTurn: 2 }),
      event: words('A room, please.'),
      step: 'ending',
    },
    {
      sentence: 'the draft of these words is the answer',
      phase: 'ending',
      change: ({ input }) => ({
        caller: spokeUntil(NOW_MS - 500),
        input: { ...input, finals: ['A room.'], lastFinal: { atMs: NOW_MS - 100, endMs: null } },
        draft: { turn: 7, words: 'speech a room' },
      }),
      event: tick(),
      step: 'thinking | note speech | say reply as 7',
    },
    {
      sentence: 'keys that came after it are not answered by it',
      phase: 'ending',
      change: ({ input }) => ({
        caller: spokeUntil(NOW_MS - 500),
        input: { ...input, finals: ['A room.'], lastFinal: { atMs: NOW_MS - 100, endMs: null } },
        draft: { turn: 7, words: 'speech A room.' },
      }),
      event: { type: 'key.pressed', digit: '#' },
      step: 'thinking | note speech | note dtmf | discard-draft | say reply as 8',
    },
    {
      sentence: 'the caller who goes on is listened to',
      phase: 'ending',
      change: () => ({ caller: { ...aboutToSpeak, lastSpeechMs: NOW_MS - 400 } }),
      event: loud,
      step: 'listening',
    },
    {
      sentence: 'the wait is over and there is no recogniser',
      phase: 'ending',
      change: () => ({ caller: spokeUntil(NOW_MS - 500), ...noRecogniser() }),
      event: tick(),
      step: 'thinking | note unrecognised | say reply as 8',
    },
    {
      sentence: 'the wait was over and now the final comes',
      phase: 'ending',
      change: () => ({ caller: spokeUntil(NOW_MS - 700) }),
      event: words('A room, please.'),
      step: 'thinking | note speech | say reply as 8',
    },
    {
      sentence: 'a breath is no turn',
      phase: 'ending',
      change: () => ({
        caller: spokeUntil(NOW_MS - 500),
        input: { ...NO_INPUT, startedMs: NOW_MS - 600, endedMs: NOW_MS - 500, speechMs: 100 },
        ...noRecogniser(),
      }),
      event: tick(),
      step: 'waiting',
    },
    {
      sentence: 'an answer that is overdue ends the wait, and counts as none',
      phase: 'ending',
      change: ({ input }) => ({
        caller: spokeUntil(NOW_MS - 700),
        input: { ...input, finalisedMs: NOW_MS - 500 },
        wordlessTurns: 1,
      }),
      event: { type: 'words.recognised', text: '', endMs: null, isOverdue: true },
      step: 'thinking | note unrecognised | say reply as 8 | report recogniser | reopen recogniser of another',
    },
    {
      sentence: 'an answer without words is one, and the recogniser is well',
      phase: 'ending',
      change: ({ input }) => ({
        caller: spokeUntil(NOW_MS - 700),
        input: { ...input, finalisedMs: NOW_MS - 500 },
        wordlessTurns: 1,
      }),
      event: words(''),
      step: 'thinking | note unrecognised | say reply as 8',
    },
    {
      sentence: 'long speech is recognised in parts by a recogniser of whole utterances',
      phase: 'listening',
      change: () => longSpeech(8000),
      event: fading,
      step: 'listening | finalise',
    },
    {
      sentence: 'but not within the first eight seconds',
      phase: 'listening',
      change: () => longSpeech(7999),
      event: fading,
      step: 'listening',
    },
    {
      sentence: 'or by one that reports words meanwhile',
      phase: 'listening',
      change: () => ({ ...longSpeech(8000), policy: { ...POLICY, finaliseAfterMs: 250 } }),
      event: fading,
      step: 'listening',
    },
    {
      sentence: 'the first sign of a pause is asked about where the wait is short',
      phase: 'listening',
      change: () => ({ caller: fadedFor(64), policy: { ...POLICY, finaliseAfterMs: 64 } }),
      event: fading,
      step: 'listening | finalise',
    },
    {
      sentence: 'and not before there is one',
      phase: 'listening',
      change: () => ({ caller: fadedFor(63), policy: { ...POLICY, finaliseAfterMs: 64 } }),
      event: fading,
      step: 'listening',
    },
    {
      sentence: 'and once only',
      phase: 'listening',
      change: ({ input }) => ({
        caller: fadedFor(96),
        input: { ...input, finalisedMs: NOW_MS - 32 },
        policy: { ...POLICY, finaliseAfterMs: 64 },
      }),
      event: fading,
      step: 'listening',
    },
    {
      sentence: 'to words that have stood for a while a reply is made while the sound fades',
      phase: 'listening',
      change: ({ input }) => ({ caller: fadedFor(96), input: guessed(input, 'a room please', 300) }),
      event: fading,
      step: 'listening | draft 8',
    },
    {
      sentence: 'not to those that have just changed',
      phase: 'listening',
      change: ({ input }) => ({ caller: fadedFor(96), input: guessed(input, 'a room please', 299) }),
      event: fading,
      step: 'listening',
    },
    {
      sentence: 'not while the caller sounds',
      phase: 'listening',
      change: ({ input }) => ({ caller: fadedFor(95), input: guessed(input, 'a room please', 500) }),
      event: fading,
      step: 'listening',
    },
    {
      sentence: 'not to words that ask for more',
      phase: 'listening',
      change: ({ input }) => ({ caller: fadedFor(96), input: guessed(input, 'a room and', 500) }),
      event: fading,
      step: 'listening',
    },
    {
      sentence: 'what was guessed and what stands are the same words, whatever their marks',
      phase: 'ending',
      change: ({ input }) => ({
        caller: spokeUntil(NOW_MS - 500),
        input: guessed(input, 'a room please', 500),
        draft: { turn: 8, words: 'speech a room please' },
        lastTurn: 8,
      }),
      event: words('A room, please.'),
      step: 'thinking | note speech | say reply as 8',
    },
    {
      sentence: 'other words are other words',
      phase: 'ending',
      change: ({ input }) => ({
        caller: spokeUntil(NOW_MS - 500),
        input: guessed(input, 'a room please', 500),
        draft: { turn: 8, words: 'speech a room please' },
        lastTurn: 8,
      }),
      event: words('A broom, please.'),
      step: 'thinking | note speech | discard-draft | say reply as 9',
    },
    {
      sentence: 'a recogniser that says nothing may be slow',
      phase: 'ending',
      change: ({ input }) => ({
        caller: spokeUntil(NOW_MS - 3000),
        input: { ...input, finalisedMs: NOW_MS - 2800 },
      }),
      event: tick(),
      step: 'thinking | note unrecognised | say reply as 8',
    },
    {
      sentence: 'for the second time in a row it hangs',
      phase: 'ending',
      change: ({ input }) => ({
        caller: spokeUntil(NOW_MS - 3000),
        input: { ...input, finalisedMs: NOW_MS - 2800 },
        wordlessTurns: 1,
      }),
      event: tick(),
      step: 'thinking | note unrecognised | say reply as 8 | report recogniser | reopen recogniser of another',
    },
  ]);
});
