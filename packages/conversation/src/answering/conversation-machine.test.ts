import { tone } from '@parley/audio';
import { ManualClock } from '@parley/runtime';
import { createFakeModel, createFakeRecogniser, fakeSpeech } from '@parley/speech/fakes';
import { describe, expect, it } from 'vitest';
import { Scenario } from '../../test/scenario.ts';
import { KEYS_TOOL, type AssistantTool } from '../tools/assistant-tool.ts';

const LONG_GREETING =
  'Good morning, this is the assistant of the dentist, it is about your appointment on Monday.';

/** A call that was answered just now; its long greeting has begun. */
async function setup(onMachine: 'ignore' | 'hang-up' | 'leave-message', utterances: readonly string[] = []) {
  const clock = new ManualClock();
  const recogniser = createFakeRecogniser({ clock, utterances, finalAfterMs: 100 });
  const scenario = new Scenario({
    clock,
    settings: { onMachine, initialMessage: LONG_GREETING },
    ...(utterances.length > 0 && { recogniser }),
  });
  await scenario.answer();
  const verdicts = (): string[] =>
    scenario.events.flatMap((event) => (event.type === 'answered-by' ? [event.verdict] : []));
  const hangUps = (): string[] =>
    scenario.events.flatMap((event) => (event.type === 'hang-up' ? [`${event.by}: ${event.reason}`] : []));
  const beep = async (): Promise<void> =>
    scenario.sound(tone({ hz: 1000, sampleRateHz: 8000, samples: 3200, amplitude: 6000 }));
  return { scenario, verdicts, hangUps, beep };
}

describe('a machine that answers', () => {
  it('is hung up on and recorded as such when messages are disabled', async () => {
    const { scenario, verdicts, hangUps } = await setup('hang-up');
    await scenario.silence(300);
    await scenario.speech(3000);
    expect(verdicts()).toEqual(['machine']);
    expect(hangUps()).toEqual(['assistant: voicemail']);
  });

  it('is detected by its words after a short time', async () => {
    const { scenario, hangUps } = await setup('hang-up', ['Please leave a message.']);
    await scenario.speech(1200);
    await scenario.silence(500);
    expect(hangUps()).toEqual(['assistant: voicemail']);
  });

  it('hears the message after its beep, whole, and the call ends with it', async () => {
    const { scenario, hangUps, beep } = await setup('leave-message');
    await scenario.speech(4000);
    const soundingBefore = scenario.line.sent.length;
    await scenario.silence(800);
    await scenario.speech(2000);
    expect(scenario.line.sent.length, 'nothing is said into its greeting').toBe(soundingBefore);
    await beep();
    await scenario.silence(8000);
    expect(scenario.transcript().at(-1)).toBe(`bot: ${LONG_GREETING}`);
    expect(hangUps()).toEqual(['assistant: voicemail_message']);
  });

  it('hears it after two seconds of silence when it has no beep', async () => {
    const { scenario, hangUps } = await setup('leave-message');
    await scenario.speech(4000);
    const soundingBefore = scenario.line.sent.length;
    await scenario.silence(1500);
    expect(scenario.line.sent.length).toBe(soundingBefore);
    await scenario.silence(8000);
    expect(hangUps()).toEqual(['assistant: voicemail_message']);
  });

  it('hears it after half a minute whatever it plays', async () => {
    const { scenario } = await setup('leave-message');
    await scenario.speech(31_000);
    const soundingBefore = scenario.line.sent.length;
    await scenario.speech(3000);
    expect(scenario.line.sent.length).toBeGreaterThan(soundingBefore);
  });
});

describe('a menu that answers', () => {
  const keypad: AssistantTool = {
    type: 'run',
    name: KEYS_TOOL,
    description: 'Presses keys.',
    parameters: {},
  };

  it.each([
    ['an assistant with a keypad is asked to press keys', [keypad], true],
    ['one without is not', [], false],
  ])('%s', async (_name, tools, canPress) => {
    const clock = new ManualClock();
    const recogniser = createFakeRecogniser({
      clock,
      utterances: ['For sales, press one.'],
      finalAfterMs: 100,
    });
    const model = createFakeModel({ clock, answers: [fakeSpeech('Sales.')] });
    const settings = { onMachine: 'hang-up', tools } as const;
    const scenario = new Scenario({ clock, recogniser, model, settings });
    await scenario.answer();
    await scenario.speech(1500);
    await scenario.silence(2000);
    expect(scenario.events).toContainEqual(expect.objectContaining({ type: 'answered-by', verdict: 'menu' }));
    const prompt = model.requests[0]?.systemPrompt ?? '';
    expect(prompt).toContain('An automatic phone menu has answered.');
    expect(prompt.includes(KEYS_TOOL)).toBe(canPress);
    await scenario.end();
  });
});

describe('a person who answers', () => {
  it('hears the greeting at once, and nothing else changes', async () => {
    const { scenario, verdicts, hangUps } = await setup('hang-up');
    await scenario.silence(100);
    expect(scenario.line.sent.length).toBeGreaterThan(0);
    await scenario.speech(500);
    await scenario.silence(1500);
    expect(verdicts()).toEqual(['human']);
    expect(hangUps()).toEqual([]);
  });

  it('is never detected on inbound calls', async () => {
    const { scenario, verdicts, hangUps, beep } = await setup('ignore');
    await scenario.speech(6000);
    await beep();
    expect([...verdicts(), ...hangUps()]).toEqual([]);
  });
});
