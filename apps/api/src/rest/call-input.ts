/** The body of `make_call` as core reads it. */
import type { makeCallBody } from '@parley/contracts';
import type { PlaceCallInput } from '@parley/core';
import type { z } from 'zod';

/** Also of a call that is previewed only. */
export function callInputOf(body: z.output<typeof makeCallBody>): PlaceCallInput {
  const { phone_number: phoneNumber, assistant_id: assistantId, variables, instructions } = body;
  return { phoneNumber, assistantId, variables, instructions, postCallSchema: body.post_call_schema };
}
