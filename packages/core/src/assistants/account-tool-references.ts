/** Checks the `tool_ids` of an assistant: they are the owner's, and no two tools of the assistant have one name. */
import { fieldFault, wording } from '@parley/contracts';
import { LockMode, Tool, type AssistantTool, type Transaction } from '@parley/db';
import type { FieldMessages } from '../shared/domain-error.ts';
import { nameOfTool } from '../tools/assistant-tools.ts';

/** The owner of an assistant, and both lists of its tools as they will be. */
interface ToolLists {
  userId: number;
  toolIds: readonly number[];
  /** The tools of the assistant itself. */
  tools: readonly AssistantTool[];
}

/**
 * Tools of other users are treated as missing. Those that exist can be neither changed nor deleted before the transaction
 * ends.
 */
export async function accountToolFaults(
  tx: Transaction,
  { userId, toolIds, tools }: ToolLists,
): Promise<FieldMessages> {
  if (toolIds.length === 0) return {};
  const rows = await tx.em.find(
    Tool,
    { id: [...toolIds], userId },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: 'asc' } },
  );
  const byId = new Map(rows.map((row) => [row.id, nameOfTool(row.tool)]));
  const names = new Set(tools.map(nameOfTool));
  const faults: FieldMessages = {};
  for (const [index, id] of toolIds.entries()) {
    const name = byId.get(id);
    const fault = name === undefined ? wording.selected : nameFault(name, names);
    if (fault !== null) Object.assign(faults, fieldFault(`tool_ids.${index}`, fault));
    if (name !== undefined) names.add(name);
  }
  return faults;
}

function nameFault(name: string, others: ReadonlySet<string>): string | null {
  return others.has(name) ? `The :attribute has the name "${name}", which another tool has too.` : null;
}
