/** Requests to the carrier of a stored account. */
import { CarrierAccount, type CarrierAccountRow, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { sharedOrOwn } from '../lookups/shared-or-own.ts';
import { DomainError, type DomainErrorKind } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { createCarrierSend, openCarrierClient } from './wire/carrier-http.ts';
import {
  CarrierError,
  type Carrier,
  type CarrierCredentials,
  type CarrierErrorKind,
  type CarrierKind,
} from './wire/carrier.ts';
import type { CarrierCalls } from './wire/carrier-calls.ts';
import { explainTelnyxError, openTelnyx } from './wire/telnyx-access.ts';
import { createTelnyxCalls } from './wire/telnyx-calls.ts';
import { createTelnyx } from './wire/telnyx.ts';
import { explainTwilioError, openTwilio } from './wire/twilio-access.ts';
import { createTwilioCalls } from './wire/twilio-calls.ts';
import { createTwilio } from './wire/twilio.ts';

/** The names of carriers, as they write them. */
export const CARRIER_NAMES: Record<CarrierKind, string> = { twilio: 'Twilio', telnyx: 'Telnyx' };

/** Runs `work` with a connection to a carrier, which is closed afterwards. @throws CarrierError */
export async function withCarrier<Result>(
  ctx: CoreContext,
  credentials: CarrierCredentials,
  work: (carrier: Carrier) => Promise<Result>,
): Promise<Result> {
  const client = openCarrierClient(ctx);
  try {
    const { kind } = credentials;
    const url = ctx.carrierUrls[kind];
    const carrier =
      kind === 'twilio'
        ? createTwilio(createCarrierSend(client, explainTwilioError), credentials, url)
        : createTelnyx(createCarrierSend(client, explainTelnyxError), credentials, url);
    return await work(carrier);
  } finally {
    await client.close();
  }
}

/** The same for the outbound calls of a stored account. @throws CarrierError */
export async function withCarrierCalls<Result>(
  ctx: CoreContext,
  account: CarrierAccountRow,
  work: (calls: CarrierCalls) => Promise<Result>,
): Promise<Result> {
  const client = openCarrierClient(ctx);
  const credentials = credentialsOf(ctx, account);
  try {
    if (account.kind === 'twilio') {
      const send = createCarrierSend(client, explainTwilioError);
      return await work(createTwilioCalls(openTwilio(send, credentials, ctx.carrierUrls.twilio)));
    }
    const { applicationRef, organisationRef } = account.connection?.streamKey ?? {};
    if (applicationRef === undefined || organisationRef === undefined)
      throw new CarrierError('rejected', 'The account has to be connected again.');
    const send = createCarrierSend(client, explainTelnyxError);
    const access = openTelnyx(send, credentials, ctx.carrierUrls.telnyx);
    return await work(createTelnyxCalls(access, { applicationRef, organisationRef }));
  } finally {
    await client.close();
  }
}

/** The credentials of a stored account, decrypted. */
export function credentialsOf(
  ctx: CoreContext,
  { kind, accountSid, secretSealed }: Pick<CarrierAccountRow, 'kind' | 'accountSid' | 'secretSealed'>,
): CarrierCredentials {
  return { kind, accountSid, secret: ctx.secretBox.open(secretSealed) };
}

/**
 * The same for a request of a user.
 *
 * @throws DomainError `conflict` for what the carrier refuses, `unavailable` when it does not answer
 */
export async function askCarrier<Result>(
  ctx: CoreContext,
  account: CarrierAccountRow,
  work: (carrier: Carrier) => Promise<Result>,
): Promise<Result> {
  try {
    return await withCarrier(ctx, credentialsOf(ctx, account), work);
  } catch (error) {
    throw forUser(account.kind, error);
  }
}

const ERROR_KINDS: Record<CarrierErrorKind, DomainErrorKind> = {
  rejected: 'conflict',
  unauthorised: 'conflict',
  missing: 'conflict',
  'rate-limited': 'unavailable',
  uncertain: 'unavailable',
};

/** The error that a user gets; other errors are returned as they are. */
export function forUser(kind: CarrierKind, error: unknown): unknown {
  if (!(error instanceof CarrierError)) return error;
  const name = CARRIER_NAMES[kind];
  const text = textFor(name, error);
  const { retryAfterSeconds } = error;
  return new DomainError(ERROR_KINDS[error.kind], text, {
    cause: error,
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}

function textFor(name: string, { kind, message }: CarrierError): string {
  if (kind === 'unauthorised') return `${name} refuses the credentials of this account. ${message}`;
  if (kind === 'rate-limited') return `${name} asks to wait before the next request.`;
  return kind === 'uncertain' ? `${name} cannot be used now. ${message}` : `${name} refuses this. ${message}`;
}

/** @throws DomainError `not-found`, also when it has another owner */
export async function findAccount(tx: Tx, identity: Identity, accountId: number): Promise<CarrierAccountRow> {
  const account = await tx.em.findOne(CarrierAccount, { id: accountId, ...sharedOrOwn(identity.userId) });
  if (!account) throw new DomainError('not-found', 'Carrier account not found');
  return account;
}

/** The same for what costs money or changes the account. @throws DomainError `forbidden` for members on a shared one */
export async function findOwnAccount(
  tx: Tx,
  identity: Identity,
  accountId: number,
): Promise<CarrierAccountRow> {
  const account = await findAccount(tx, identity, accountId);
  if (account.userId === null) requireOperator(identity);
  return account;
}
