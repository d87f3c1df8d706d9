// Whether a page is one of the public ones, which need no token: those below /p/.
import { useLocation } from 'preact-iso';

/** Whether an address is that of a public page. */
export const isPublicPath = (path: string): boolean => path.startsWith('/p/');

/** Whether this page is public. */
export const useIsPublic = (): boolean => isPublicPath(useLocation().path);
