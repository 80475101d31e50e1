/** The port through which a conversation uses what it cannot do itself: networks, the line. Voice hands it over. */

/** A call of a tool that the assistant has, with arguments that fit its schema. */
export interface ToolRequest {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** What the model is told. Not `isOk`: it did not work, and `text` says why in words that a model may read. */
export interface ToolAnswer {
  isOk: boolean;
  text: string;
  /** Somebody else has the caller now: this conversation is over, and the model is not asked again. */
  isTransferred?: boolean;
}

/** Runs tools beside the sound. Nothing that happens here may hold the line. */
export interface ToolRunner {
  /** May reject: the model is then told that the tool failed, and nothing else. `signal`: the call's end, or the tool's. */
  run(request: ToolRequest, signal: AbortSignal): Promise<ToolAnswer>;
}

/** For assistants that only talk. */
export const NO_TOOLS: ToolRunner = {
  run: async () => ({ isOk: false, text: 'There is no such tool.' }),
};
