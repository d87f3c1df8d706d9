// Whether a page is one of the public ones, which need no token: those below /p/.
import { useLocation } from 'preact-iso';
import { token } from '../api/session.ts';

/** Whether an address is that of a public page. */
const isPublicPath = (path: string): boolean => path.startsWith('/p/');

/** Whether an address has a page without a token: the public ones, and the check, which then finds public records. */
export const isOpenPath = (path: string): boolean => isPublicPath(path) || path === '/check';

/** Whether records are shown as everybody sees them: on public pages, and everywhere without a token. */
export const useIsPublic = (): boolean => isPublicPath(useLocation().path) || token.value === undefined;
