import { expect, test } from 'vitest';
import { FarReports } from './far-reports.ts';
import { ntpMiddleOf, parseSenderReport, writeRtcp } from './rtcp.ts';

const OURS = 0xca_fe_ba_be;
const WALL_MS = 1_790_000_000_123;

/** A report of the far end about our stream. */
function reportAbout(
  ssrc: number,
  { lastReport = 0, sinceLastReportMs = 0, packetsLost = 3 } = {},
): Uint8Array {
  const block = {
    fractionLost: 0,
    packetsLost,
    highestSequence: 1,
    jitter: 80,
    lastReport,
    sinceLastReportMs,
  };
  return writeRtcp({ ssrc: 7, name: 'far', sent: null, heard: { ...block, ssrc }, isGoodbye: false });
}

test('the time of a report is the one that a receiver reads from it', () => {
  const sent = { wallMs: WALL_MS, timestamp: 0, packets: 1, octets: 160 };
  const bytes = writeRtcp({ ssrc: OURS, name: 'a', sent, heard: null, isGoodbye: false });
  expect(parseSenderReport(bytes)?.ntpMiddle).toBe(ntpMiddleOf(WALL_MS));
});

test('loss and jitter are those of the latest report about our stream', () => {
  const reports = new FarReports(OURS, 8000);
  reports.take(reportAbout(OURS + 1), 0);
  expect(reports.latest).toBeNull();
  reports.take(reportAbout(OURS), 0);
  expect(reports.latest).toEqual({ packetsLost: 3, jitterMs: 10, roundTripMs: null });
});

test('the round-trip time excludes the time for which the far end held our report, and is kept', () => {
  const reports = new FarReports(OURS, 8000);
  reports.noteSent({ wallMs: WALL_MS, monotonicMs: 1_000 });
  const lastReport = ntpMiddleOf(WALL_MS);
  reports.take(reportAbout(OURS, { lastReport, sinceLastReportMs: 500 }), 1_540);
  expect(reports.latest?.roundTripMs).toBeCloseTo(40, 0);
  for (let report = 1; report <= 4; report++)
    reports.noteSent({ wallMs: WALL_MS + report * 5_000, monotonicMs: 1_000 + report * 5_000 });
  // A report from long ago, and none.
  reports.take(reportAbout(OURS, { lastReport }), 60_000);
  reports.take(reportAbout(OURS), 60_000);
  expect(reports.latest?.roundTripMs).toBeCloseTo(40, 0);
});

test('malformed and cut packets change nothing', () => {
  const reports = new FarReports(OURS, 8000);
  const bytes = reportAbout(OURS);
  for (let length = 0; length < 32; length++) reports.take(bytes.subarray(0, length), 0);
  expect(reports.latest).toBeNull();
});
