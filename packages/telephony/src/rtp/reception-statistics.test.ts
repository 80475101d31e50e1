import { describe, expect, test } from 'vitest';
import { ReceptionStatistics } from './reception-statistics.ts';

function setup() {
  const statistics = new ReceptionStatistics(8000);
  const count = (...sequences: number[]): void => sequences.forEach((sequence) => statistics.count(sequence));
  return { statistics, count };
}

describe('reception statistics', () => {
  test('a gap is a loss until the missing packet arrives late', () => {
    const { statistics, count } = setup();
    count(10, 11, 14);
    expect(statistics.packetsLost).toBe(2);
    count(12);
    expect(statistics.packetsLost).toBe(1);
  });

  test('counting continues across the wraparound of the sequence number', () => {
    const { statistics, count } = setup();
    count(65_534, 65_535, 0, 2);
    expect(statistics.packetsReceived).toBe(4);
    expect(statistics.packetsLost).toBe(1);
    expect(statistics.report().highestSequence).toBe(65_536 + 2);
  });

  test('duplicates never make the loss negative', () => {
    const { statistics, count } = setup();
    count(1, 1, 1, 2);
    expect(statistics.packetsLost).toBe(0);
  });

  test('a new source keeps the losses of the earlier one and adds none', () => {
    const { statistics, count } = setup();
    count(1, 3);
    statistics.restart();
    count(40_000, 40_001);
    expect(statistics.packetsLost).toBe(1);
    expect(statistics.packetsReceived).toBe(4);
  });

  test('a large jump of the sequence number is a restart, not a loss of thousands of packets', () => {
    const { statistics, count } = setup();
    count(1, 2, 20_000, 20_001);
    expect(statistics.packetsLost).toBe(0);
  });

  test('the fraction lost of a report counts from the previous report', () => {
    const { statistics, count } = setup();
    count(1, 2, 3, 5);
    expect(statistics.report().fractionLost).toBe(Math.floor(256 / 5));
    count(6, 7);
    expect(statistics.report().fractionLost).toBe(0);
    count(8, 9, 11);
    expect(statistics.report().fractionLost).toBe(Math.floor(256 / 4));
  });

  test('packets that arrive exactly on time have no jitter, and a packet 16 ms late adds one millisecond', () => {
    const { statistics } = setup();
    for (let i = 0; i < 10; i++) statistics.observeArrival(i * 160, 5000 + i * 20);
    expect(statistics.jitterMs).toBe(0);
    statistics.observeArrival(1600, 5000 + 216);
    expect(statistics.jitterMs).toBeCloseTo(1, 6);
  });

  test('a clock reset of the sender adds no jitter', () => {
    const { statistics } = setup();
    statistics.observeArrival(0, 0);
    statistics.observeArrival(900_000, 20);
    expect(statistics.jitterMs).toBe(0);
  });
});
