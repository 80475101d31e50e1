/** What the settings say about a tool of the assistant. */
import type { KeyCollection } from './key-collection.rules.ts';

/** The tool that presses keys, if the assistant has it. */
export const KEYS_TOOL = 'dtmf_input';

/** A tool of the assistant. Only tools in this list can run, whatever the model requests. */
export type AssistantTool =
  /** `description`: the owner's text on when to use it, appended to ours; null for none. */
  | { type: 'end_call'; description: string | null }
  /**
   * Run by the `ToolRunner`. `parameters`: JSON schema of the arguments. The description may contain `{{variables}}`.
   * `timeLimitMs`: how long it may take; 10 s unless stated.
   */
  | {
      type: 'run';
      name: string;
      description: string;
      parameters: Record<string, unknown>;
      timeLimitMs?: number;
    }
  /** The conversation collects the keys itself. `prompt`: spoken first; null for none. */
  | {
      type: 'collect_keys';
      name: string;
      description: string;
      prompt: string | null;
      collection: KeyCollection;
    }
  /**
   * Ends this conversation so that another one continues the call. `message`: spoken if the model says nothing in that
   * turn; `assistantId`: the assistant that takes over.
   */
  | { type: 'hand_over'; name: string; description: string; message: string | null; assistantId: number };
