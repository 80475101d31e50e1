import { describe, expect, it } from 'vitest';
import {
  idleTalk,
  nextTalkState,
  type TalkEvent,
  type TalkStage,
  type TalkState,
} from './talk-stage.rules.ts';

const STAGES: TalkStage[] = [
  'idle',
  'microphone',
  'connecting',
  'listening',
  'thinking',
  'speaking',
  'ended',
  'failed',
];

const customerTurn: TalkEvent = { type: 'turn-taken', turn: { sender: 'human', text: 'Yes.' } };
const assistantTurn: TalkEvent = { type: 'turn-given', turn: { sender: 'bot', text: 'Fine.' } };
const failure: TalkEvent = { type: 'failed', problem: { title: 'No', text: 'No.' } };

/** Each event with the stages it leads to; a stage not named stays as it is. */
const TABLE: [sentence: string, event: TalkEvent, next: Partial<Record<TalkStage, TalkStage>>][] = [
  [
    'a start asks for the microphone',
    { type: 'started' },
    { idle: 'microphone', ended: 'microphone', failed: 'microphone' },
  ],
  ['the microphone leads to the call', { type: 'microphone-allowed' }, { microphone: 'connecting' }],
  ['a placed call is still connecting', { type: 'call-placed', callId: 7 }, {}],
  ['a taken call listens', { type: 'connected' }, { connecting: 'listening' }],
  ['a customer who has spoken makes it think', customerTurn, { listening: 'thinking' }],
  ['an assistant turn changes no stage', assistantTurn, {}],
  ['sound means speaking', { type: 'sound-started' }, { listening: 'speaking', thinking: 'speaking' }],
  ['silence after sound means listening', { type: 'sound-stopped' }, { speaking: 'listening' }],
  [
    'an end ends the conversation in any stage',
    { type: 'ended' },
    { microphone: 'ended', connecting: 'ended', listening: 'ended', thinking: 'ended', speaking: 'ended' },
  ],
  [
    'a failure ends the conversation in any stage',
    failure,
    {
      microphone: 'failed',
      connecting: 'failed',
      listening: 'failed',
      thinking: 'failed',
      speaking: 'failed',
    },
  ],
];

describe('the stages of a conversation', () => {
  describe.each(TABLE)('%s', (_sentence, event, next) => {
    it.each(STAGES)('from %s', (stage) => {
      expect(nextTalkState({ ...idleTalk, stage }, event).stage).toBe(next[stage] ?? stage);
    });
  });

  it('keeps the transcript until the next start', () => {
    const talking: TalkState = { ...idleTalk, stage: 'listening', callId: 7 };
    const late = nextTalkState({ ...talking, stage: 'ended' }, assistantTurn);
    expect(late.turns).toEqual([]);
    const after = [assistantTurn, customerTurn].reduce(nextTalkState, talking);
    expect(after.turns.map(({ sender }) => sender)).toEqual(['bot', 'human']);
    const over = nextTalkState(after, { type: 'ended' });
    expect(over).toMatchObject({ callId: 7, turns: after.turns });
    expect(nextTalkState(over, { type: 'started' })).toEqual({ ...idleTalk, stage: 'microphone' });
  });

  it('has the id of the call as soon as it is placed', () => {
    const state = nextTalkState({ ...idleTalk, stage: 'connecting' }, { type: 'call-placed', callId: 7 });
    expect(state.callId).toBe(7);
  });

  it('says what failed', () => {
    expect(nextTalkState({ ...idleTalk, stage: 'speaking' }, failure).problem?.title).toBe('No');
  });
});
