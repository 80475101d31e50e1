import { updateAssistantBody } from '@parley/contracts';
import { addProvider } from '../lookups/add-provider.ts';
import { checkScript, followScript, openScript, parseScript, type CustomerEntry } from '@parley/script';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeAssistant, makeContext, makeUser } from '../../test/arrange.ts';
import { DEMO_SCRIPT } from '../setup/demo-script.ts';
import { updateAssistant } from './update-assistant.ts';

const database = useTestDatabase();

const BROKEN = '#script\n[day]\nsay Which day?\non monday -> time\nask again';
const REFUSED = {
  kind: 'invalid',
  fields: {
    system_prompt: [
      'The script cannot be followed. Line 4: There is no state [time]. ' +
        'Line 5: A line must begin with say, again, on, tries, otherwise, end, or a [state].',
    ],
  },
};

async function setup() {
  const { ctx } = makeContext(database.db);
  const identity = await makeUser(ctx);
  const change = async (id: number, body: unknown) =>
    updateAssistant(ctx, identity, { id, changes: updateAssistantBody.parse(body) });
  return { ctx, identity, change };
}

describe('a script as a prompt', () => {
  it('is refused with the line of every fault, when the assistant is made and when it is changed', async () => {
    const { ctx, identity, change } = await setup();
    await expect(makeAssistant(ctx, identity, { system_prompt: BROKEN })).rejects.toMatchObject(REFUSED);
    const { id } = await makeAssistant(ctx, identity);
    await expect(change(id, { system_prompt: BROKEN })).rejects.toMatchObject(REFUSED);
  });

  it('is taken when it can be followed, and so is a prompt that is none', async () => {
    const { ctx, identity, change } = await setup();
    const { id } = await makeAssistant(ctx, identity, { system_prompt: DEMO_SCRIPT });
    expect(await change(id, { system_prompt: 'You are [day] friendly.' })).toMatchObject({ id });
  });

  it('is only a prompt to other models, until it is given to the scripted one', async () => {
    const { ctx, identity, change } = await setup();
    await addProvider(ctx, {
      name: 'Server of scripts',
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1/v1',
      models: [{ name: 'model of scripts', wireName: 'scripted' }],
      voices: [],
    });
    const fields = { llm_model: 'model of scripts', system_prompt: BROKEN };
    const { id } = await makeAssistant(ctx, identity, fields);
    await change(id, { system_prompt: `${BROKEN} and again` });
    await expect(change(id, { llm_model: 'Scripted dialogue (built in)' })).rejects.toMatchObject({
      kind: 'invalid',
    });
  });
});

describe('the demo', () => {
  const said = (text: string): CustomerEntry[] => [{ kind: 'speech', text }];
  const pressed = (text: string): CustomerEntry[] => [{ kind: 'dtmf', text }];
  const converse = (...turns: CustomerEntry[][]) => {
    const script = parseScript(DEMO_SCRIPT);
    let standing = openScript(script);
    for (const turn of turns) standing = followScript(script, standing, { turn, wasAsked: true });
    return standing;
  };

  it('is a script', () => {
    expect(checkScript(DEMO_SCRIPT)).toEqual([]);
  });

  it.each([
    ['voice', [said('On Friday'), said('in the afternoon'), said('Maria'), said('yes')], 'Maria'],
    ['keys', [pressed('5'), pressed('2'), pressed('1'), pressed('1')], 'you'],
  ])('books an appointment by %s', (_way, turns, name) => {
    expect(converse(...turns)).toMatchObject({
      state: 'booked',
      hasEnded: true,
      say: 'Thank you. You are booked for Friday at three in the afternoon. Goodbye.',
      notes: { day: 'Friday', time: 'three in the afternoon', name, booked: 'yes' },
    });
  });

  it('books for a caller whose name is unknown', () => {
    const noise: CustomerEntry[] = [{ kind: 'unrecognised', text: '' }];
    const standing = converse(said('Monday'), said('morning'), noise, noise, said('right'));
    expect(standing).toMatchObject({ state: 'booked', notes: { day: 'Monday' } });
    expect(standing.notes).not.toHaveProperty('name');
  });
});
