// Whether a page is one of the public ones, which need no token: those below /p/.
import { useLocation } from 'preact-iso';

/** Whether an address is that of a public page. */
export const isPublicPath = (path: string): boolean => path.startsWith('/p/');

/** Whether an address has a page without a token: the public ones, and the check, which then finds public records. */
export const isOpenPath = (path: string): boolean => isPublicPath(path) || path === '/check';

/** Whether this page is public. */
export const useIsPublic = (): boolean => isPublicPath(useLocation().path);
