/** The diagnosis of a SIP trunk: one step after the other, each with a verdict and, where something is wrong, a cure. */
import { z } from 'zod';
import { isoMicrosecondsField } from './dates.ts';
import { integer, nullable, shape } from './fields.ts';

/** What is examined, in this order. */
export const diagnosisSteps = [
  'dns',
  'address',
  'servers',
  'reach',
  'tls',
  'authentication',
  'registration',
  'codec',
  'caller_identity',
  'nat',
  'clock',
  'audio',
] as const;

/** How a step ended. `skipped`: it does not apply, or an earlier failure made it impossible. */
export const diagnosisVerdicts = ['ok', 'warning', 'failed', 'skipped'] as const;

const diagnosisStep = z
  .strictObject({
    step: z.enum(diagnosisSteps),
    verdict: z.enum(diagnosisVerdicts),
    /** What was found, as a sentence. */
    message: z.string(),
    /** What to do about it; null where there is nothing to do. */
    cure: z.string().nullable(),
  })
  .meta({ id: 'DiagnosisStep' });

/** What POST …/{id}/diagnose returns. */
export const trunkDiagnosis = z
  .strictObject({
    trunk_id: z.int(),
    at: isoMicrosecondsField,
    /** The worst verdict of all steps. */
    verdict: z.enum(['ok', 'warning', 'failed']),
    steps: z.array(diagnosisStep),
  })
  .meta({ id: 'TrunkDiagnosis' });

/** Body of POST …/{id}/diagnose. */
export const diagnoseTrunkBody = shape({
  /** A call of the user that has ended, to be judged as the test call; without it, the latest calls of the trunk. */
  call_id: nullable(integer()).optional(),
}).meta({ id: 'DiagnoseSipTrunk' });

/** A diagnosis as it is read. */
export type TrunkDiagnosisRecord = z.output<typeof trunkDiagnosis>;
/** One step of it. */
export type DiagnosisStepRecord = z.output<typeof diagnosisStep>;
