/** Judges an import graph: no cycles between files, none between the folders of a package, no upward imports. */
import { findCycles } from './find-cycles.ts';
import type { ImportEdge } from './import-graph.ts';
import type { LayerTable } from './layer-table.ts';

/** `packages/core/src/calls/insert-call.ts` → `packages/core`. */
const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** The folder of `src` that holds the file, or the file's own name where it lies directly in `src`. */
const folderOf = (file: string): string | undefined => {
  const [, , source, name] = file.split('/');
  return source === 'src' ? name : undefined;
};

const isTest = (file: string): boolean => /\.test\.tsx?$|^[^/]+\/[^/]+\/test\//.test(file);

/** @returns one sentence for each fault */
export function findLayerFaults(
  sources: readonly string[],
  edges: readonly ImportEdge[],
  layers: LayerTable,
): string[] {
  const inner = edges.filter(
    ({ from, to }) =>
      packageOf(from) === packageOf(to) &&
      !isTest(from) &&
      folderOf(from) !== 'index.ts' &&
      folderOf(to) !== undefined,
  );
  return [
    ...findCycles(edges).map((files) => `Import cycle: ${files.toSorted().join(', ')}`),
    ...findFolderCycles(inner).map((folders) => `Cycle of folders: ${folders.toSorted().join(', ')}`),
    ...inner.flatMap((edge) => findUpwardImport(edge, layers)),
    ...sources.flatMap((file) => findMissingLayer(file, layers)),
  ];
}

/** Cycles in which at least one folder takes part: `findCycles` over the files reports the others. */
function findFolderCycles(inner: readonly ImportEdge[]): string[][] {
  return findCycles(inner.flatMap(toFolderEdge)).filter((nodes) =>
    nodes.some((node) => !/\.tsx?$/.test(node)),
  );
}

function toFolderEdge({ from, to }: ImportEdge): { from: string; to: string }[] {
  const [source, target] = [folderOf(from), folderOf(to)];
  if (source === undefined || target === undefined || source === target) return [];
  return [{ from: `${packageOf(from)}/src/${source}`, to: `${packageOf(to)}/src/${target}` }];
}

function findUpwardImport({ from, to, line }: ImportEdge, layers: LayerTable): string[] {
  const order = layers[packageOf(from)];
  if (order === undefined) return [];
  const levelOf = (file: string): number => order.findIndex((names) => names.includes(folderOf(file) ?? ''));
  const [source, target] = [levelOf(from), levelOf(to)];
  if (source === -1 || target === -1 || source <= target) return [];
  return [`Upward import: ${from}:${line} imports ${to}`];
}

function findMissingLayer(file: string, layers: LayerTable): string[] {
  const order = layers[packageOf(file)];
  const folder = folderOf(file);
  if (order === undefined || folder === undefined || /\.tsx?$/.test(folder) || order.flat().includes(folder))
    return [];
  return [`Folder without a layer: ${packageOf(file)}/src/${folder} (${file})`];
}
