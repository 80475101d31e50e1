import type { CoreContext } from '../context.ts';

export type DialAuthorization = { isAllowed: true } | { isAllowed: false; reason: string };

export async function authorizeDial(
  _ctx: CoreContext,
  _input: { callId: number; voiceProcessId: string; epoch: number },
): Promise<DialAuthorization> {
  throw new Error('coming');
}
