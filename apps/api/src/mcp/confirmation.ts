/**
 * The confirmation mode of a token. A tool that calls or changes something acts only when it is called again with the same
 * arguments and a code. A client that supports elicitation asks its user in between and keeps the code from the model;
 * for other clients the answer says what would be done and has the code.
 */
import { isoMicroseconds, isPlainObject, makeCallBody } from '@parley/contracts';
import {
  DomainError,
  previewCall,
  requestConfirmation,
  takeConfirmation,
  type CallPreview,
} from '@parley/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type InputResponseView,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { callInputOf } from '../rest/call-input.ts';
import type { Answer, RestCall } from '../rest/handlers.ts';

/** The argument with the code. */
export const CODE_ARGUMENT = 'confirmation_code';
/** The schema of the code in the list of tools. */
export const CODE_SCHEMA = {
  type: 'string',
  description:
    'Leave out at first: the answer says what would be done and has a code. After the user has agreed, call the tool again with exactly the same arguments and this code.',
} as const;

const REFUSED =
  'The confirmation code is wrong, was used, has expired, or belongs to other arguments. Nothing was done. Call the tool without a code to get a new one.';
const REQUIRED =
  'Nothing was done yet. Show the user what would be done. Only if the user agrees, call this tool again with exactly the same arguments and confirmation_code.';

const ASKED_BY_CLIENT =
  'This client asks its user itself. Leave out confirmation_code: a code has no effect here. Nothing was done.';
const DECLINED = 'The user has not agreed. Nothing was done. Do not try this again unless the user wants it.';

/** The question in the result of a tool. */
const QUESTION = 'confirmation';

/** What is to be done. */
interface Action {
  tool: string;
  operation: string;
  input: Record<string, unknown>;
}

/**
 * @returns null when the action was confirmed and may be done; otherwise the answer
 * @throws DomainError with the reason why a call would be refused; `forbidden` for a wrong code
 */
export async function confirmAction(
  { core, identity }: RestCall,
  { tool, operation, input }: Action,
): Promise<Answer | null> {
  const { [CODE_ARGUMENT]: code, ...given } = input;
  const about = aboutOf(identity, tool, given);
  if (code !== undefined) {
    if (typeof code === 'string' && (await takeConfirmation(core, { ...about, code }))) return null;
    throw new DomainError('forbidden', REFUSED);
  }
  const preview = operation === 'calls.make' ? await previewOf(core, identity, given) : null;
  const { code: made, expiresAt } = await requestConfirmation(core, about);
  return {
    status: 200,
    body: {
      confirmation_required: true,
      message: REQUIRED,
      tool,
      arguments: given,
      ...(preview && { call: { from: preview.from, to: preview.to, assistant_name: preview.assistantName } }),
      [CODE_ARGUMENT]: made,
      expires_at: isoMicroseconds(expiresAt),
    },
  };
}

/** A client that asks its user: what they answered, and the code, which the client sends back. */
export interface Asking {
  answer: InputResponseView;
  code: string | undefined;
}

/**
 * @returns null if the client cannot ask its user. Clients of the protocol revisions before 2026-07-28 cannot: a server without
 * sessions never receives their answer.
 */
export function askingOf({ envelope, inputResponses, requestState }: ServerContext['mcpReq']): Asking | null {
  const capabilities = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  const { elicitation } = (capabilities ?? {}) as ClientCapabilities;
  // No mode at all means the form.
  const isAble =
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  return isAble
    ? { answer: inputResponse(inputResponses, QUESTION), code: requestState<string | undefined>() }
    : null;
}

/**
 * Lets the client ask its user.
 * @returns null when they agreed and the action may be done; otherwise the question
 * @throws DomainError with the reason why a call would be refused; `forbidden` if they did not agree, or for a wrong code
 */
export async function askUser(
  { core, identity }: RestCall,
  { tool, operation, input }: Action,
  { answer, code }: Asking,
): Promise<InputRequiredResult | null> {
  const { [CODE_ARGUMENT]: ofModel, ...given } = input;
  if (ofModel !== undefined) throw new DomainError('forbidden', ASKED_BY_CLIENT);
  const about = aboutOf(identity, tool, given);
  if (code !== undefined) {
    const isValid = await takeConfirmation(core, { ...about, code });
    if (answer.kind !== 'elicit' || answer.action !== 'accept') throw new DomainError('forbidden', DECLINED);
    if (!isValid) throw new DomainError('forbidden', REFUSED);
    return null;
  }
  const preview = operation === 'calls.make' ? await previewOf(core, identity, given) : null;
  const { code: made } = await requestConfirmation(core, about);
  const message = questionText(tool, given, preview);
  const requestedSchema = { type: 'object' as const, properties: {} };
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema }) },
    requestState: made,
  });
}

/** All arguments are shown, as JSON, in which a model cannot imitate other lines of the question. */
function questionText(tool: string, given: Record<string, unknown>, preview: CallPreview | null): string {
  const what = preview
    ? `Call ${preview.to} from ${preview.from} with the assistant ${JSON.stringify(preview.assistantName)}?`
    : `Run ${tool}?`;
  return `${what}\n\n${JSON.stringify(given, null, 2)}`;
}

function aboutOf(identity: RestCall['identity'], tool: string, given: Record<string, unknown>) {
  return { tokenId: identity.tokenId ?? 0, tool, content: canonical(given) };
}

function previewOf(
  core: RestCall['core'],
  identity: RestCall['identity'],
  input: Record<string, unknown>,
): Promise<CallPreview> {
  return previewCall(core, identity, callInputOf(makeCallBody.parse(input)));
}

/** JSON with the keys of objects in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isPlainObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
