import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

export interface PlaceCallInput {
  phoneNumber: string;
  assistantId: number;
  variables?: Record<string, unknown> | undefined;
}

export async function placeCall(_ctx: CoreContext, _identity: Identity, _input: PlaceCallInput): Promise<{ callId: number }> {
  throw new Error('coming');
}
