// The pages that are loaded when they are first visited: forms and administration, which few visits need.
import { lazy } from 'preact-iso';

export const AdminPage = lazy(() => import('./admin.tsx'));
export const NewAssetPage = lazy(() => import('./newAsset.tsx'));
export const NewEventPage = lazy(() => import('./newEvent.tsx'));
export const NewPolicyPage = lazy(() => import('./newPolicy.tsx'));
export const PolicyPage = lazy(() => import('./policy.tsx'));
