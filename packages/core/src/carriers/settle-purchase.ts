/** A purchase whose request did not finish it: the carrier is asked whether it owns the number. Nothing is bought here. */
import { CarrierAccount, NumberPurchase } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { credentialsOf, withCarrier } from './open-carrier.ts';
import { failPurchase, finishPurchase } from './purchase-number.ts';

/** Carriers carry out orders within minutes. Afterwards the number may be bought again. */
const GIVE_UP_MS = 15 * 60_000;
const NEXT_LOOK_MS = 60_000;

/** @throws CarrierError, DomainError, so that the queue repeats it */
export async function settlePurchase(ctx: CoreContext, purchaseId: number): Promise<void> {
  const purchase = await ctx.db.em.findOne(NumberPurchase, { id: purchaseId, state: 'open' });
  const account = purchase && (await ctx.db.em.findOne(CarrierAccount, { id: purchase.carrierAccountId }));
  if (!purchase || !account) return;
  const { userId, phoneNumber, createdAt } = purchase;
  const isFound = await withCarrier(ctx, credentialsOf(ctx, account), async (carrier) => {
    const number = await carrier.findNumber(phoneNumber);
    if (number) await finishPurchase(ctx, carrier, { purchaseId, account, userId, number });
    return number !== null;
  });
  if (isFound) return;
  if (ctx.clock.now() - createdAt.getTime() >= GIVE_UP_MS) {
    await failPurchase(
      ctx,
      purchaseId,
      'The carrier has not confirmed the purchase, and does not own the number.',
    );
    return;
  }
  const runAt = new Date(ctx.clock.now() + NEXT_LOOK_MS);
  await ctx.db.transaction((tx) => enqueue(tx, 'settle_purchase', { purchaseId }, { runAt }));
}
