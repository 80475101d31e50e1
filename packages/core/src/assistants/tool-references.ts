/** Resolves what the tools of an assistant refer to: other assistants of the same owner, and numbers to transfer to. */
import { fieldFault, wording, type WrittenTool } from '@parley/contracts';
import { Assistant, type Tx } from '@parley/db';
import { readAccountNumbers } from '../users/account-number.ts';
import type { FieldMessages } from '../shared/domain-error.ts';
import type { ReferenceOwner } from './assistant-references.ts';
import { ownAssistants } from './own-assistant.ts';

/** The tools with their numbers in E.164, and a fault for every reference that was not found. */
interface ResolvedTools {
  tools: WrittenTool[];
  faults: FieldMessages;
}

/** Assistants of other owners are treated as missing. A tool cannot refer to its own assistant. */
export async function resolveToolReferences(
  tx: Tx,
  owner: ReferenceOwner,
  written: readonly WrittenTool[],
): Promise<ResolvedTools> {
  const faults = await assistantFaults(tx, owner, written);
  const tools: WrittenTool[] = [];
  for (const [index, tool] of written.entries()) {
    if (tool.type !== 'call_transfer' && tool.type !== 'warm_call_transfer') {
      tools.push(tool);
      continue;
    }
    const { destinations } = tool;
    const numbers = await readAccountNumbers(
      tx,
      owner.userId,
      destinations.map(({ phone_number: text }) => text),
    );
    const read = destinations.map((destination, place) => {
      const number = numbers[place];
      if (number) return { ...destination, phone_number: number };
      faults[`tools.${index}.destinations.${place}.phone_number`] = ['Invalid phone number'];
      return destination;
    });
    tools.push({ ...tool, destinations: read });
  }
  return { tools, faults };
}

async function assistantFaults(
  tx: Tx,
  { userId, assistantId: ownId }: ReferenceOwner,
  written: readonly WrittenTool[],
): Promise<FieldMessages> {
  const wanted = written.flatMap((tool, index) =>
    tool.type === 'assistant_transfer' ? [{ index, id: tool.assistant_id }] : [],
  );
  if (wanted.length === 0) return {};
  const rows = await tx.em.find(Assistant, { id: wanted.map(({ id }) => id), ...ownAssistants({ userId }) });
  const others = new Set(rows.map(({ id }) => id).filter((id) => id !== ownId));
  const missing = wanted.filter(({ id }) => !others.has(id));
  return Object.assign(
    {},
    ...missing.map(({ index }) => fieldFault(`tools.${index}.assistant_id`, wording.selected)),
  ) as FieldMessages;
}
