/** What `bench:api` measures. */
import type { HotFigures } from './api-hot.ts';
import type { DepthFigures, ListFigures, StreamFigures } from './api-lists.ts';

/** All figures of a run; parts that did not run are absent. */
export interface ApiFigures {
  hot?: HotFigures[];
  lists?: ListFigures[];
  depths?: DepthFigures[];
  streams?: StreamFigures[];
}
