import { describe, expect, it } from 'vitest';
import { IDLE, nextSupervision, type SupervisionChange } from './supervision-state.rules.ts';

const after = (...changes: SupervisionChange[]) => changes.reduce(nextSupervision, IDLE);
const turn = (sender: 'bot' | 'human', text: string, startMs: number): SupervisionChange => ({
  type: 'message',
  message: { type: 'turn', sender, text, start_ms: startMs },
});

describe('the state of a supervised call', () => {
  it.each([
    [[{ type: 'started' }], 'connecting'],
    [[{ type: 'message', message: { type: 'announcing' } }], 'announcing'],
    [[{ type: 'message', message: { type: 'listening', destinations: [] } }], 'listening'],
    [[{ type: 'message', message: { type: 'talking', destinations: [] } }], 'talking'],
    [[{ type: 'closed', problem: null }], 'idle'],
  ] satisfies [SupervisionChange[], string][])('after %j it is %s', (changes, stage) => {
    expect(after(...changes).stage).toBe(stage);
  });

  it('lists turns in time, each once, with their latest text', () => {
    const { turns } = after(
      turn('human', 'Hi', 900),
      turn('bot', 'Hello.', 20),
      turn('human', 'Hi there', 900),
    );
    expect(turns.map(({ text }) => text)).toEqual(['Hello.', 'Hi there']);
  });

  it('keeps the problem until the next session', () => {
    const lost = after({ type: 'closed', problem: 'Lost.' });
    expect(lost.problem).toBe('Lost.');
    expect(nextSupervision(lost, { type: 'started' }).problem).toBeNull();
  });
});
