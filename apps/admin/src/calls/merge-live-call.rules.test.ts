import type { CallSummary } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import { mergeIntoLive, mergeLiveCall } from './merge-live-call.rules.ts';

function call(id: number, fields: Partial<CallSummary> = {}): CallSummary {
  const at = `2026-01-31 10:00:${String(id).padStart(2, '0')}`;
  return {
    id,
    assistant_name: 'Demo',
    type: 'outbound',
    duration: 0,
    assistant_phone_number: '+12025550100',
    client_phone_number: '+12125550123',
    status: 'initiated',
    transcript: '',
    variables: {},
    evaluation: {},
    webhook_response: {},
    carrier_cost: 0,
    total_cost: 0,
    answered_by: 'unknown',
    outcome: null,
    disposition: null,
    created_at: at,
    updated_at: at,
    ...fields,
  };
}

/** A page of calls 12, 11 and 10, newest first, as page `current_page` of pages of three. */
function setup(fields: { current_page?: number; per_page?: number } = {}) {
  const page = { current_page: 1, per_page: 3, total: 30, data: [call(12), call(11), call(10)], ...fields };
  const idsAfter = (row: CallSummary, filters = {}) =>
    mergeLiveCall(page, filters, row).data.map(({ id }) => id);
  return { page, idsAfter };
}

describe('a row that arrives live', () => {
  it('renews the row of the same call in place', () => {
    const { page } = setup();
    const merged = mergeLiveCall(page, {}, call(11, { status: 'ringing' }));
    expect(merged.data.map(({ status }) => status)).toEqual(['initiated', 'ringing', 'initiated']);
    expect(merged.total).toBe(30);
  });

  it('goes on top of the first page when it is new, and pushes the last row off', () => {
    const { page, idsAfter } = setup();
    expect(idsAfter(call(13))).toEqual([13, 12, 11]);
    expect(mergeLiveCall(page, {}, call(13)).total).toBe(31);
  });

  it('does not disturb pages further down', () => {
    const { page } = setup({ current_page: 2 });
    expect(mergeLiveCall(page, {}, call(13))).toBe(page);
  });

  it('is left out when it is older than everything on a full page', () => {
    const { page } = setup();
    expect(mergeLiveCall(page, {}, call(9, { status: 'completed' }))).toBe(page);
  });

  it('is inserted by age into a page that is not full', () => {
    const { idsAfter } = setup({ per_page: 10 });
    expect(idsAfter(call(9))).toEqual([12, 11, 10, 9]);
    expect(idsAfter(call(13))).toEqual([13, 12, 11, 10]);
  });

  it('is put by its id among calls of the same second', () => {
    const { idsAfter } = setup({ per_page: 10 });
    expect(idsAfter(call(99, { created_at: call(11).created_at }))).toEqual([12, 99, 11, 10]);
  });

  it.each([
    ['another status', { status: 'completed' }, false],
    ['its own status', { status: 'initiated' }, true],
    ['another type', { type: 'inbound' }, false],
    ['part of its number, however typed', { phone_number: '212 555' }, true],
    ['another number', { phone_number: '999' }, false],
    ['another outcome', { outcome: 'busy' }, false],
    ['its own day', { date_from: '2026-01-31', date_to: '2026-01-31' }, true],
    ['a later day', { date_from: '2026-02-01' }, false],
    ['an earlier day', { date_to: '2026-01-30' }, false],
    ['a campaign, which rows do not name', { campaign_id: 1 }, false],
    ['an assistant, which rows do not name', { assistant_id: 1 }, false],
    ['the order of the newest', { sort: 'started', is_ascending: false }, true],
    ['another order', { sort: 'started', is_ascending: true }, false],
    ['the order by another column', { sort: 'cost', is_ascending: false }, false],
  ])('meets a filter for %s', (_sentence, filters, isShown) => {
    const { idsAfter } = setup();
    expect(idsAfter(call(13), filters).includes(13)).toBe(isShown);
  });

  it('stays in place when its status leaves the filter', () => {
    const { idsAfter } = setup();
    expect(idsAfter(call(12, { status: 'completed' }), { status: 'initiated' })).toEqual([12, 11, 10]);
  });
});

describe('a row that arrives at the calls in progress', () => {
  const list = { rows: [call(12), call(10)], total: 2 };
  const ended = { status: 'completed', outcome: 'talked' } as const;

  it.each([
    ['renews its own row', call(12, { status: 'ringing' }), {}, [12, 10], 2],
    ['joins them by age when it is new', call(11), {}, [12, 11, 10], 3],
    ['leaves them when the call has ended', call(12, ended), {}, [10], 1],
    ['changes nothing when another call has ended', call(9, ended), { campaign_id: 1 }, [12, 10], 2],
  ])('%s', (_sentence, row, filters, ids, total) => {
    const merged = mergeIntoLive(list, filters, row);
    expect(merged?.rows.map(({ id }) => id)).toEqual(ids);
    expect(merged?.total).toBe(total);
    if (row.id === 12 && total === 2) expect(merged?.rows[0]).toBe(row);
  });

  it.each([
    ['a new call may not be of the campaign', list, { campaign_id: 1 }, call(11)],
    ['another call takes the place of one that ended', { ...list, total: 9 }, {}, call(12, ended)],
    ['an unknown call may be an older one', { ...list, total: 9 }, {}, call(13)],
  ])('leaves it to the server where %s', (_sentence, before, filters, row) => {
    expect(mergeIntoLive(before, filters, row)).toBeNull();
  });
});
