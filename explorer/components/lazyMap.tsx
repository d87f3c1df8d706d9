// The map, which is loaded with its outline of the land when a page has positions to show.
import { lazy } from 'preact-iso';
import type { Marked } from './map.tsx';

const Loaded = lazy(() => import('./map.tsx'));

/** A map of positions, oldest first; nothing without a position. `isRoute`: lines lead from one to the next. */
export const PositionsMap = ({ positions, isRoute = false }: { positions: readonly Marked[]; isRoute?: boolean }) =>
  positions.length === 0 ? null : <Loaded positions={positions} isRoute={isRoute} />;
