/** Checks the import graph of the whole repository against layer-table.ts; type imports count like any others. */
import { readImportGraph } from './import-graph.ts';
import { findLayerFaults } from './layer-faults.ts';
import { LAYERS, PACKAGES_WITH_CYCLES, PACKAGES_WITH_FOLDER_CYCLES } from './layer-table.ts';
import { listRepositoryFiles } from './repository-files.ts';

const { sources, edges } = readImportGraph(listRepositoryFiles());
const faults = findLayerFaults(sources, edges, {
  layers: LAYERS,
  packagesWithCycles: PACKAGES_WITH_CYCLES,
  packagesWithFolderCycles: PACKAGES_WITH_FOLDER_CYCLES,
});
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${sources.length} files, ${edges.length} imports\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
