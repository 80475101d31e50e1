/** Who the token belongs to. Existing clients call this to see whether a token works. */
import { z } from 'zod';
import { c, metadata } from './contract.ts';

/** What a token tells about its user. */
export const meRecord = z
  .strictObject({
    name: z.string(),
    email: z.string(),
    /** Always null: nobody is billed. */
    total_balance: z.null(),
  })
  .meta({ id: 'Me' });

/** The user behind a token. */
export type MeRecord = z.output<typeof meRecord>;

/** The endpoints of users. */
export const users = c.router({
  me: {
    method: 'GET',
    path: '/api/user/me',
    summary: 'The user behind the token',
    responses: { 200: meRecord },
    metadata: metadata({ scope: null }),
  },
});
