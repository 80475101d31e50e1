/**
 * The confirmation mode of a token: a tool that calls or changes something first returns what it would do and a code, and acts
 * only when it is called again with the same arguments and the code.
 */
import { isoMicroseconds, isPlainObject, makeCallBody } from '@parley/contracts';
import {
  DomainError,
  previewCall,
  requestConfirmation,
  takeConfirmation,
  type CallPreview,
} from '@parley/core';
import type { Answer, RestCall } from '../rest/handlers.ts';

/** The argument with the code. */
export const CODE_ARGUMENT = 'confirmation_code';
/** Its description in the list of tools. */
export const CODE_SCHEMA = {
  type: 'string',
  description:
    'Leave out at first: the answer says what would be done and has a code. After the user has agreed, call the tool again with exactly the same arguments and this code.',
} as const;

const REFUSED =
  'The confirmation code is wrong, was used, has expired, or belongs to other arguments. Nothing was done. Call the tool without a code to get a new one.';
const REQUIRED =
  'Nothing was done yet. Show the user what would be done. Only if the user agrees, call this tool again with exactly the same arguments and confirmation_code.';

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
  const about = { tokenId: identity.tokenId ?? 0, tool, content: canonical(given) };
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

function previewOf(
  core: RestCall['core'],
  identity: RestCall['identity'],
  input: Record<string, unknown>,
): Promise<CallPreview> {
  const { phone_number: phoneNumber, assistant_id: assistantId, variables } = makeCallBody.parse(input);
  return previewCall(core, identity, { phoneNumber, assistantId, variables });
}

/** JSON with the keys of objects in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isPlainObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
