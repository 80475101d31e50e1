import { describe, expect, it } from 'vitest';
import { EndpointSchedule } from './endpoint-schedule.ts';

const HOST = '127.0.0.1';

function scheduleOf(...freeCalls: number[]): EndpointSchedule {
  const schedule = new EndpointSchedule();
  for (const [index, free] of freeCalls.entries())
    schedule.report(`voice ${index}`, { sipPort: 6000 + index, freeCalls: free, freeQueueSlots: 0 }, HOST);
  return schedule;
}

describe('the schedule of a fleet', () => {
  it('sends each call to the process with the most free slots, until all are full', () => {
    const schedule = scheduleOf(1, 2);
    const ports = ['a', 'b', 'c', 'd'].map((callId) => schedule.choose(callId)?.port ?? null);
    expect(ports[3]).toBeNull();
    expect(ports.filter((port) => port === 6001)).toHaveLength(2);
    expect(ports.filter((port) => port === 6000)).toHaveLength(1);
  });

  it('does not count requests that begin no call, and finds a process for them when all are full', () => {
    const schedule = scheduleOf(1);
    for (let request = 0; request < 100; request += 1) expect(schedule.any()).not.toBeNull();
    expect(schedule.choose('a')).not.toBeNull();
    expect(schedule.choose('b')).toBeNull();
    expect(schedule.any()).not.toBeNull();
  });

  it('sends calls to a place where a caller may wait only when all slots are taken', () => {
    const schedule = new EndpointSchedule();
    schedule.report('voice 0', { sipPort: 6000, freeCalls: 0, freeQueueSlots: 2 }, HOST);
    schedule.report('voice 1', { sipPort: 6001, freeCalls: 1, freeQueueSlots: 0 }, HOST);
    const ports = ['a', 'b', 'c', 'd'].map((callId) => schedule.choose(callId)?.port ?? null);
    expect(ports).toEqual([6001, 6000, 6000, null]);
  });

  it('gets the slot of a refused call back, once', () => {
    const schedule = scheduleOf(1);
    schedule.choose('a');
    schedule.refused('a');
    schedule.refused('a');
    expect(schedule.choose('b')).not.toBeNull();
    expect(schedule.choose('c')).toBeNull();
  });

  it('trusts a new report more than its own count', () => {
    const schedule = scheduleOf(1);
    schedule.choose('a');
    schedule.report('voice 0', { sipPort: 6000, freeCalls: 1, freeQueueSlots: 0 }, HOST);
    schedule.refused('a');
    expect(schedule.choose('b')).not.toBeNull();
    expect(schedule.choose('c')).toBeNull();
  });

  it('keeps the target of a process between its reports, and removes it with the process', () => {
    const schedule = scheduleOf(1);
    const target = schedule.any();
    schedule.report('voice 0', { sipPort: 6000, freeCalls: 0, freeQueueSlots: 0 }, HOST);
    expect(target && schedule.isAlive(target)).toBe(true);
    expect(schedule.at(6000)).toBe(target);
    expect(schedule.at(6001)).toBeNull();
    schedule.remove('voice 0');
    expect(target && schedule.isAlive(target)).toBe(false);
    expect(schedule.any()).toBeNull();
    expect(schedule.at(6000)).toBeNull();
  });

  it('knows the port of a process until it ends', () => {
    const schedule = scheduleOf(1);
    expect(schedule.portOf('voice 0')).toBe(6000);
    schedule.remove('voice 0');
    expect(schedule.portOf('voice 0')).toBeNull();
  });
});
