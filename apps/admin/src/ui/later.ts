/** Components whose script a page does not need for its first view: forms in dialogs, charts, the player of a recording. */
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { onceReachable } from '../client/once-reachable.ts';

/**
 * Loads a component when it is first drawn. It belongs inside a dialog, which shows a placeholder until then, or inside
 * `Suspense` with a placeholder of the same size.
 */
export function later<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await onceReachable(load)())[name] }));
}
