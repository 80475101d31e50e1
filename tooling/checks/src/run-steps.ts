/** Runs named commands one after the other or side by side, prints a line each, and the output of those that fail. */
import { spawn } from 'node:child_process';

export interface Step {
  name: string;
  command: string;
  arguments: readonly string[];
  /** Finds a fault in the output of a successful command, for example that it checked no files. */
  suspect?: (output: string) => string | null;
}

interface Outcome {
  step: Step;
  output: string;
  fault: string | null;
  seconds: number;
}

/** @returns true when every step passed */
export async function runSteps(steps: readonly Step[], atOnce: number): Promise<boolean> {
  const waiting = [...steps];
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const outcome = await runStep(step);
      outcomes.push(outcome);
      report(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return outcomes.every((outcome) => outcome.fault === null);
}

async function runStep(step: Step): Promise<Outcome> {
  const startedMs = performance.now();
  const { code, output } = await capture(step);
  const fault = code === 0 ? (step.suspect?.(output) ?? null) : `exit code ${code}`;
  return { step, output, fault, seconds: (performance.now() - startedMs) / 1000 };
}

async function capture(step: Step): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(step.command, step.arguments, { stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

function report({ step, output, fault, seconds }: Outcome): void {
  process.stdout.write(`${fault === null ? 'ok  ' : 'FAIL'} ${step.name} (${seconds.toFixed(1)} s)\n`);
  if (fault !== null) process.stdout.write(`${output.trimEnd()}\n${step.name}: ${fault}\n\n`);
}
