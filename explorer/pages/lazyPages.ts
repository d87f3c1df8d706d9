// The pages that are loaded when they are first visited: the forms, which few visits need.
import { lazy } from 'preact-iso';

export const NewAssetPage = lazy(() => import('./newAsset.tsx'));
export const NewEventPage = lazy(() => import('./newEvent.tsx'));
