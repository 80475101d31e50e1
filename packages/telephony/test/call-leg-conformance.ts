/**
 * The conformance suite of `CallLeg`. Each implementation runs it from its own test and provides a far end that has just
 * called us.
 */
import { describe, expect, test } from 'vitest';
import type { CallLeg } from '../src/call-leg.ts';
import { LegEvents } from './leg-events.ts';

/** A leg that waits for our answer, and its caller. */
export interface IncomingLeg {
  leg: CallLeg;
  /** The caller hangs up, before or after the answer. */
  hangUpAtFarEnd(): unknown;
  /** The caller presses a key; `null` where the far end cannot. */
  pressAtFarEnd: ((digit: string) => unknown) | null;
  close(): Promise<void>;
}

/** Runs the suite against inbound legs from `receive`, a new one for each test. */
export function describeCallLeg(name: string, receive: () => Promise<IncomingLeg>): void {
  async function setup() {
    const far = await receive();
    return { far, leg: far.leg };
  }

  describe(`call leg: ${name}`, () => {
    test('an answered leg reports the answer once, and ends once when we hang up', async () => {
      const { far, leg } = await setup();
      const events = new LegEvents(leg);
      leg.ring();
      await leg.answer();
      await leg.hangUp();
      await leg.hangUp();
      expect(events.types().filter((type) => type === 'answered')).toHaveLength(1);
      expect(events.types().filter((type) => type === 'ended')).toHaveLength(1);
      expect(events.types().at(-1)).toBe('ended');
      expect((await events.end()).cause).toBe('local-hang-up');
      await far.close();
    });

    test('a caller who hangs up ends the leg', async () => {
      const { far, leg } = await setup();
      const events = new LegEvents(leg);
      await leg.answer();
      far.hangUpAtFarEnd();
      expect((await events.end()).cause).toBe('remote-hang-up');
      await leg.hangUp();
      expect(events.types().filter((type) => type === 'ended')).toHaveLength(1);
      await far.close();
    });

    test('the first listener receives earlier events', async () => {
      const { far, leg } = await setup();
      await leg.answer();
      await leg.hangUp();
      expect(new LegEvents(leg).types()).toEqual(['answered', 'ended']);
      await far.close();
    });

    test('a rejected leg ends with the given status and cannot be answered any more', async () => {
      const { far, leg } = await setup();
      const events = new LegEvents(leg);
      leg.reject(486);
      expect(await events.end()).toMatchObject({ cause: 'rejected', sipStatus: 486 });
      await leg.answer();
      expect(events.types()).toEqual(['ended']);
      await far.close();
    });

    test('every key of the caller is reported once, in order', async () => {
      const { far, leg } = await setup();
      const events = new LegEvents(leg);
      await leg.answer();
      if (far.pressAtFarEnd) for (const digit of '15#') far.pressAtFarEnd(digit);
      else return;
      const digits = (): string =>
        events.all.map((event) => (event.type === 'dtmf' ? event.digit : '')).join('');
      await expect.poll(digits, { timeout: 10_000 }).toBe('15#');
      await leg.hangUp();
      await far.close();
    });

    test('a listener that throws does no harm', async () => {
      const { far, leg } = await setup();
      leg.onEvent(() => {
        throw new Error('thrown on purpose');
      });
      const events = new LegEvents(leg);
      await leg.answer();
      await leg.hangUp();
      expect(events.types()).toContain('ended');
      await far.close();
    });
  });
}
