import { writeFile, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'vitest';
import { House } from './house.ts';
import * as scenarios from './sipp-scenarios.ts';
it.each([scenarios.callerThatHoldsAndMoves, scenarios.callerThatCancels])('probe', async (xml) => {
  const house = await House.open((leg) => { leg.ring(); if (xml === scenarios.callerThatHoldsAndMoves) void leg.answer(); });
  const file = path.join(house.folder, 'scenario.xml');
  await writeFile(file, xml);
  const { host, port } = house.line.address();
  const sipp = house.run('sipp', [`${host}:${port}`, '-i', '127.0.0.1', '-nostdin','-trace_err','-trace_msg', '-sf', file, '-m', '1']);
  console.log(await sipp.exitCode(8000), sipp.output.slice(-1500));
  for (const f of await readdir(house.folder)) if (f !== 'scenario.xml') console.log(f, (await readFile(path.join(house.folder, f))).toString().slice(0, 6000));
  await house.close();
});
