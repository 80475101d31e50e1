/** Saves the tools of an assistant. The API replaces the whole list. */
import type { AssistantRecord, AssistantToolRecord } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { useTRPCClient } from '../../client/admin-client.ts';
import { useRefresh } from '../../client/use-refresh.ts';
import type { ToolInput } from './tool-draft.rules.ts';
import { texts } from './texts.ts';

interface SavedTools {
  /** The tools that were displayed when the change began. */
  before: readonly AssistantToolRecord[];
  after: ToolInput[];
}

/** Tools have no ids, so nothing is saved if the list has changed in the meantime. */
export function useSaveTools(assistantId: number) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ before, after }: SavedTools): Promise<AssistantRecord> => {
      const { tools } = await client.assistants.get.query({ id: assistantId });
      if (JSON.stringify(tools) !== JSON.stringify(before)) throw new Error(texts.form.changedElsewhere);
      return client.assistants.setTools.mutate({ id: assistantId, tools: after });
    },
    onSettled: () => refresh('assistants'),
  });
}
