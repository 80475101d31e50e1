import { createAssistantBody } from '@parley/contracts';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import {
  changeAssistantGroup,
  createAssistantGroup,
  deleteAssistantGroup,
  listAssistantGroups,
} from './assistant-groups.ts';
import { createAssistant } from './create-assistant.ts';
import { deleteAssistant } from './delete-assistant.ts';
import { findAssistant } from './find-assistant.ts';
import { updateAssistant } from './update-assistant.ts';

const database = useTestDatabase();

async function setup() {
  const { ctx } = makeContext(database.db);
  const user = await makeUser(ctx);
  const add = (fields: Record<string, unknown> = {}) =>
    createAssistant(ctx, user, createAssistantBody.parse(newAssistant(fields)));
  const folder = await createAssistantGroup(ctx, user, { kind: 'folder', name: 'Customer A', color: 'teal' });
  const [sales, support] = [
    await createAssistantGroup(ctx, user, { kind: 'label', name: 'sales' }),
    await createAssistantGroup(ctx, user, { kind: 'label', name: 'support' }),
  ];
  const list = async (kind: 'folder' | 'label') =>
    (await listAssistantGroups(ctx, user, { kind, page: 1, perPage: 10 })).rows;
  return { ctx, user, add, folder, sales, support, list };
}

const UNKNOWN = { kind: 'invalid', fields: expect.anything() };

describe('folders and labels', () => {
  it('are listed by name, with the number of their assistants that exist', async () => {
    const { ctx, user, add, folder, sales, support, list } = await setup();
    await add({ folder_id: folder.id, label_ids: [support.id, sales.id, support.id] });
    await add({ label_ids: [sales.id] });
    const { id } = await add({ folder_id: folder.id, label_ids: [sales.id] });
    await deleteAssistant(ctx, user, id);
    expect(await list('folder')).toMatchObject([{ name: 'Customer A', color: 'teal', assistants_count: 1 }]);
    expect(await list('label')).toMatchObject([
      { name: 'sales', color: null, assistants_count: 2 },
      { name: 'support', assistants_count: 1 },
    ]);
  });

  it('are kept by a change of other fields, and replaced when they are sent', async () => {
    const { ctx, user, add, folder, sales, support } = await setup();
    const { id } = await add({ folder_id: folder.id, label_ids: [sales.id] });
    await updateAssistant(ctx, user, { id, changes: { name: 'Berta' } });
    expect(await findAssistant(ctx, user, id)).toMatchObject({ folder_id: folder.id, label_ids: [sales.id] });
    await updateAssistant(ctx, user, { id, changes: { folder_id: null, label_ids: [support.id] } });
    expect(await findAssistant(ctx, user, id)).toMatchObject({ folder_id: null, label_ids: [support.id] });
  });

  it('are refused when they belong to another user or are of the other kind', async () => {
    const { ctx, add, folder, sales } = await setup();
    const stranger = await makeUser(ctx);
    const foreign = await createAssistantGroup(ctx, stranger, { kind: 'label', name: 'foreign' });
    await expect(add({ folder_id: sales.id })).rejects.toMatchObject(UNKNOWN);
    await expect(add({ label_ids: [sales.id, foreign.id] })).rejects.toMatchObject({
      fields: { 'label_ids.1': ['The selected label_ids.1 is invalid.'] },
    });
    await expect(
      changeAssistantGroup(ctx, stranger, { kind: 'folder', id: folder.id, name: 'Mine' }),
    ).rejects.toMatchObject({ kind: 'not-found' });
    await expect(
      deleteAssistantGroup(ctx, stranger, { kind: 'folder', id: folder.id }),
    ).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('have names that are unique among those of their kind', async () => {
    const { ctx, user, folder, sales, support } = await setup();
    const taken = { fields: { name: [expect.any(String)] } };
    const again = createAssistantGroup(ctx, user, { kind: 'folder', name: 'Customer A' });
    await expect(again).rejects.toMatchObject(taken);
    const renamed = changeAssistantGroup(ctx, user, { kind: 'label', id: support.id, name: 'sales' });
    await expect(renamed).rejects.toMatchObject(taken);
    await changeAssistantGroup(ctx, user, { kind: 'label', id: sales.id, name: folder.name, color: 'pink' });
  });

  it('leave their assistants when they are deleted', async () => {
    const { ctx, user, add, folder, sales, support, list } = await setup();
    const { id } = await add({ folder_id: folder.id, label_ids: [sales.id, support.id] });
    await deleteAssistantGroup(ctx, user, { kind: 'folder', id: folder.id });
    await deleteAssistantGroup(ctx, user, { kind: 'label', id: sales.id });
    expect(await findAssistant(ctx, user, id)).toMatchObject({ folder_id: null, label_ids: [support.id] });
    expect(await list('folder')).toEqual([]);
  });

  it('never stay on an assistant that gets them while they are deleted', async () => {
    const { ctx, user, add, sales } = await setup();
    const { id } = await add();
    await Promise.allSettled([
      ...Array.from({ length: 4 }, () =>
        updateAssistant(ctx, user, { id, changes: { label_ids: [sales.id] } }),
      ),
      deleteAssistantGroup(ctx, user, { kind: 'label', id: sales.id }),
    ]);
    expect(await findAssistant(ctx, user, id)).toMatchObject({ label_ids: [] });
  });
});
