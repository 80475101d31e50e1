import { describe, expect, it } from 'vitest';
import { describeLanguageModel, END_CALL } from '../../../test/conformance/language-model.ts';
import { collect } from '../../../test/collect.ts';
import type { DialogueEntry, LanguageModelEvent, LanguageModelRequest } from '../../ports.ts';
import { createScriptedModel } from './scripted-model.ts';

const GREETING: DialogueEntry = { role: 'assistant', text: 'Hello, this is Parley.' };
const customer = (kind: 'speech' | 'unrecognised' | 'dtmf' | 'silence', text = ''): DialogueEntry => ({
  role: 'customer',
  kind,
  text,
});
const request = (...dialogue: DialogueEntry[]): LanguageModelRequest => ({
  systemPrompt: 'You sell pizza.',
  dialogue,
  tools: [END_CALL],
  temperature: 0,
  language: 'en',
});

describeLanguageModel('the scripted dialogue', async () => ({
  model: createScriptedModel(),
  talk: request(GREETING, customer('unrecognised')),
  goodbye: request(GREETING, customer('dtmf', '9')),
  stop: async () => {},
}));

describe('the scripted dialogue', () => {
  /** Has the whole conversation: the customer's turns as given, the assistant's as the model makes them. */
  const converse = async (...turns: DialogueEntry[]) => {
    const model = createScriptedModel();
    const dialogue: DialogueEntry[] = [GREETING];
    const said: string[] = [];
    let events: LanguageModelEvent[] = [];
    for (const turn of turns) {
      dialogue.push(turn);
      events = await collect(model.stream(request(...dialogue), new AbortController().signal));
      const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
      said.push(text);
      dialogue.push({ role: 'assistant', text });
    }
    return { said, isEnded: events.some((event) => event.type === 'tool-call'), dialogue };
  };
  const noise = customer('unrecognised');

  it('explains itself when the caller speaks, and confirms at key 1', async () => {
    const { said, isEnded } = await converse(noise, customer('dtmf', '1'));
    expect(said[0]).toMatch(/demonstration.*understands keys.*Press 1/);
    expect(said[1]).toMatch(/confirmed\. Goodbye/);
    expect(isEnded).toBe(true);
  });

  it('finds another time at key 2', async () => {
    const { said, isEnded } = await converse(noise, customer('dtmf', '2'), customer('dtmf', '2'));
    expect(said[2]).toMatch(/tomorrow afternoon/);
    expect(isEnded).toBe(true);
  });

  it('ends politely after two turns in a row that it did not understand', async () => {
    const once = await converse(noise, noise);
    expect(once.isEnded).toBe(false);
    const twice = await converse(noise, noise, noise);
    expect(twice.said[2]).toMatch(/Thank you/);
    expect(twice.isEnded).toBe(true);
  });

  it('asks into the silence once, then ends', async () => {
    const once = await converse(customer('silence'));
    expect(once).toMatchObject({ said: ['Hello? Are you still there?'], isEnded: false });
    expect(await converse(customer('silence'), customer('silence'))).toMatchObject({ isEnded: true });
  });

  it('continues when the caller speaks after a silence', async () => {
    const { said, isEnded } = await converse(noise, customer('silence'), noise);
    expect(said[2]).toMatch(/Press 1/);
    expect(isEnded).toBe(false);
  });

  it('understands simple words where there is a recogniser', async () => {
    expect(await converse(noise, customer('speech', 'Yes, please.'))).toMatchObject({ isEnded: true });
    const { said } = await converse(
      customer('speech', 'Yes?'),
      customer('speech', 'No, I would rather not.'),
    );
    expect(said[0]).toMatch(/Press 1/);
    expect(said[1]).toMatch(/another time/);
  });

  it('does nothing more after the goodbye than end the call', async () => {
    const { said, isEnded } = await converse(customer('dtmf', '9'), noise);
    expect(said[1]).toBe('');
    expect(isEnded).toBe(true);
  });

  const BOOKING = `#script
[day]
say Monday or Tuesday?
on monday, key 1 -> done, day = Monday
on tuesday, key 2 -> done, day = Tuesday
[done]
say See you on {day}.`;

  it("follows the assistant's own script, and tells what it waits for and what it noted", async () => {
    const model = createScriptedModel();
    const asked = { ...request(GREETING, noise), systemPrompt: BOOKING };
    const again = await collect(model.stream(asked, new AbortController().signal));
    expect(again.map((event) => (event.type === 'text' ? event.text : ''))).toEqual([
      'Sorry, I did not get that. ',
      'Monday or Tuesday?',
    ]);
    expect(model.standing?.(asked)).toEqual({ expects: ['monday', 'tuesday'], notes: {} });
    const done = { ...request(GREETING, customer('speech', 'Tuesday')), systemPrompt: BOOKING };
    const end = await collect(model.stream(done, new AbortController().signal));
    expect(end.map((event) => event.type)).toEqual(['text', 'tool-call']);
    expect(model.standing?.(done)).toEqual({ expects: [], notes: { day: 'Tuesday' } });
  });

  it('demonstrates itself where a script cannot be followed', async () => {
    const { say } = await first('#script\n[day]\nask what?');
    expect(say).toMatch(/demonstration/);
  });

  const first = async (systemPrompt: string) => {
    const asked = { ...request(), systemPrompt };
    const events = await collect(createScriptedModel().stream(asked, new AbortController().signal));
    return { say: events.map((event) => (event.type === 'text' ? event.text : '')).join('') };
  };

  it('says goodbye without the tool when the assistant has none', async () => {
    const model = createScriptedModel();
    const asked = { ...request(GREETING, customer('dtmf', '9')), tools: [] };
    const events = await collect(model.stream(asked, new AbortController().signal));
    expect(events.every((event) => event.type === 'text')).toBe(true);
    expect(events.length).toBeGreaterThan(0);
  });
});
