/** Reads variables from the answer to `call.incoming`. See docs/api.md, "Webhooks". */
import { findUnstorable, isPlainObject, variables } from '@parley/contracts';

/** The limits are those of a lead's variables. */
const givenVariables = variables();

/**
 * @param answer - null without an answer in time
 * @returns its variables; none unless it is a 2xx with a JSON object that contains some
 */
export function readIncomingAnswer(answer: { status: number; body: string } | null): Record<string, unknown> {
  if (!answer || answer.status < 200 || answer.status > 299) return {};
  const content = parse(answer.body);
  if (!isPlainObject(content)) return {};
  const { data } = givenVariables.safeParse(content['variables']);
  return data === undefined || findUnstorable(data) !== null ? {} : data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
