/** Checks the import graph of the whole repository against layer-table.ts; type imports count like any others. */
import { readImportGraph } from './import-graph.ts';
import { findLayerFaults } from './layer-faults.ts';
import { LAYERS } from './layer-table.ts';
import { listRepositoryFiles } from './repository-files.ts';

const { sources, edges } = readImportGraph(listRepositoryFiles());
const faults = findLayerFaults(sources, edges, LAYERS);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${sources.length} files, ${edges.length} imports\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
