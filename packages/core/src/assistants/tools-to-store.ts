/** From the tools as they were written to the tools as they are stored, or what is wrong with them. */
import type { WrittenTool } from '@parley/contracts';
import type { AssistantTool, Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { ReferenceOwner } from './assistant-references.ts';
import { sealTools, type SealedTools } from '../tools/assistant-tools.ts';
import { resolveToolReferences } from './tool-references.ts';

/** @param tools - `stored`: what the assistant has now, whose secrets may be kept */
export async function toolsToStore(
  ctx: CoreContext,
  tx: Tx,
  owner: ReferenceOwner,
  tools: { written: readonly WrittenTool[]; stored: readonly AssistantTool[] },
): Promise<SealedTools> {
  const resolved = await resolveToolReferences(tx, owner, tools.written);
  const sealed = sealTools(ctx.secretBox, resolved.tools, tools.stored);
  return { ...sealed, faults: { ...resolved.faults, ...sealed.faults } };
}
