import { api, createAssistantBody, type AccountToolChanges, type NewAccountTool } from '@parley/contracts';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { openTools } from '../tools/assistant-tools.ts';
import {
  changeAccountTool,
  createAccountTool,
  deleteAccountTool,
  findAccountTool,
  listAccountTools,
} from './account-tools.ts';
import { copyAssistant } from './copy-assistant.ts';
import { createAssistant } from './create-assistant.ts';
import { deleteAssistant } from './delete-assistant.ts';
import { findAssistant } from './find-assistant.ts';
import { updateAssistant } from './update-assistant.ts';

const database = useTestDatabase();

const LOOK_UP = {
  name: 'look_up',
  description: 'Looks up a day.',
  endpoint: 'https://hours.example/{{place}}',
  method: 'GET',
  timeout: '20',
  headers: [{ name: 'Authorization', value: 'Bearer secret' }],
  schema: [
    { name: 'weekday', type: 'string', description: 'The day.' },
    { name: 'is_open', type: 'boolean', description: 'Only if it is open.' },
    { name: 'age', type: 'number', description: 'In years.' },
  ],
};
const OWN = { type: 'http_request', name: 'book', description: 'Books.', url: 'https://booking.example/' };

const read = (body: Record<string, unknown>): NewAccountTool => api.tools.create.body.parse(body);
const changesOf = (body: Record<string, unknown>): AccountToolChanges => api.tools.update.body.parse(body);

async function setup() {
  const { ctx } = makeContext(database.db);
  const user = await makeUser(ctx);
  const addTool = (fields: Record<string, unknown> = {}) =>
    createAccountTool(ctx, user, read({ ...LOOK_UP, ...fields }));
  const add = (fields: Record<string, unknown> = {}) =>
    createAssistant(ctx, user, createAssistantBody.parse(newAssistant(fields)));
  const change = (id: number, body: Record<string, unknown>) =>
    changeAccountTool(ctx, user, { id, changes: changesOf(body) });
  /** The tools of a call that begins now. */
  const toolsOfCall = async (assistantId: number) => {
    const frozen = await freezeConfiguration(ctx.db, { assistantId, userId: user.userId });
    return openTools(ctx.secretBox, frozen?.assistant.tools ?? []);
  };
  return { ctx, user, addTool, add, change, toolsOfCall };
}

const invalid = (fields: Record<string, string[]>) => ({ kind: 'invalid', fields });

describe('the tools of an account', () => {
  it('are read as they were written, newest first, without the values of headers', async () => {
    const { ctx, user, addTool } = await setup();
    const made = await addTool();
    const { headers: _, ...rest } = LOOK_UP;
    expect(made).toMatchObject({
      ...rest,
      timeout: 20,
      headers: [{ name: 'Authorization', has_value: true }],
    });
    expect(await findAccountTool(ctx, user, made.id)).toEqual(made);
    const other = await addTool({ name: 'other', headers: undefined, schema: undefined });
    expect(await listAccountTools(ctx, user)).toEqual([other, made]);
  });

  it('belong to one user', async () => {
    const { ctx, addTool } = await setup();
    const { id } = await addTool();
    const stranger = await makeUser(ctx);
    expect(await listAccountTools(ctx, stranger)).toEqual([]);
    const missing = { kind: 'not-found', message: 'Tool not found' };
    await expect(findAccountTool(ctx, stranger, id)).rejects.toMatchObject(missing);
    await expect(changeAccountTool(ctx, stranger, { id, changes: {} })).rejects.toMatchObject(missing);
    await expect(deleteAccountTool(ctx, stranger, id)).rejects.toMatchObject(missing);
  });

  it('keep what a change leaves out, and the values of headers under another name', async () => {
    const { addTool, add, change, toolsOfCall } = await setup();
    const tool = await addTool();
    const { id } = await add({ tool_ids: [tool.id] });
    const changed = await change(tool.id, { name: 'find', schema: [] });
    expect(changed).toMatchObject({ ...tool, name: 'find', schema: [], updated_at: changed.updated_at });
    expect(await toolsOfCall(id)).toMatchObject([
      { name: 'find', headers: [{ name: 'Authorization', value: 'Bearer secret' }] },
    ]);
  });

  it('do not send a stored value to another host', async () => {
    const { addTool, change } = await setup();
    const { id } = await addTool();
    const away = { endpoint: 'https://elsewhere.example/' };
    const fault = invalid({ 'headers.0.value': ['The headers.0.value field is required.'] });
    await expect(change(id, away)).rejects.toMatchObject(fault);
    await expect(change(id, { ...away, headers: [{ name: 'Authorization' }] })).rejects.toMatchObject(fault);
    expect(await change(id, { ...away, headers: [] })).toMatchObject({ ...away, headers: [] });
  });

  it('are deleted only while no assistant uses them', async () => {
    const { ctx, user, addTool, add } = await setup();
    const tool = await addTool();
    const { id } = await add({ assistant_name: 'Anna', tool_ids: [tool.id] });
    const bert = await add({ assistant_name: 'Bert', tool_ids: [String(tool.id)] });
    const remove = () => deleteAccountTool(ctx, user, tool.id);
    await expect(remove()).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('the assistants "Anna", "Bert".') as string,
    });
    await deleteAssistant(ctx, user, id);
    await expect(remove()).rejects.toThrow('used by the assistant "Bert"');
    await updateAssistant(ctx, user, { id: bert.id, changes: { tool_ids: null } });
    await remove();
    expect(await listAccountTools(ctx, user)).toEqual([]);
  });
});

describe('the tools of the account in an assistant', () => {
  it('are read, kept by other changes, copied and replaced', async () => {
    const { ctx, user, addTool, add } = await setup();
    const [one, two] = [await addTool(), await addTool({ name: 'other' })];
    const { id } = await add({ tool_ids: [two.id, one.id] });
    await updateAssistant(ctx, user, { id, changes: { name: 'Berta' } });
    expect(await findAssistant(ctx, user, id)).toMatchObject({ tool_ids: [two.id, one.id] });
    const copy = await copyAssistant(ctx, user, { id, name: 'Copy' });
    expect(await findAssistant(ctx, user, copy.id)).toMatchObject({ tool_ids: [two.id, one.id] });
    await updateAssistant(ctx, user, { id, changes: { tool_ids: [] } });
    expect(await findAssistant(ctx, user, id)).toMatchObject({ tool_ids: [] });
  });

  it('are refused when they belong to another user or do not exist', async () => {
    const { ctx, addTool, add } = await setup();
    const stranger = await makeUser(ctx);
    const foreign = await createAccountTool(ctx, stranger, read(LOOK_UP));
    const { id } = await addTool();
    const fault = invalid({ 'tool_ids.1': ['The selected tool_ids.1 is invalid.'] });
    await expect(add({ tool_ids: [id, foreign.id] })).rejects.toMatchObject(fault);
    await expect(add({ tool_ids: [id, 987_654_321] })).rejects.toMatchObject(fault);
  });

  it('have names that no other tool of the assistant has', async () => {
    const { ctx, user, addTool, add, change } = await setup();
    const [one, same, book] = [await addTool(), await addTool(), await addTool({ name: 'book' })];
    const fault = (index: number, name: string) =>
      invalid({
        [`tool_ids.${index}`]: [`The tool_ids.${index} has the name "${name}", which another tool has too.`],
      });
    await expect(add({ tool_ids: [one.id, same.id] })).rejects.toMatchObject(fault(1, 'look_up'));
    await expect(add({ tool_ids: [one.id, one.id] })).rejects.toMatchObject(fault(1, 'look_up'));
    await expect(add({ tools: [OWN], tool_ids: [book.id] })).rejects.toMatchObject(fault(0, 'book'));
    const { id } = await add({ assistant_name: 'Anna', tool_ids: [one.id, book.id] });
    const tools = createAssistantBody.parse(newAssistant({ tools: [OWN] })).tools ?? [];
    await expect(updateAssistant(ctx, user, { id, changes: { tools } })).rejects.toMatchObject(
      fault(1, 'book'),
    );
    await expect(change(one.id, { name: 'book' })).rejects.toMatchObject(
      invalid({ name: ['The assistant "Anna" has another tool with this name.'] }),
    );
    await updateAssistant(ctx, user, { id, changes: { tools, tool_ids: [one.id] } });
    await expect(change(one.id, { name: 'book' })).rejects.toMatchObject({ kind: 'invalid' });
    expect(await change(same.id, { name: 'book' })).toMatchObject({ name: 'book' });
  });

  it('are frozen with the call, after those of its own list', async () => {
    const { ctx, user, addTool, add, change } = await setup();
    const tool = await addTool();
    const { id } = await add({ tools: [OWN], tool_ids: [tool.id] });
    const frozen = await freezeConfiguration(ctx.db, { assistantId: id, userId: user.userId });
    await change(tool.id, { endpoint: 'https://hours.example/new', timeout: 3 });
    expect(JSON.stringify(frozen)).not.toContain('secret');
    expect(openTools(ctx.secretBox, frozen?.assistant.tools ?? [])).toMatchObject([
      { name: 'book' },
      {
        type: 'http_request',
        name: 'look_up',
        url: LOOK_UP.endpoint,
        method: 'GET',
        timeoutSeconds: 20,
        headers: [{ name: 'Authorization', value: 'Bearer secret' }],
        parameters: {
          type: 'object',
          properties: {
            weekday: { type: 'string', description: 'The day.' },
            is_open: { type: 'boolean', description: 'Only if it is open.' },
            age: { type: 'number', description: 'In years.' },
          },
          required: ['weekday', 'is_open', 'age'],
        },
      },
    ]);
  });
});
